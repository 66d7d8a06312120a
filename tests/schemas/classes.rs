//! The classes of arguments that a schema takes and a tool refuses. `docs/schemas.md` lists them by these names.

/// Each class: its name, and what the refusals of its calls say.
const CLASSES: [(&str, &[&str]); 3] = [
    (
        "a name of an entry that the type cannot read",
        &["found another key"],
    ),
    (
        "a text that the type cannot read",
        &[
            "expected a date",
            "expected an instant",
            "invalid IPv4 address syntax",
            "fixed-point number, found another value: a string",
        ],
    ),
    (
        "a number that the type cannot hold",
        &[
            "expected u",
            "expected i",
            "fixed-point number, found",
            "overflow deserializing Duration",
        ],
    ),
];

/// The names of the classes, in order.
pub(crate) fn named() -> Vec<&'static str> {
    let mut names = CLASSES.map(|(name, _)| name).to_vec();
    names.sort_unstable();
    names
}

/// The class of a refusal.
pub(crate) fn class_of(refusal: &str) -> Option<&'static str> {
    let says = |words: &&[&str]| words.iter().any(|word| refusal.contains(word));
    CLASSES
        .iter()
        .find(|(_, words)| says(words))
        .map(|(name, _)| *name)
}

/// Every class stands in the page, and the page names no other.
#[test]
fn the_page_lists_the_classes() {
    let page = include_str!("../../docs/schemas.md");
    let (_, rest) = page
        .split_once("## What a schema takes and a tool refuses")
        .expect("the section is there");
    let section = rest.split("\n## ").next().unwrap_or_default();
    let rows = section
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let named: Vec<_> = rows
        .skip(1)
        .filter(|cell| !cell.starts_with("---"))
        .collect();
    assert_eq!(named, CLASSES.map(|(name, _)| name));
}
