//! What differs between two calls, member by member.

use super::{Rendered, arguments, text};
use crate::json::{Json, Limits, Map};

/// One difference: a path, and the values on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where, as a JSON pointer; empty for the whole.
    pub path: Rendered,
    /// What was there; `None` where there was nothing.
    pub before: Option<Rendered>,
    /// What is there now; `None` where it is gone.
    pub after: Option<Rendered>,
}

/// What differs between two canonical texts, in the order in which they are laid out. A text that is no JSON differs
/// as a whole.
#[must_use]
pub fn changes(before: &str, after: &str) -> Vec<Change> {
    let mut found = Vec::new();
    if before == after {
        return found;
    }
    let parse = |text| Json::parse(text, Limits::ANSWER);
    match (parse(before), parse(after)) {
        (Ok(before), Ok(after)) => compare("", Some(&before), Some(&after), &mut found),
        _ => found.push(Change {
            path: Rendered::default(),
            before: Some(text(before)),
            after: Some(text(after)),
        }),
    }
    found
}

fn compare(path: &str, before: Option<&Json>, after: Option<&Json>, found: &mut Vec<Change>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Some(Json::Object(before)), Some(Json::Object(after))) => {
            for name in names(before, after) {
                let name_in_path = name.replace('~', "~0").replace('/', "~1");
                let path = format!("{path}/{name_in_path}");
                compare(&path, before.get(name), after.get(name), found);
            }
        }
        (Some(Json::Array(before)), Some(Json::Array(after))) => {
            for at in 0..before.len().max(after.len()) {
                let path = format!("{path}/{at}");
                compare(&path, before.get(at), after.get(at), found);
            }
        }
        _ => {
            let shown = |side: Option<&Json>| side.map(|json| arguments(&json.to_text()));
            found.push(Change {
                path: text(path),
                before: shown(before),
                after: shown(after),
            });
        }
    }
}

/// Every name of two objects, once: those of the first, then those that only the second has.
fn names<'a>(before: &'a Map, after: &'a Map) -> Vec<&'a str> {
    let own = before.iter().map(|(name, _)| name);
    let added = after.iter().map(|(name, _)| name);
    own.chain(added.filter(|name| !before.contains_key(name)))
        .collect()
}
