//! The references of a schema: where they lead, and which of them come back to where they started.

use super::source::ROOT;
use idem_core::json::{Json, Map};
use std::collections::{BTreeMap, BTreeSet};

/// Where the references of one schema lead.
pub(super) struct References<'s> {
    targets: BTreeMap<String, &'s Json>,
    /// Those that lead back to themselves, under a name that none of the others has.
    names: BTreeMap<String, String>,
}

impl<'s> References<'s> {
    pub(super) fn of(root: &'s Json) -> Self {
        let mut targets = BTreeMap::new();
        let mut open = referred(root);
        while let Some(reference) = open.pop() {
            if !targets.contains_key(&reference)
                && let Some(target) = find(root, &reference)
            {
                open.extend(referred(target));
                targets.insert(reference, target);
            }
        }
        let mut names = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for (reference, target) in &targets {
            if reaches(target, reference, &targets) {
                let name = free_name(reference, &mut taken);
                names.insert(reference.clone(), name);
            }
        }
        Self { targets, names }
    }

    pub(super) fn find(&self, reference: &str) -> Option<&'s Json> {
        self.targets.get(reference).copied()
    }

    /// The name of a type that holds itself.
    pub(super) fn name(&self, reference: &str) -> Option<&str> {
        self.names.get(reference).map(String::as_str)
    }

    /// The types that hold themselves.
    pub(super) fn recursive(&self) -> impl Iterator<Item = (&String, &'s Json)> {
        let found = self.names.iter();
        found.filter_map(|(reference, name)| Some((name, *self.targets.get(reference)?)))
    }
}

/// A definition under the words that stand beside its reference.
pub(super) fn described(definition: &Json, beside: &Map) -> Json {
    let mut words = match definition {
        Json::Object(words) => words.clone(),
        Json::Bool(true) => Map::new(),
        other => return other.clone(),
    };
    for (word, value) in beside {
        words.insert(word, value.clone());
    }
    Json::Object(words)
}

fn find<'s>(root: &'s Json, reference: &str) -> Option<&'s Json> {
    let pointer = reference.strip_prefix(ROOT)?;
    let mut found = root;
    for step in pointer.split('/').skip(1) {
        found = found.get(&step.replace("~1", "/").replace("~0", "~"))?;
    }
    Some(found)
}

/// Whether a definition holds this reference, in itself or in one that it refers to.
fn reaches(target: &Json, reference: &str, targets: &BTreeMap<String, &Json>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = referred(target);
    while let Some(next) = open.pop() {
        if next == reference {
            return true;
        }
        if let Some(target) = targets.get(&next)
            && seen.insert(next)
        {
            open.extend(referred(target));
        }
    }
    false
}

fn free_name(reference: &str, taken: &mut BTreeSet<String>) -> String {
    if reference == ROOT {
        return ROOT.to_owned();
    }
    let last = reference.rsplit('/').next().unwrap_or(reference);
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let base = last.replace(|letter| !plain(letter), "_");
    let mut name = base.clone();
    let mut number = 2_usize;
    while !taken.insert(name.clone()) {
        name = format!("{base}{number}");
        number += 1;
    }
    name
}

/// The references that stand in a schema. Definitions are not part of it, and a property may be called `$ref`.
fn referred(schema: &Json) -> Vec<String> {
    let mut found = Vec::new();
    collect(schema, false, &mut found);
    found
}

fn collect(json: &Json, names: bool, found: &mut Vec<String>) {
    match json {
        Json::Object(map) => {
            for (word, value) in map {
                match (word, value) {
                    _ if names => collect(value, false, found),
                    ("$ref", Json::String(reference)) => found.push(reference.clone()),
                    ("$defs" | "definitions" | "const" | "enum" | "default" | "examples", _) => {}
                    ("properties" | "patternProperties", _) => collect(value, true, found),
                    _ => collect(value, false, found),
                }
            }
        }
        Json::Array(items) => items.iter().for_each(|item| collect(item, false, found)),
        _ => {}
    }
}
