//! JSON for people and their version control: one member a line, keys in order, a line end at the end. The same value has
//! the same bytes (R67).

use idem_core::json::Json;

/// The document.
pub(super) fn document(json: &Json) -> String {
    let mut out = String::new();
    push(json, 0, &mut out);
    out.push('\n');
    out
}

fn push(json: &Json, depth: usize, out: &mut String) {
    match json {
        Json::Array(items) if !items.is_empty() => {
            let lines = items.iter().map(|item| (None, item));
            block(['[', ']'], lines, depth, out);
        }
        Json::Object(map) if !map.is_empty() => {
            let lines = map.into_iter().map(|(name, value)| (Some(name), value));
            block(['{', '}'], lines, depth, out);
        }
        other => out.push_str(&other.to_text()),
    }
}

fn block<'j>(
    [open, close]: [char; 2],
    lines: impl Iterator<Item = (Option<&'j str>, &'j Json)>,
    depth: usize,
    out: &mut String,
) {
    out.push(open);
    for (at, (name, value)) in lines.enumerate() {
        out.push_str(if at == 0 { "\n" } else { ",\n" });
        indent(depth + 1, out);
        if let Some(name) = name {
            out.push_str(&Json::from(name).to_text());
            out.push_str(": ");
        }
        push(value, depth + 1, out);
    }
    out.push('\n');
    indent(depth, out);
    out.push(close);
}

fn indent(depth: usize, out: &mut String) {
    for _ in 0..depth {
        out.push_str("  ");
    }
}
