//! A card as a person reads it.

use super::paper::{facts, indented, instant, safe, span};
use idem_core::approval::Approval;
use idem_core::approval::render::{Rendered, arguments, changes};
use idem_core::approval::table::CardState;
use std::fmt::Write as _;
use time::OffsetDateTime;

/// How many digits of a hash are printed for a person to copy.
const SHORT: usize = 16;

/// The word for a card's state: the core's own, so that no state is without one.
pub(super) fn word(card: &Approval) -> &'static str {
    match CardState::of(Some(card)) {
        CardState::Spent => "done",
        state => state.words(),
    }
}

/// The beginning of the shown hash.
pub(super) fn short_hash(card: &Approval) -> String {
    format!("{:.SHORT$}", card.effective.shown_hash)
}

/// The whole card. `replaced` is the card that it supersedes, where that is still kept.
pub(super) fn text(card: &Approval, replaced: Option<&Approval>, now: OffsetDateTime) -> String {
    let mut out = format!("Approval {}: {}\n\n", card.id, standing(card, now));
    out.push_str(&facts(&[
        (
            "tool",
            format!("{} ({})", safe(&card.tool), safe(&card.effect)),
        ),
        ("scope", safe(&card.scope)),
        ("on behalf of", safe(&card.principal)),
        (
            "run",
            format!("{}, turn {}", safe(&card.run), safe(&card.turn)),
        ),
        ("key", format!("{:.SHORT$}", card.effective.key)),
        ("asked", ago(card.asked_at, now)),
        ("because", safe(&card.rule)),
        ("may decide", may_decide(card)),
    ]));
    let shown = arguments(&card.effective.input);
    let heading = match CardState::of(Some(card)) {
        CardState::Open => "This will run, if somebody approves it",
        CardState::Approved => "This will run",
        CardState::Spent => "This was made",
        _ => "This was asked",
    };
    let _ = writeln!(out, "\n{heading}:\n");
    out.push_str(&indented(&shown.text));
    warn(&mut out, &shown);
    if card.is_edited() {
        edited(&mut out, card);
    }
    if let Some(asked) = &card.edit_request {
        let by = card
            .edit_requested_by
            .as_deref()
            .map_or_else(String::new, safe);
        let _ = writeln!(
            out,
            "\n{by} asked for these arguments instead; no worker has checked them yet:\n"
        );
        let asked = arguments(asked);
        out.push_str(&indented(&asked.text));
        warn(&mut out, &asked);
    }
    if let Some(why) = &card.edit_refusal {
        let _ = writeln!(out, "\nThe last edit cannot run: {}", safe(why));
    }
    if let Some(reason) = &card.earlier_denial {
        let _ = writeln!(
            out,
            "\nAn earlier call under the same key was denied: {}",
            safe(reason)
        );
    }
    replaces(&mut out, card, replaced);
    let _ = writeln!(out, "\nHash of what is shown: {}", short_hash(card));
    out
}

/// The state in words: who decided, when, and why.
pub(super) fn standing(card: &Approval, now: OffsetDateTime) -> String {
    let decided = |how: &str| {
        let by = card
            .decided_by
            .as_deref()
            .map_or_else(|| "somebody".to_owned(), safe);
        let at = card
            .decided_at
            .map_or_else(String::new, |at| format!(", {}", ago(at, now)));
        format!("{how} by {by}{at}")
    };
    let because = || match card.reason.as_deref() {
        Some(reason) if !reason.is_empty() => format!(": {}", safe(reason)),
        _ => String::new(),
    };
    match CardState::of(Some(card)) {
        CardState::Open => format!("open, expires in {}", span(now, card.expires_at)),
        CardState::Approved => decided("approved"),
        CardState::Spent => format!("{}; the call has its answer", decided("approved")),
        CardState::Denied => format!("{}{}", decided("denied"), because()),
        CardState::Withdrawn => format!("taken back{}", because()),
        CardState::Expired => format!("expired {}", ago(card.expires_at, now)),
        CardState::RanOut => format!(
            "{}; its time ran out {}, before the call had an answer",
            decided("approved"),
            ago(card.expires_at, now)
        ),
        state => state.words().to_owned(),
    }
}

fn ago(at: OffsetDateTime, now: OffsetDateTime) -> String {
    format!("{} ago ({})", span(at, now), instant(at))
}

fn may_decide(card: &Approval) -> String {
    let requester = safe(&card.principal);
    match (&card.approvers, card.requester_may_decide) {
        (None, true) => "anybody".to_owned(),
        (None, false) => format!("anybody but {requester}"),
        (Some(named), requester_may) => {
            let may = |name: &&String| requester_may || **name != card.principal;
            let named: Vec<_> = named.iter().filter(may).map(|name| safe(name)).collect();
            if named.is_empty() {
                return "nobody".to_owned();
            }
            named.join(", ")
        }
    }
}

fn warn(out: &mut String, shown: &Rendered) {
    let count = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 character {one}")),
        _ => Some(format!("{count} characters {many}")),
    };
    let hidden = count(shown.hidden, "that cannot be seen", "that cannot be seen");
    let imitating = count(
        shown.imitating,
        "that looks like another",
        "that look like others",
    );
    let found: Vec<_> = hidden.into_iter().chain(imitating).collect();
    if !found.is_empty() {
        let _ = writeln!(
            out,
            "\nCareful: it holds {}; each is marked ⟨…⟩.",
            found.join(" and ")
        );
    }
}

fn edited(out: &mut String, card: &Approval) {
    let by = card.edited_by();
    let _ = match by {
        Some(by) => writeln!(out, "\n{} changed what the model proposed:\n", safe(by)),
        None => writeln!(out, "\nWhat the model proposed was changed:\n"),
    };
    differences(out, &card.proposed.input, &card.effective.input);
    if card.proposed.key != card.effective.key {
        out.push_str("\nWith these arguments it is another call: it has another key.\n");
    }
}

fn replaces(out: &mut String, card: &Approval, replaced: Option<&Approval>) {
    let Some(id) = card.supersedes else {
        return;
    };
    match replaced {
        Some(old) if old.effective.input != card.proposed.input => {
            let _ = writeln!(out, "\nIt replaces {id} ({}), which differed:\n", word(old));
            differences(out, &old.effective.input, &card.proposed.input);
        }
        Some(old) => {
            let _ = writeln!(
                out,
                "\nIt replaces {id} ({}), which showed the same.",
                word(old)
            );
        }
        None => {
            let _ = writeln!(out, "\nIt replaces {id}, which is no longer kept.");
        }
    }
}

fn differences(out: &mut String, before: &str, after: &str) {
    for change in changes(before, after) {
        let side = |side: &Option<Rendered>| match side {
            Some(shown) => shown.text.clone(),
            None => "(nothing)".to_owned(),
        };
        let path = if change.path.text.is_empty() {
            "/"
        } else {
            &change.path.text
        };
        let lines = format!(
            "{path}\n- {}\n+ {}",
            side(&change.before),
            side(&change.after)
        );
        out.push_str(&indented(&lines));
    }
}
