//! The same thing said differently, as a model does that is asked again: other ids, another order of keys, another
//! spelling of numbers, other prose. What the arguments mean stays what it is.

use idem_tools::Json;

/// A call's id; as recorded at sampling 0.
pub(super) fn id(recorded: &str, sample: u32, at: u32) -> String {
    match sample {
        0 => recorded.to_owned(),
        _ => format!("call_{sample}_{at}"),
    }
}

/// The model's words beside its calls.
pub(super) fn prose(recorded: Option<&str>, sample: u32) -> Option<String> {
    match (recorded, sample) {
        (None, 0) => None,
        (Some(text), 0) => Some(text.to_owned()),
        (None, _) => Some(format!("One moment, please ({sample}).")),
        (Some(text), _) => Some(format!("In other words ({sample}): {text}")),
    }
}

/// The arguments; what is no JSON stays as it is.
pub(super) fn arguments(recorded: &str, sample: u32) -> String {
    match (sample, recorded.parse::<Json>()) {
        (0, _) | (_, Err(_)) => recorded.to_owned(),
        (_, Ok(json)) => spelled(&json, sample),
    }
}

fn spelled(json: &Json, sample: u32) -> String {
    match json {
        Json::Object(members) => {
            let mut written: Vec<String> = members
                .iter()
                .map(|(name, value)| {
                    format!("{}: {}", Json::from(name).to_text(), spelled(value, sample))
                })
                .collect();
            let first = usize::try_from(sample).unwrap_or(0) % written.len().max(1);
            written.rotate_left(first);
            if sample.is_multiple_of(2) {
                written.reverse();
            }
            format!("{{ {} }}", written.join(", "))
        }
        Json::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| spelled(item, sample)).collect();
            format!("[{}]", items.join(" , "))
        }
        Json::Number(_) => number(&json.to_text(), sample),
        _ => json.to_text(),
    }
}

fn number(text: &str, sample: u32) -> String {
    let is_whole = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-');
    match (is_whole, sample % 3) {
        (true, 1) => format!("{text}.0"),
        (true, 2) => format!("{text}e0"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_said_differently() {
        let recorded = r#"{"amount":50,"to":["a",{"b":7,"c":"5"}]}"#;
        assert_eq!(arguments(recorded, 0), recorded);
        let said: Vec<String> = (1..4).map(|sample| arguments(recorded, sample)).collect();
        for text in &said {
            let json: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(json["amount"].as_f64(), Some(50.0), "{text}");
            assert_eq!(json["to"][1]["c"], "5", "{text}");
        }
        assert_ne!(said[0], said[1]);
        assert_eq!(arguments("{", 3), "{");
    }
}
