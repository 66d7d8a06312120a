//! The idempotency key.

use std::num::NonZeroU32;

use super::hash::{digest_type, sha256};
use super::{Intent, LogicalTurn, ToolName};

/// The stable identity of one intended effect inside an organization and a scope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdempotencyKey([u8; 32]);

digest_type!(IdempotencyKey, "idempotency key");

/// What, besides the tool and its identity arguments, tells one effect from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyKind<'a> {
    /// The logical turn: two equal calls in one turn are one effect.
    Turn {
        /// The turn.
        turn: &'a LogicalTurn,
    },
    /// Nothing: the arguments name one effect, whoever asks and whenever.
    Natural,
    /// The turn and the step: a read sees fresh values at every step, and a replay of a step the
    /// recorded ones.
    Read {
        /// The turn.
        turn: &'a LogicalTurn,
        /// The step in it.
        step: u32,
    },
    /// The turn and how many equal calls it has made. The first is the call of [`KeyKind::Turn`].
    Count {
        /// The turn.
        turn: &'a LogicalTurn,
        /// Which of the turn's equal calls this is, from 1.
        ordinal: NonZeroU32,
    },
    /// The turn and an intent that stands in for the arguments.
    Intent {
        /// The turn.
        turn: &'a LogicalTurn,
        /// What the call is meant to do.
        intent: &'a Intent,
    },
}

impl IdempotencyKey {
    /// The key of a call. `identity_arguments` is the canonical text in
    /// [`Form::Key`](crate::canonical::Form::Key); an intent does not look at it.
    #[must_use]
    pub fn new(kind: KeyKind<'_>, tool: &ToolName, identity_arguments: &str) -> Self {
        Self(sha256(&key_text(kind, tool, identity_arguments)))
    }
}

/// The text that is hashed: form, kind, parts, tool, arguments, one line each.
pub(super) fn key_text(kind: KeyKind<'_>, tool: &ToolName, identity_arguments: &str) -> String {
    let mut arguments = identity_arguments;
    let kind_and_parts = match kind {
        KeyKind::Natural => "natural".to_owned(),
        KeyKind::Count {
            turn,
            ordinal: NonZeroU32::MIN,
        }
        | KeyKind::Turn { turn } => {
            format!("turn\n{turn}")
        }
        KeyKind::Read { turn, step } => format!("read\n{turn}\n{step}"),
        KeyKind::Count { turn, ordinal } => format!("count\n{turn}\n{ordinal}"),
        KeyKind::Intent { turn, intent } => {
            arguments = "{}";
            format!("intent\n{turn}\n{intent}")
        }
    };
    format!("k1\n{kind_and_parts}\n{tool}\n{arguments}")
}

/// The key of a free text that a boundary was given: a delivery id, a header.
#[must_use]
pub fn free_text_key(text: &str) -> IdempotencyKey {
    IdempotencyKey(sha256(&format!("b1\n{text}")))
}
