//! `idem approvals approve`, `deny` and `edit`.

use super::approvals::not_found;
use super::paper::object;
use super::{CliError, Exit, Report, card, card_json};
use idem_core::approval::render::is_hidden;
use idem_core::approval::table::CardState;
use idem_core::approval::{
    Approval, ApprovalDesk, ApprovalId, Decided, DecisionRequest, EditRequest, REASON_BYTES_MAX,
    Verdict,
};
use idem_core::identity::ShownHash;
use idem_core::json::{Json, Limits};
use idem_core::{Principal, RepositoryError};
use std::str::FromStr;
use time::OffsetDateTime;

/// The fewest digits that name what was seen: 48 bits.
const DIGITS_MIN: usize = 12;

/// What an approver saw, by its hash or the hash's first digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenHash(String);

/// Why a text names nothing that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hash of what was seen is 64 hexadecimal digits, or its first {DIGITS_MIN} or more")]
pub struct SeenHashError;

impl FromStr for SeenHash {
    type Err = SeenHashError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.chars().all(|c| c.is_ascii_hexdigit());
        if !digits || !(DIGITS_MIN..=64).contains(&text.len()) {
            return Err(SeenHashError);
        }
        Ok(Self(text.to_ascii_lowercase()))
    }
}

impl From<ShownHash> for SeenHash {
    fn from(hash: ShownHash) -> Self {
        Self(hash.to_string())
    }
}

impl SeenHash {
    /// The card's hash, where this is it or its beginning.
    fn of(&self, card: &Approval) -> Option<ShownHash> {
        let hash = card.effective.shown_hash;
        hash.to_string().starts_with(&self.0).then_some(hash)
    }
}

/// Who decides which card, and what they saw of it.
#[derive(Clone, Debug)]
pub struct Deciding {
    /// The card.
    pub id: ApprovalId,
    /// Who.
    pub by: Principal,
    /// What they saw.
    pub seen: SeenHash,
}

/// Says yes. `now` is the store's clock.
///
/// # Errors
///
/// [`RepositoryError`].
///
/// # Cancel safety
///
/// It is decided or it is not.
pub async fn approve(
    desk: &ApprovalDesk,
    deciding: &Deciding,
    now: OffsetDateTime,
) -> Result<Report, RepositoryError> {
    decide(desk, deciding, Verdict::Approve, now).await
}

/// Says no, with a reason that the model is told. `now` is the store's clock.
///
/// # Errors
///
/// [`CliError::Usage`] for a reason that says nothing or is longer than [`REASON_BYTES_MAX`], [`CliError::Store`].
///
/// # Cancel safety
///
/// It is decided or it is not.
pub async fn deny(
    desk: &ApprovalDesk,
    deciding: &Deciding,
    reason: &str,
    now: OffsetDateTime,
) -> Result<Report, CliError> {
    if reason.chars().all(|c| c.is_whitespace() || is_hidden(c)) {
        return Err(CliError::Usage(
            "the reason says nothing, and the model is told it".to_owned(),
        ));
    }
    let reason = within_bound("reason", reason)?.to_owned();
    Ok(decide(desk, deciding, Verdict::Deny { reason }, now).await?)
}

/// A person's sentence as it is kept: whole, or refused with the bound.
pub(super) fn within_bound<'a>(what: &str, text: &'a str) -> Result<&'a str, CliError> {
    if text.len() <= REASON_BYTES_MAX {
        return Ok(text);
    }
    Err(CliError::Usage(format!(
        "the {what} has {} bytes, and at most {REASON_BYTES_MAX} are kept",
        text.len()
    )))
}

