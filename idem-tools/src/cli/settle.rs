//! `idem settle`.

use super::decide::within_bound;
use super::paper::{instant, json_instant, length, maybe, object, safe};
use super::{CliError, Exit, Report};
use crate::agent::tell_settled;
use crate::envelope;
use idem_core::inspection::{Inspected, Inspection, KeyPrefix};
use idem_core::json::Json;
use idem_core::runs::{RunDesk, RunError};
use idem_core::states::RowState;
use idem_core::{
    Answer, ClaimKey, IdempotencyService, OrganizationId, Origin, OutcomeKind, Principal,
    RepositoryError, Scope, Settled, Settlement, StoredAnswer,
};

/// What somebody found out about a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// The effect was made; this is what the tool would have answered.
    Happened(Json),
    /// It was not.
    DidNotHappen,
}

/// Writes down what was found out about a call whose outcome nobody knew. The note is for people: the model is not told.
///
/// # Errors
///
/// [`CliError::Usage`] for an answer that a row does not take, since it would be lost for ever, and for a note that is
/// longer than a reason may be; [`CliError::Store`].
///
/// # Cancel safety
///
/// It is written or it is not.
pub async fn settle(
    service: &IdempotencyService,
    (rows, runs): (&dyn Inspection, &RunDesk),
    (organization, scope, key): (OrganizationId, &Scope, &KeyPrefix),
    finding: &Finding,
    (by, note): (&Principal, Option<&str>),
) -> Result<Report, CliError> {
    let note = note.map(|note| within_bound("note", note)).transpose()?;
    let answer = answer(finding)?;
    let name = scope.as_str();
    let mut found = rows.find_keys(organization, key, Some(name), 2).await?;
    if found.len() > 1 {
        return Ok(refused(
            "ambiguous",
            "Several keys begin so: give more digits.",
        ));
    }
    let Some(row) = found.pop() else {
        return Ok(absent(scope));
    };
    let settlement = Settlement {
        happened: matches!(finding, Finding::Happened(_)),
        by: by.as_str().to_owned(),
        note: note.map(str::to_owned),
        answer,
    };
    let claim = ClaimKey::new(organization, scope.clone(), row.key);
    if let Some(stored) = service.settle(&claim, &settlement).await? {
        tell(runs, &claim, &stored.origin, stored.settled.as_ref()).await?;
        return Ok(settled(&claim, &settlement, &stored));
    }
    // Nothing was written: the row as it is now says why.
    let prefix = KeyPrefix::from(row.key);
    let now = rows.find_keys(organization, &prefix, Some(name), 1).await?;
    if let Some(row) = now.first() {
        // Whoever settled it may have had no time to tell the run.
        let record = &row.record;
        tell(runs, &claim, &record.origin, record.settled.as_ref()).await?;
    }
    Ok(match now.first() {
        Some(row) => why_not(row, scope),
        None => absent(scope),
    })
}

/// The news reaches the run that made the call, where a harness keeps it (R32).
async fn tell(
    runs: &RunDesk,
    claim: &ClaimKey,
    origin: &Origin,
    settled: Option<&Settled>,
) -> Result<(), RepositoryError> {
    let Some(settled) = settled else {
        return Ok(());
    };
    match tell_settled(runs, claim, origin, settled).await {
        Ok(_) => Ok(()),
        Err(RunError::Store(error)) => Err(error),
        Err(error) => Err(RepositoryError::Corrupt(error.to_string())),
    }
}

/// The answer as it is stored.
fn answer(finding: &Finding) -> Result<Answer, CliError> {
    let Finding::Happened(found) = finding else {
        return Ok(envelope::did_not_happen().answer);
    };
    let encoded = envelope::success(found.clone());
    match encoded.result {
        Ok(_) => Ok(encoded.answer),
        Err(failure) => Err(CliError::Usage(format!(
            "the answer cannot be stored: {}",
            failure.message
        ))),
    }
}

fn settled(claim: &ClaimKey, settlement: &Settlement, stored: &StoredAnswer) -> Report {
    let happened = settlement.happened;
    let what = if happened {
        "it happened"
    } else {
        "it did not happen"
    };
    // A row that was completed before keeps its first answer (R32).
    let first_kept = stored.response.as_ref() != settlement.answer.response();
    let then = match (happened, first_kept) {
        (true, true) => {
            "Repeats of the call keep their first answer, `outcome_unknown`, and say that it was settled."
        }
        (true, false) => "Repeats of the call get this answer.",
        (false, true) => {
            "Repeats of the call keep their first answer, `outcome_unknown`, and say that it was settled; nothing is \
             sent again under this key unless its caller reopens it."
        }
        (false, false) => {
            "Repeats of the call are told; nothing is sent again under this key unless its caller reopens it."
        }
    };
    let json = object([
        ("outcome", Json::from("settled")),
        ("key", Json::from(claim.key().to_string())),
        ("scope", Json::from(claim.scope().as_str())),
        ("happened", Json::from(happened)),
        ("by", Json::from(settlement.by.as_str())),
        (
            "at",
            stored
                .settled
                .as_ref()
                .map_or(Json::Null, |settled| json_instant(settled.at)),
        ),
        ("first_answer_kept", Json::from(first_kept)),
    ]);
    Report {
        exit: Exit::Done,
        text: format!("Settled: {what}. {then}\n"),
        json,
    }
}

fn why_not(row: &Inspected, scope: &Scope) -> Report {
    let record = &row.record;
    let state = RowState::of(Some(record));
    if state.is_live() {
        let left = length(record.lease_left);
        return refused(
            "live",
            &format!(
                "Attempt {} is at work, and its lease ends in {left}: ask it, or wait that long and settle then.",
                record.attempt
            ),
        );
    }
    if let Some(settled) = &record.settled {
        let what = if settled.happened {
            "it happened"
        } else {
            "it did not happen"
        };
        let by = settled
            .by
            .as_deref()
            .map_or_else(|| "somebody".to_owned(), safe);
        let at = instant(settled.at);
        let mut report = refused(
            "settled_before",
            &format!("It is settled: {what}, says {by}, {at}."),
        );
        report.json = object([
            ("outcome", Json::from("settled_before")),
            ("happened", Json::from(settled.happened)),
            ("by", maybe(settled.by.clone())),
            ("at", json_instant(settled.at)),
        ]);
        return report;
    }
    match record.outcome {
        Some(OutcomeKind::NotStored) => refused(
            "answered",
            "It is known to have happened; only its answer could not be stored.",
        ),
        Some(_) if record.kept => refused(
            "answered",
            "It has its answer, so there is nothing to settle; idem show KEY --values prints it.",
        ),
        _ => absent(scope),
    }
}

fn absent(scope: &Scope) -> Report {
    refused(
        "absent",
        &format!(
            "Nothing is kept under this key in {scope} for this organization: it was never claimed, was given up \
             without an effect, or is forgotten."
        ),
    )
}

fn refused(outcome: &str, text: &str) -> Report {
    Report {
        exit: Exit::Refused,
        text: format!("Nothing was changed. {text}\n"),
        json: object([("outcome", Json::from(outcome))]),
    }
}
