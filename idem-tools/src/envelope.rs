//! How a tool's answer is written into the journal and read back, byte for byte (R17).
//!
//! `{"ok": value}` is a success, `{"error": {…}}` a failure. Whether a failure is the tool's own answer, an unknown
//! outcome or an answer that could not be kept is the row's `outcome_kind`.

use crate::ToolError;
use crate::call::{ToolFailure, codes};
use crate::error::shorten;
use idem_core::identity::digest_hex;
use idem_core::json::{Json, Limits, Map};
use idem_core::{Answer, AnswerError, OutcomeKind, RepositoryError, StoredAnswer};

/// An answer as it will be stored, and the result that the first caller gets from those very bytes.
pub(crate) struct Encoded {
    pub(crate) answer: Answer,
    pub(crate) result: Result<Json, ToolFailure>,
}

impl Encoded {
    /// The same, naming a resource as well. What was not stored as an answer names none.
    pub(crate) fn naming(mut self, resource: idem_core::Resource) -> Self {
        if self.answer.kind() == OutcomeKind::Answer {
            self.answer = self.answer.naming(resource);
        }
        self
    }
}

/// One level for the envelope around a value of the deepest kind.
const LIMITS: Limits = Limits {
    depth: Limits::ANSWER.depth + 2,
    bytes: idem_core::RESPONSE_BYTES_MAX,
};

pub(crate) fn success(value: Json) -> Encoded {
    let text = wrap("ok", value.clone()).to_text();
    match Answer::json(OutcomeKind::Answer, text.as_bytes()) {
        Ok(answer) => Encoded {
            answer,
            result: Ok(value),
        },
        Err(AnswerError::TooLarge { bytes }) => {
            let reason = format!(
                "it has {bytes} bytes, and a row takes {}",
                idem_core::RESPONSE_BYTES_MAX
            );
            not_stored(&reason, Some(&value.to_text()))
        }
        Err(error) => not_stored(&error.to_string(), None),
    }
}

pub(crate) fn failure(error: &ToolError) -> Encoded {
    let whole = ToolFailure {
        code: error.code.clone().into_owned(),
        message: error.message.clone(),
        retryable: false,
        retry_after: None,
        details: error.details.clone(),
    };
    if let Some(answer) = readable(OutcomeKind::Answer, &whole) {
        return Encoded {
            answer,
            result: Err(whole),
        };
    }
    // It stays the failure that it is; what does not fit a row, or could not be read back, goes.
    let cut = ToolFailure {
        message: format!(
            "{} (more of it was too large to keep)",
            shorten(&error.message)
        ),
        details: None,
        ..whole
    };
    small(OutcomeKind::Answer, cut)
}

/// The answer, if a row takes it and a replay could read it.
fn readable(kind: OutcomeKind, failure: &ToolFailure) -> Option<Answer> {
    let text = failure.to_json().to_text();
    Json::parse(&text, LIMITS).ok()?;
    Answer::json(kind, text.as_bytes()).ok()
}

pub(crate) fn outcome_unknown(why: &str) -> Encoded {
    let failure = ToolFailure::final_answer(
        codes::OUTCOME_UNKNOWN,
        format!(
            "{why}: nobody can know whether it happened, so it will not be tried again. \
             Tell the user, and let a person check"
        ),
    );
    small(OutcomeKind::OutcomeUnknown, failure)
}

/// A person found out that it did not happen: for a claim that was left without an answer (R32). How it was found out
/// stays in the record.
#[cfg(feature = "cli")]
pub(crate) fn did_not_happen() -> Encoded {
    let failure = ToolFailure::final_answer(
        codes::DID_NOT_HAPPEN,
        "it was checked, and it did not happen. It is not tried again by repeating the same call: tell the user, and \
         ask whether it is still wanted",
    );
    small(OutcomeKind::OutcomeUnknown, failure)
}

/// The effect happened, and its answer cannot be kept: the same for the first caller and every replay.
pub(crate) fn not_stored(reason: &str, text: Option<&str>) -> Encoded {
    let mut facts = Map::new();
    facts.insert("reason", Json::from(reason));
    if let Some(text) = text {
        facts.insert(
            "bytes",
            Json::from(u64::try_from(text.len()).unwrap_or(u64::MAX)),
        );
        facts.insert(
            "digest",
            Json::from(format!("sha256:{}", digest_hex(text.as_bytes()))),
        );
    }
    let failure = ToolFailure::final_answer(
        codes::ANSWER_NOT_STORED,
        format!("it came to its answer, and the answer could not be stored ({reason}). Do not do it again"),
    )
    .with_details(Json::Object(facts));
    small(OutcomeKind::NotStored, failure)
}

/// Texts of our own always fit; should one not, a bare one does.
fn small(kind: OutcomeKind, failure: ToolFailure) -> Encoded {
    let text = failure.to_json().to_text();
    match Answer::json(kind, text.as_bytes()) {
        Ok(answer) => Encoded {
            answer,
            result: Err(failure),
        },
        Err(_) => small(
            kind,
            ToolFailure::final_answer(codes::ANSWER_NOT_STORED, "it was done"),
        ),
    }
}

/// Reads a stored answer back.
pub(crate) fn read(stored: &StoredAnswer) -> Result<Result<Json, ToolFailure>, RepositoryError> {
    let corrupt =
        |what: &str| RepositoryError::Corrupt(format!("the answer of a tool call: {what}"));
    let response = stored
        .response
        .as_ref()
        .ok_or_else(|| corrupt("it has no response"))?;
    let json =
        Json::parse_bytes(&response.bytes, LIMITS).map_err(|error| corrupt(&error.to_string()))?;
    let Json::Object(mut outer) = json else {
        return Err(corrupt("it is no object"));
    };
    if let Some(value) = outer.remove("ok") {
        return Ok(Ok(value));
    }
    let Some(Json::Object(mut error)) = outer.remove("error") else {
        return Err(corrupt("it holds neither a value nor a failure"));
    };
    let mut text = |name: &str| match error.remove(name) {
        Some(Json::String(text)) => Ok(text),
        _ => Err(corrupt("its failure is not whole")),
    };
    let (code, message) = (text("code")?, text("message")?);
    let details = error.remove("details");
    Ok(Err(ToolFailure {
        code,
        message,
        retryable: false,
        retry_after: None,
        details,
    }))
}

fn wrap(name: &str, value: Json) -> Json {
    let mut outer = Map::new();
    outer.insert(name, value);
    Json::Object(outer)
}