async fn decide(
    desk: &ApprovalDesk,
    deciding: &Deciding,
    verdict: Verdict,
    now: OffsetDateTime,
) -> Result<Report, RepositoryError> {
    let word = match verdict {
        Verdict::Approve => {
            "Approved: the call runs when it is made again, as shown and no other way."
        }
        Verdict::Deny { .. } => "Denied: the call does not run, and the model is told why.",
    };
    let shown_hash = match look(desk, deciding).await? {
        Ok(shown_hash) => shown_hash,
        Err(decided) => return Ok(report(deciding.id, decided, word, now)),
    };
    let request = DecisionRequest {
        id: deciding.id,
        shown_hash,
        by: deciding.by.clone(),
        verdict,
    };
    let decided = desk.decide(&request).await?;
    Ok(report(deciding.id, decided, word, now))
}

/// Asks for other arguments, all of them, as JSON text. `now` is the store's clock.
///
/// # Errors
///
/// [`CliError::Usage`] for a text that is no JSON object, [`CliError::Store`].
///
/// # Cancel safety
///
/// It is written or it is not.
pub async fn edit(
    desk: &ApprovalDesk,
    deciding: &Deciding,
    arguments: &str,
    now: OffsetDateTime,
) -> Result<Report, CliError> {
    // Without the line breaks and the indentation of a file: they are no part of the arguments.
    let arguments = match Json::parse(arguments, Limits::ARGUMENTS) {
        Ok(object @ Json::Object(_)) => object.to_text(),
        Ok(_) => {
            return Err(CliError::Usage(
                "the arguments of a call are a JSON object".to_owned(),
            ));
        }
        Err(error) => {
            return Err(CliError::Usage(format!(
                "the arguments are no JSON: {error}"
            )));
        }
    };
    let word = "The edit is stored and not approved. A worker checks it when the call is made again; then look at the \
                approval anew, and approve what it shows by its new hash.";
    let shown_hash = match look(desk, deciding).await? {
        Ok(shown_hash) => shown_hash,
        Err(decided) => return Ok(report(deciding.id, decided, word, now)),
    };
    let request = EditRequest {
        shown_hash,
        by: deciding.by.clone(),
        arguments,
    };
    let decided = desk.edit(deciding.id, &request).await?;
    Ok(report(deciding.id, decided, word, now))
}

/// The whole hash of what was seen, or why it is not what the card shows. The statement that decides compares it again.
async fn look(
    desk: &ApprovalDesk,
    deciding: &Deciding,
) -> Result<Result<ShownHash, Decided>, RepositoryError> {
    let Some(card) = desk.show(deciding.id).await? else {
        return Ok(Err(Decided::NotFound));
    };
    if CardState::of(Some(&card)) != CardState::Open {
        return Ok(Err(Decided::Stands(Box::new(card))));
    }
    Ok(match deciding.seen.of(&card) {
        Some(hash) => Ok(hash),
        None => Err(Decided::ShowsOther(Box::new(card))),
    })
}

/// What came of it, in words.
fn report(id: ApprovalId, decided: Decided, done_word: &str, now: OffsetDateTime) -> Report {
    let (outcome, text, card) = match decided {
        Decided::Done(card) => ("done", format!("{done_word}\n"), card),
        Decided::Stands(card) => (
            "stands",
            format!(
                "Nothing was changed: {id} is {}.\n",
                card::standing(&card, now)
            ),
            card,
        ),
        Decided::ShowsOther(card) => (
            "shows_other",
            format!(
                "Nothing was changed: {id} shows something else than what was seen; look again: \
                 idem approvals show {id}\n"
            ),
            card,
        ),
        Decided::NotAllowed(card) => (
            "not_allowed",
            format!(
                "Nothing was changed: the rule of {id} does not let this person decide; idem approvals show {id} \
                 says who may.\n"
            ),
            card,
        ),
        Decided::Contradictory(card) => (
            "contradictory",
            format!("Nothing was changed: {id} was approved and denied at once.\n"),
            card,
        ),
        _ => return not_found(id),
    };
    let exit = if outcome == "done" {
        Exit::Done
    } else {
        Exit::Refused
    };
    let json = object([
        ("outcome", Json::from(outcome)),
        ("approval", card_json::json(&card)),
    ]);
    Report { exit, text, json }
}
