//! Puts a recorded conversation together, and pairs each result with its call (R35).
//!
//! Real models send no ids, the same id every time, or ids that a gateway rewrote between the call and its result. So an
//! id only narrows which call of the message before is meant, and position decides the rest.

use super::Conversation;
use super::error::{ConversationError, Place};
use super::reading::At;
use crate::ProposedCall;
use crate::agent::{CallAnswer, Message};

/// A result as a recording has it.
pub(super) struct Found {
    pub(super) id: Option<String>,
    /// The tool, in forms that say it.
    pub(super) tool: Option<String>,
    pub(super) text: String,
    pub(super) is_error: bool,
}

/// A conversation in the making.
#[derive(Default)]
pub(super) struct Builder {
    instructions: Vec<String>,
    messages: Vec<Message>,
    open: Option<Open>,
}

/// The calls of the last message, and the results for them so far.
struct Open {
    calls: Vec<ProposedCall>,
    at: Place,
    results: Vec<(Found, Place)>,
}

impl Builder {
    /// Instructions stand before the first message: later ones cannot be moved there without changing what they mean.
    pub(super) fn instructions(
        &mut self,
        text: String,
        at: &At<'_>,
    ) -> Result<(), ConversationError> {
        if !self.messages.is_empty() {
            return Err(at.unsupported("an instruction behind the first message"));
        }
        if !text.is_empty() {
            self.instructions.push(text);
        }
        Ok(())
    }

    pub(super) fn user(&mut self, text: String) -> Result<(), ConversationError> {
        self.close()?;
        self.messages.push(Message::User(text));
        Ok(())
    }

    pub(super) fn assistant(
        &mut self,
        text: Option<String>,
        calls: Vec<ProposedCall>,
        at: &At<'_>,
    ) -> Result<(), ConversationError> {
        self.close()?;
        if !calls.is_empty() {
            self.open = Some(Open {
                calls: calls.clone(),
                at: at.place(),
                results: Vec::new(),
            });
        }
        self.messages.push(Message::Assistant { text, calls });
        Ok(())
    }

    pub(super) fn result(&mut self, found: Found, at: &At<'_>) -> Result<(), ConversationError> {
        match &mut self.open {
            Some(open) => {
                open.results.push((found, at.place()));
                Ok(())
            }
            None => Err(ConversationError::AnswerWithoutCall { at: at.place() }),
        }
    }

    /// Calls at the end that have no result at all are open, which is where a turn goes on.
    pub(super) fn finish(mut self) -> Result<Conversation, ConversationError> {
        if self
            .open
            .as_ref()
            .is_some_and(|open| !open.results.is_empty())
        {
            self.close()?;
        }
        Ok(Conversation {
            instructions: super::reading::some(self.instructions.join("\n\n")),
            messages: self.messages,
        })
    }

    fn close(&mut self) -> Result<(), ConversationError> {
        if let Some(open) = self.open.take() {
            self.messages.push(Message::Answers(open.pair()?));
        }
        Ok(())
    }
}

impl Open {
    fn pair(self) -> Result<Vec<CallAnswer>, ConversationError> {
        let mut slots: Vec<Option<Found>> = self.calls.iter().map(|_| None).collect();
        let mut rest = Vec::new();
        // The ids first, so that a result without one takes no call from a result that names it.
        for (found, at) in self.results {
            let named = |at: usize| found.id.is_some() && self.calls[at].id == found.id;
            match free(&slots, named) {
                Some(slot) => slots[slot] = Some(found),
                None => rest.push((found, at)),
            }
        }
        for (found, at) in rest {
            let fits = |at: usize| {
                let call = &self.calls[at];
                let ids_differ = found.id.is_some() && call.id.is_some();
                !ids_differ && found.tool.as_ref().is_none_or(|tool| *tool == call.tool)
            };
            match free(&slots, fits) {
                Some(slot) => slots[slot] = Some(found),
                None => return Err(ConversationError::AnswerWithoutCall { at }),
            }
        }
        let mut answers = Vec::with_capacity(slots.len());
        for (call, (proposed, slot)) in self.calls.into_iter().zip(slots).enumerate() {
            let Some(found) = slot else {
                return Err(ConversationError::CallWithoutAnswer { at: self.at, call });
            };
            answers.push(CallAnswer {
                call_id: proposed.id,
                tool: proposed.tool,
                text: found.text,
                is_error: found.is_error,
            });
        }
        Ok(answers)
    }
}

/// The first call that nothing has answered yet and that fits.
fn free(slots: &[Option<Found>], fits: impl Fn(usize) -> bool) -> Option<usize> {
    (0..slots.len()).find(|at| slots[*at].is_none() && fits(*at))
}
