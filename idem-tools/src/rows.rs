//! Which calls of one response may run side by side.

use crate::call::ProposedCall;
use crate::tool_set::ToolSet;
use std::collections::HashMap;

/// Calls that run one after the other, each with its place in the response.
pub(crate) type Row<T> = Vec<(usize, T)>;

/// What may run side by side: each call alone, and all those of one serial tool behind each other, in their order.
pub(crate) fn rows<T: AsRef<ProposedCall>>(tools: &ToolSet, calls: Vec<(usize, T)>) -> Vec<Row<T>> {
    let mut rows: Vec<Row<T>> = Vec::with_capacity(calls.len());
    let mut serial: HashMap<String, usize> = HashMap::new();
    for (at, call) in calls {
        let name = call.as_ref().tool();
        let tool = tools.get(name);
        if !tool.is_some_and(|tool| tool.spec().is_serial()) {
            rows.push(vec![(at, call)]);
            continue;
        }
        let row = *serial.entry(name.to_owned()).or_insert(rows.len());
        if row == rows.len() {
            rows.push(Vec::new());
        }
        rows[row].push((at, call));
    }
    rows
}
