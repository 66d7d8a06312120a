//! Rules that no call can reach, because an earlier one decides whatever they would match.

use super::rule::{Conditions, Rule};

/// The earlier rule that leaves nothing to a later one.
pub(super) fn shadow<'a>(earlier: &'a [Rule], later: &Conditions) -> Option<&'a Rule> {
    earlier.iter().find(|rule| covers(&rule.conditions, later))
}

/// Whether the wide conditions hold wherever the narrow ones do. It may miss some, and is never wrong.
fn covers(wide: &Conditions, narrow: &Conditions) -> bool {
    let scope = match (&wide.scope, &narrow.scope) {
        (None, _) => true,
        (Some(wide), None) => wide.iter().any(|pattern| pattern.is_everything()),
        (Some(wide), Some(narrow)) => narrow
            .iter()
            .all(|narrow| wide.iter().any(|wide| wide.covers(narrow))),
    };
    let arguments = wide
        .arguments
        .iter()
        .all(|test| narrow.arguments.contains(test));
    let first_in_run = wide.first_in_run.is_none() || wide.first_in_run == narrow.first_in_run;
    scope
        && arguments
        && first_in_run
        && among(wide.tool.as_deref(), narrow.tool.as_deref())
        && among(wide.effect.as_deref(), narrow.effect.as_deref())
        && among(wide.principal.as_deref(), narrow.principal.as_deref())
}

fn among<T: PartialEq>(wide: Option<&[T]>, narrow: Option<&[T]>) -> bool {
    match (wide, narrow) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(wide), Some(narrow)) => narrow.iter().all(|value| wide.contains(value)),
    }
}
