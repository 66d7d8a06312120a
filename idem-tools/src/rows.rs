//! Which calls of one response may run side by side.

use crate::call::ProposedCall;
use crate::tool_set::ToolSet;
use std::collections::HashMap;

/// Calls that run one after the other, each with its place in the response.
pub(crate) type Row = Vec<(usize, ProposedCall)>;

/// What may run side by side: each call alone, and all those of one serial tool behind each other, in their order.
pub(crate) fn rows(tools: &ToolSet, calls: Vec<(usize, ProposedCall)>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::with_capacity(calls.len());
    let mut serial: HashMap<String, usize> = HashMap::new();
    for (at, call) in calls {
        let tool = tools.get(call.tool());
        if !tool.is_some_and(|tool| tool.spec().is_serial()) {
            rows.push(vec![(at, call)]);
            continue;
        }
        let row = *serial.entry(call.tool().to_owned()).or_insert(rows.len());
        if row == rows.len() {
            rows.push(Vec::new());
        }
        rows[row].push((at, call));
    }
    rows
}
