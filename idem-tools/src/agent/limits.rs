//! What bounds a run: each bound ends it with a reason that says which (R75).

use crate::turn::{CALLS_A_RESPONSE_MAX, PARALLEL_CALLS_MAX};
use std::time::Duration;

/// The bounds of each run of a harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// How many turns a run may have.
    pub turns: u32,
    /// How many responses a model may give in one turn.
    pub steps_a_turn: u32,
    /// How many calls one turn may make.
    pub calls_a_turn: u32,
    /// How many calls of one response run side by side.
    pub parallel_calls: usize,
    /// How many tokens a run may read and write together, as its model counts them.
    pub tokens: u64,
}

impl Default for RunLimits {
    /// 1,000 turns of 50 responses and 500 calls, 8 of them side by side, and 10 million tokens.
    fn default() -> Self {
        Self {
            turns: 1_000,
            steps_a_turn: 50,
            calls_a_turn: 500,
            parallel_calls: PARALLEL_CALLS_MAX,
            tokens: 10_000_000,
        }
    }
}

/// How often something is tried again, and after how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often it is tried in all.
    pub attempts: u32,
    /// The wait before the second attempt; it doubles, and is spread.
    pub first_wait: Duration,
    /// The longest wait; who asks for a longer one is not asked again.
    pub last_wait: Duration,
}

impl Default for Retries {
    /// Three attempts, a second and two seconds apart.
    fn default() -> Self {
        Self {
            attempts: 3,
            first_wait: Duration::from_secs(1),
            last_wait: Duration::from_secs(60),
        }
    }
}

impl Retries {
    /// The wait before the attempt of this number; `None` where there is none.
    pub(crate) fn wait_before(&self, attempt: u32) -> Option<Duration> {
        if attempt > self.attempts {
            return None;
        }
        Some(crate::backoff::spread(
            self.first_wait,
            self.last_wait,
            attempt,
        ))
    }

    /// The same, where somebody asked for a wait; `None` also where that is longer than the longest one.
    pub(crate) fn wait_as_asked(&self, attempt: u32, asked: Option<Duration>) -> Option<Duration> {
        let wait = self.wait_before(attempt)?;
        match asked {
            Some(asked) if asked > self.last_wait.max(wait) => None,
            asked => Some(asked.map_or(wait, |asked| asked.max(wait))),
        }
    }
}

/// A limit that a run met: the reason it ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Met {
    /// Too many turns.
    #[error("limit_turns: a run has at most {0} turns")]
    Turns(u32),
    /// Too many responses.
    #[error("limit_steps: a model has at most {0} responses in one turn")]
    Steps(u32),
    /// Too many calls in one response.
    #[error("limit_calls: one response has at most {CALLS_A_RESPONSE_MAX} calls, and one turn {0}")]
    Calls(u32),
    /// Too many tokens.
    #[error("limit_tokens: a run reads and writes at most {0} tokens")]
    Tokens(u64),
    /// Too long.
    #[error("limit_time: the run lasted as long as it may")]
    Time,
}
