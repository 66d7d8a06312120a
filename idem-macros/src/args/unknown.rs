//! What an option that is not one is answered with: why it is missing, or what was meant.

use syn::Ident;

/// The options there are.
pub(super) const KNOWN: [&str; 14] = [
    "scope",
    "timeout_s",
    "name",
    "effect",
    "vendor_window",
    "marks_dispatch",
    "approval",
    "reconcile",
    "key",
    "natural_key",
    "intent",
    "on_repeat",
    "serial",
    "crate",
];

/// How many letters a typing slip may cost before the guess is worth nothing.
const SLIP_LETTERS_MAX: usize = 2;

/// The message for an option that is not known.
pub(super) fn message(option: &Ident) -> String {
    let name = option.to_string();
    if let Some(reason) = reason(&name) {
        return reason;
    }
    match nearest(&name) {
        Some(meant) => format!("unknown option `{name}`: did you mean `{meant}`?"),
        None => format!(
            "unknown option `{name}`: the options are `{}`",
            KNOWN.join("`, `")
        ),
    }
}

/// Options that people look for, and those of later versions, each with its own answer.
fn reason(name: &str) -> Option<String> {
    let instead = match name {
        "retention" | "retain" | "retain_until" | "ttl" => {
            return Some(format!(
                "there is no `{name}`: retention is a constant of the scope, and every tool scope \
                 keeps its answer 30 days. \
                 A shorter one would forget an effect that a run already made; remove the option"
            ));
        }
        "description" | "about" => {
            return Some(format!(
                "there is no `{name}`: what the model is told is the doc comment, \
                 `/// Send an e-mail.`, above the function"
            ));
        }
        "journal" => "every answer is recorded",
        _ => return None,
    };
    Some(format!(
        "`{name}` is not supported yet: {instead}; remove the option"
    ))
}

/// The known option that `name` most likely stands for.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let affix = |known: &&str| name.len() >= 4 && (known.contains(name) || name.contains(*known));
    let stem = |known: &&str| {
        known
            .strip_suffix("_s")
            .is_some_and(|stem| name.starts_with(stem))
    };
    let close = |known: &&str| distance(name, known) <= SLIP_LETTERS_MAX.min(known.len() / 2);
    KNOWN
        .iter()
        .copied()
        .filter(|known| affix(known) || stem(known) || close(known))
        .min_by_key(|known| distance(name, known))
}

/// Levenshtein's distance between two short words.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, left_byte) in left.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, right_byte) in right.bytes().enumerate() {
            let replaced = diagonal + usize::from(left_byte != right_byte);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}
