//! What a twin run saw.

use idem_core::identity::IdempotencyKey;
use std::fmt::Write;

/// One call of a twin run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TwinCall {
    /// Step and place of the proposal that it says; `None` for an extra read.
    pub(super) of: Option<(usize, usize)>,
    /// The tool.
    pub tool: String,
    /// The arguments as they were said in this run.
    pub arguments: String,
    /// The identity that the call had; `None` where it was refused before it had one.
    pub key: Option<IdempotencyKey>,
    /// How many effects were made while the call was.
    pub effects: usize,
    /// The text that the model was given, or why there is none.
    pub answer: Result<String, String>,
    /// Whether that answer is stored: only then is a repeat given the same one.
    pub stored: bool,
    /// Whether the answer came from the journal.
    pub replayed: bool,
}

/// What a [`twin_run`](super::twin_run) saw.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TwinReport {
    /// The calls of the first run, in their order.
    pub first: Vec<TwinCall>,
    /// The calls of the second run, in theirs.
    pub second: Vec<TwinCall>,
    /// How many effects the vendor had made before.
    pub effects_before: usize,
    /// How many after the first run.
    pub effects_after_first: usize,
    /// How many after the second.
    pub effects_after_second: usize,
}

impl TwinReport {
    /// The calls of the second run that made an effect which the first had made, or which it had not asked for. A call
    /// that made none the first time, since the vendor refused it, may make it the second time.
    #[must_use]
    pub fn repeated(&self) -> Vec<&TwinCall> {
        let made = self.second.iter().filter(|call| call.effects > 0);
        made.filter(|call| self.twin(call).is_none_or(|first| self.had_effect(first)))
            .collect()
    }

    /// The calls of the second run whose answer is another than the one that the first run was given and that is
    /// stored.
    #[must_use]
    pub fn answered_differently(&self) -> Vec<&TwinCall> {
        let differs = |call: &&TwinCall| {
            self.twin(call)
                .is_some_and(|first| first.stored && first.answer != call.answer)
        };
        self.second.iter().filter(differs).collect()
    }

    /// Whether every stored answer of the first run was given again, letter for letter.
    #[must_use]
    pub fn answers_equal(&self) -> bool {
        self.answered_differently().is_empty()
    }

    /// Asserts that the turn made its effects once and was told the same twice.
    ///
    /// # Panics
    ///
    /// Where a call of the second run made an effect again, or had another answer: the message names each, with what
    /// was said in either run. And where the first run made no effect at all, since then nothing is shown.
    #[track_caller]
    pub fn assert_once(&self) {
        assert!(
            self.effects_after_first > self.effects_before,
            "the first run made no effect, so nothing is shown: its calls were{}",
            self.list(self.first.iter())
        );
        let (repeated, differing) = (self.repeated(), self.answered_differently());
        assert!(
            repeated.is_empty(),
            "the turn made an effect twice: {} after the first run, {} after the second. Again was made{}",
            self.effects_after_first,
            self.effects_after_second,
            self.list(repeated.into_iter())
        );
        assert!(
            differing.is_empty(),
            "the second run was told something else{}",
            self.list(differing.into_iter())
        );
    }

    /// The call of the first run that says the same proposal.
    fn twin(&self, call: &TwinCall) -> Option<&TwinCall> {
        call.of
            .and_then(|of| self.first.iter().find(|first| first.of == Some(of)))
    }

    /// Whether the first run made this call's effect, under whichever of two equal calls it came.
    fn had_effect(&self, first: &TwinCall) -> bool {
        let equal = |other: &&TwinCall| first.key.is_some() && other.key == first.key;
        first.effects > 0
            || self
                .first
                .iter()
                .filter(equal)
                .any(|other| other.effects > 0)
    }

    /// Each call in lines of its own, with its twin and what sets the two apart.
    fn list<'a>(&self, calls: impl Iterator<Item = &'a TwinCall>) -> String {
        let mut text = String::new();
        for call in calls {
            // Writing to a string does not fail.
            let _ = write!(text, "\n  {} {}", call.tool, call.arguments);
            let _ = match &call.answer {
                Ok(answer) => write!(text, "\n    was told: {answer}"),
                Err(why) => write!(text, "\n    has no answer: {why}"),
            };
            let Some(first) = self.twin(call).filter(|first| !std::ptr::eq(*first, call)) else {
                continue;
            };
            let _ = write!(text, "\n    the first run said: {}", first.arguments);
            let _ = match &first.answer {
                Ok(answer) => write!(text, "\n    and was told: {answer}"),
                Err(why) => write!(text, "\n    and had no answer: {why}"),
            };
            if first.key != call.key {
                text.push_str(
                    "\n    the two are different calls to Idem, since their arguments are not the same: leave out of \
                     the input what changes at each sampling",
                );
            }
        }
        text
    }
}
