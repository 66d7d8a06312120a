//! `idem approvals list` and `show`.

use super::paper::{object, safe, span, table};
use super::{Exit, Report};
use super::{card, card_json};
use idem_core::RepositoryError;
use idem_core::approval::table::CardState;
use idem_core::approval::{Approval, ApprovalDesk, ApprovalId, CardFilter};
use idem_core::json::Json;
use time::OffsetDateTime;

/// Lists cards. `now` is the store's clock.
///
/// # Errors
///
/// [`RepositoryError`].
pub async fn list(
    desk: &ApprovalDesk,
    filter: &CardFilter,
    now: OffsetDateTime,
) -> Result<Report, RepositoryError> {
    let cards = desk.list(filter).await?;
    let rows: Vec<_> = cards.iter().map(|card| row(card, now)).collect();
    let head = [
        "ID",
        "AGE",
        "SCOPE",
        "TOOL",
        "ON BEHALF OF",
        "EXPIRES IN",
        "STATUS",
    ];
    let mut text = if cards.is_empty() {
        "Nothing waits for a decision.\n".to_owned()
    } else {
        table(&head, &rows)
    };
    if filter.all && cards.is_empty() {
        text = "There are no approvals.\n".to_owned();
    }
    let full = cards.len() >= filter.rows_max as usize;
    if full {
        text.push_str("\nThere may be more: ask for more with --limit.\n");
    }
    let json = object([
        (
            "approvals",
            Json::Array(cards.iter().map(card_json::json).collect()),
        ),
        ("limit_reached", Json::from(full)),
    ]);
    Ok(done(text, json))
}

fn row(card: &Approval, now: OffsetDateTime) -> Vec<String> {
    let expires = match CardState::of(Some(card)) {
        CardState::Open | CardState::Approved => span(now, card.expires_at),
        _ => "-".to_owned(),
    };
    vec![
        card.id.to_string(),
        span(card.asked_at, now),
        safe(&card.scope),
        safe(&card.tool),
        safe(&card.principal),
        expires,
        card::word(card).to_owned(),
    ]
}

/// Shows a card. `now` is the store's clock.
///
/// # Errors
///
/// [`RepositoryError`].
pub async fn show(
    desk: &ApprovalDesk,
    id: ApprovalId,
    now: OffsetDateTime,
) -> Result<Report, RepositoryError> {
    match desk.show(id).await? {
        Some(card) => show_card(desk, &card, now).await,
        None => Ok(not_found(id)),
    }
}

/// Shows a card that was read already: what is printed and what is asked about are one and the same.
pub(super) async fn show_card(
    desk: &ApprovalDesk,
    card: &Approval,
    now: OffsetDateTime,
) -> Result<Report, RepositoryError> {
    let replaced = match card.supersedes {
        Some(old) => desk.show(old).await?,
        None => None,
    };
    let json = object([
        ("approval", card_json::json(card)),
        (
            "replaced",
            replaced.as_ref().map_or(Json::Null, card_json::json),
        ),
    ]);
    Ok(done(card::text(card, replaced.as_ref(), now), json))
}

pub(super) fn not_found(id: ApprovalId) -> Report {
    Report {
        exit: Exit::Refused,
        text: format!(
            "This organization has no approval {id}; idem approvals list --all lists what it has.\n"
        ),
        json: object([
            ("outcome", Json::from("not_found")),
            ("approval", Json::Null),
        ]),
    }
}

fn done(text: String, json: Json) -> Report {
    Report {
        exit: Exit::Done,
        text,
        json,
    }
}
