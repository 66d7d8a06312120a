//! Rules that no call can reach, because an earlier one decides whatever they would match.

use super::argument::{ArgumentTest, Asks, Plain};
use super::decimal::Decimal;
use super::rule::{Conditions, Rule};
use crate::spec::EFFECT_WORDS;

/// The earlier rules that leave nothing to a later one: one of them, or two that differ by whether it is the first use.
/// Others together may leave nothing too, and are not looked for.
pub(super) fn shadow<'a>(earlier: &'a [Rule], later: &Conditions) -> Option<Vec<&'a Rule>> {
    let mut halves = [None, None];
    for rule in earlier {
        if !covers(&rule.conditions, later) {
            continue;
        }
        match rule.conditions.first_in_run {
            Some(first) if later.first_in_run != Some(first) => {
                halves[usize::from(first)].get_or_insert(rule);
            }
            _ => return Some(vec![rule]),
        }
    }
    match halves {
        [Some(later), Some(first)] => Some(vec![first, later]),
        _ => None,
    }
}

/// Whether the wide conditions hold wherever the narrow ones do, the first use in a run aside. It may miss some, and is
/// never wrong.
fn covers(wide: &Conditions, narrow: &Conditions) -> bool {
    let scope = match (&wide.scope, &narrow.scope) {
        (None, _) => true,
        (Some(wide), None) => wide.iter().any(|pattern| pattern.is_everything()),
        (Some(wide), Some(narrow)) => narrow
            .iter()
            .all(|narrow| wide.iter().any(|wide| wide.covers(narrow))),
    };
    let every_effect = wide
        .effect
        .as_ref()
        .is_some_and(|wide| EFFECT_WORDS.iter().all(|word| wide.contains(word)));
    scope
        && wide
            .arguments
            .iter()
            .all(|test| follows(test, &narrow.arguments))
        && (every_effect || among(wide.effect.as_deref(), narrow.effect.as_deref()))
        && among(wide.tool.as_deref(), narrow.tool.as_deref())
        && among(wide.principal.as_deref(), narrow.principal.as_deref())
}

/// Whether a test holds wherever these do. The tests of one element say the same of some and of all of a list.
fn follows(wide: &ArgumentTest, narrow: &[ArgumentTest]) -> bool {
    narrow
        .iter()
        .any(|narrow| narrow.path == wide.path && implies(&narrow.asks, &wide.asks))
}

/// Whether every value that passes the narrow test passes the wide one.
fn implies(narrow: &Asks, wide: &Asks) -> bool {
    match (narrow.missing, wide.missing) {
        // Every test but this one says no to what is missing.
        (missing, Some(false)) => missing != Some(true),
        (Some(true), wide) => wide == Some(true),
        (_, Some(true)) => false,
        (Some(false), None) => false,
        (None, None) => {
            let one_of = wide.one_of.as_ref().is_none_or(|wide| {
                values(narrow).is_some_and(|values| values.iter().all(|value| wide.contains(value)))
            });
            let over = wide.over.as_ref().is_none_or(|wide| {
                narrow.over.as_ref().is_some_and(|narrow| narrow >= wide)
                    || all_numbers(narrow, |number| number > wide)
            });
            let under = wide.under.as_ref().is_none_or(|wide| {
                narrow.under.as_ref().is_some_and(|narrow| narrow <= wide)
                    || all_numbers(narrow, |number| number < wide)
            });
            one_of && over && under
        }
    }
}

fn all_numbers(asks: &Asks, holds: impl Fn(&Decimal) -> bool) -> bool {
    values(asks).is_some_and(|values| {
        values
            .iter()
            .all(|value| matches!(value, Plain::Number(number) if holds(number)))
    })
}

/// The values that pass, where they are named: those inside the limits beside them.
fn values(asks: &Asks) -> Option<Vec<&Plain>> {
    let inside = |value: &&Plain| match value {
        Plain::Number(number) => {
            asks.over.as_ref().is_none_or(|over| number > over)
                && asks.under.as_ref().is_none_or(|under| number < under)
        }
        // A text or a truth beside a limit cannot be tested.
        _ => asks.over.is_none() && asks.under.is_none(),
    };
    Some(asks.one_of.as_ref()?.iter().filter(inside).collect())
}

fn among<T: PartialEq>(wide: Option<&[T]>, narrow: Option<&[T]>) -> bool {
    match (wide, narrow) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(wide), Some(narrow)) => narrow.iter().all(|value| wide.contains(value)),
    }
}
