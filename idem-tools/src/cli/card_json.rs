//! A card as a program reads it.

use super::card::word;
use super::paper::{json_instant, maybe, object};
use idem_core::approval::render::arguments;
use idem_core::approval::{Approval, Proposal};
use idem_core::json::{Json, Limits};

/// The card for a program: field names are stable.
pub(super) fn json(card: &Approval) -> Json {
    let may_decide = object([
        (
            "named",
            maybe(card.approvers.as_ref().map(|named| texts(named))),
        ),
        ("requester", Json::from(card.requester_may_decide)),
    ]);
    let shown = arguments(&card.effective.input);
    object([
        ("id", Json::from(card.id.to_string())),
        ("organization", Json::from(card.organization.to_string())),
        ("status", Json::from(word(card).replace(' ', "_"))),
        ("tool", Json::from(card.tool.as_str())),
        ("effect", Json::from(card.effect.as_str())),
        ("scope", Json::from(card.scope.as_str())),
        ("on_behalf_of", Json::from(card.principal.as_str())),
        ("run", Json::from(card.run.as_str())),
        ("turn", Json::from(card.turn.as_str())),
        ("rule", Json::from(card.rule.as_str())),
        ("may_decide", may_decide),
        ("asked_at", json_instant(card.asked_at)),
        ("expires_at", json_instant(card.expires_at)),
        ("shown", Json::from(shown.text)),
        ("hidden_characters", count(shown.hidden)),
        ("imitating_characters", count(shown.imitating)),
        ("edited", Json::from(card.is_edited())),
        ("proposed", proposal(&card.proposed)),
        ("effective", proposal(&card.effective)),
        ("edit_request", maybe(card.edit_request.clone())),
        ("edit_requested_by", maybe(card.edit_requested_by.clone())),
        ("edit_refusal", maybe(card.edit_refusal.clone())),
        (
            "supersedes",
            maybe(card.supersedes.map(|id| id.to_string())),
        ),
        ("earlier_denial", maybe(card.earlier_denial.clone())),
        (
            "decided_at",
            card.decided_at.map_or(Json::Null, json_instant),
        ),
        ("decided_by", maybe(card.decided_by.clone())),
        ("reason", maybe(card.reason.clone())),
        (
            "answered_at",
            card.spent_at.map_or(Json::Null, json_instant),
        ),
    ])
}

fn proposal(proposal: &Proposal) -> Json {
    // What cannot be read as JSON is still there as text.
    let parsed = Json::parse(&proposal.input, Limits::ANSWER).unwrap_or(Json::Null);
    object([
        ("key", Json::from(proposal.key.to_string())),
        ("shown_hash", Json::from(proposal.shown_hash.to_string())),
        ("arguments", parsed),
        ("arguments_text", Json::from(&*proposal.input)),
    ])
}

fn texts(texts: &[String]) -> Json {
    Json::Array(texts.iter().map(|text| Json::from(text.as_str())).collect())
}

fn count(count: usize) -> Json {
    Json::from(u64::try_from(count).unwrap_or(u64::MAX))
}
