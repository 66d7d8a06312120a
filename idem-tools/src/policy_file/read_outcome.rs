//! From TOML to what a rule decides.

use super::read::{Key, Reader, Value};
use super::read_rule::principals;
use super::rule::Outcome;
use crate::policy::Asking;
use idem_core::approval::{EXPIRES_IN, EXPIRES_IN_MAX};
use std::time::Duration;
use toml::de::DeTable;

const ASK_KEYS: [&str; 3] = ["approvers", "requester_may_decide", "expires_in"];
const OUTCOME_FORM: &str =
    "`allow = true`, `deny = \"why, for the model\"` or `ask = \"why, for the approver\"`";
const EXPIRES_FORM: &str =
    "`expires_in = \"3d\"`: digits and one of `s m h d`, 1 minute to 30 days";

/// The shortest time in which a person can be asked to decide.
const EXPIRES_IN_MIN: Duration = Duration::from_secs(60);

/// The one outcome of a rule.
pub(super) fn outcome<'t>(
    reader: &mut Reader<'t>,
    table: &DeTable<'t>,
    start: usize,
) -> Option<Outcome> {
    let mut written: Vec<(&Key<'_>, &Value<'t>)> = ["allow", "deny", "ask"]
        .iter()
        .filter_map(|key| table.get_key_value(*key))
        .collect();
    written.sort_by_key(|(key, _)| key.span().start);
    if let Some((second, _)) = written.get(1) {
        let message = format!("a rule decides one thing: keep one of {OUTCOME_FORM}");
        reader.fault(second.span().start, message);
        return None;
    }
    let Some((key, value)) = written.first() else {
        reader.fault(
            start,
            format!("this rule decides nothing: write {OUTCOME_FORM}"),
        );
        return None;
    };
    if key.get_ref() == "ask" {
        return asking(reader, table, value).map(Outcome::Ask);
    }
    for key in ASK_KEYS.iter().filter_map(|key| table.get_key_value(*key)) {
        let message = format!("`{}` goes with `ask` only: remove it", key.0.get_ref());
        reader.fault(key.0.span().start, message);
    }
    if key.get_ref() == "deny" {
        return reader.line_of_text(value, OUTCOME_FORM).map(Outcome::Deny);
    }
    if reader.boolean(value, OUTCOME_FORM)? {
        return Some(Outcome::Allow);
    }
    let message = format!("`allow` is only ever `true`: write {OUTCOME_FORM}");
    reader.fault(value.span().start, message);
    None
}

fn asking<'t>(reader: &mut Reader<'t>, table: &DeTable<'t>, rule: &Value<'t>) -> Option<Asking> {
    let rule = reader.line_of_text(rule, OUTCOME_FORM);
    let named = table
        .get("approvers")
        .and_then(|value| principals(reader, value));
    let requester_may_decide = table.get("requester_may_decide").and_then(|value| {
        let form = "`requester_may_decide = true`, or nothing: whoever asks does not decide";
        reader.boolean(value, form)
    });
    let expires_in = table.get("expires_in").and_then(|value| {
        let time = duration(reader.string(value, EXPIRES_FORM)?);
        reader.noted(value, time, "this is no time to decide in", EXPIRES_FORM)
    });
    let mut asking = Asking::because(rule?);
    asking.approvers.named = named;
    asking.approvers.requester_may_decide = requester_may_decide.unwrap_or(false);
    asking.expires_in = expires_in.unwrap_or(EXPIRES_IN);
    Some(asking)
}

fn duration(text: &str) -> Option<Duration> {
    let unit_s = match text.bytes().last()? {
        b's' => 1,
        b'm' => 60,
        b'h' => 3_600,
        b'd' => 86_400,
        _ => return None,
    };
    let digits = &text[..text.len() - 1];
    let formed = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = digits.parse::<u64>().ok().filter(|_| formed)?;
    let time = Duration::from_secs(seconds.checked_mul(unit_s)?);
    (EXPIRES_IN_MIN..=EXPIRES_IN_MAX)
        .contains(&time)
        .then_some(time)
}
