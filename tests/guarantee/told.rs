//! What the callers of one key were told, one after the other.

use idem_tools::{Answered, CallError, codes};

/// What one caller is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// `ClaimInFlight`: wait for the lease.
    InFlight,
    /// Nothing happened, and the call may be made again.
    RetryableFailure,
    /// The tool's answer, and every later caller's.
    Answer,
    /// Nobody knows, for this caller and every later one.
    OutcomeUnknown,
}

impl Word {
    /// As the page says it.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::InFlight => "in flight",
            Self::RetryableFailure => "retryable failure",
            Self::Answer => "answer",
            Self::OutcomeUnknown => "`outcome_unknown`",
        }
    }

    fn of(result: &Result<Answered, CallError>) -> Self {
        match result {
            Err(CallError::ClaimInFlight { .. }) => Self::InFlight,
            Err(error) => panic!("nobody should be told: {error}"),
            Ok(answer) => match answer.failure() {
                None => Self::Answer,
                Some(failure) if failure.code == codes::OUTCOME_UNKNOWN => Self::OutcomeUnknown,
                Some(failure) if failure.retryable => Self::RetryableFailure,
                Some(failure) => panic!("nobody should be told: {failure}"),
            },
        }
    }
}

/// The words in their order, none twice in a row, and the last answer.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) words: Vec<Word>,
    last: Option<Answered>,
}

impl Told {
    /// Notes what a caller was told.
    pub(crate) fn hear(&mut self, result: Result<Answered, CallError>) -> Word {
        let word = Word::of(&result);
        if self.words.last() != Some(&word) {
            self.words.push(word);
        }
        self.last = result.ok();
        word
    }

    /// Asserts that a caller is told what the last one was: the stored answer, to the byte (R17, R33).
    pub(crate) fn is_told_again(&self, result: &Result<Answered, CallError>) {
        let last = self.last.as_ref().expect("a settled call");
        let again = result.as_ref().expect("a settled call has an answer");
        assert_eq!(again.result, last.result);
        assert_eq!(again.to_model_text(), last.to_model_text());
        assert_eq!(again.attempt, last.attempt);
    }
}
