//! The recorded model: for each step of each turn it says what is recorded there, in the same words or in others.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use idem_tools::ProposedCall;
use idem_tools::agent::{Message, Model, ModelError, ModelResponse, Prompt};

use super::reword;
use crate::place::Place;
use crate::recording::{Conversation, Step};

/// What a user says, with the place that the model looks up. A prompt names no run, and recorded users often say the
/// same.
pub(crate) fn message(place: &Place, said: &str) -> String {
    format!("{} {}\n{said}", place.conversation, place.turn)
}

/// The place in a user's message.
pub(super) fn place_of(body: &str) -> Option<Place> {
    let (conversation, turn) = body.lines().next()?.rsplit_once(' ')?;
    Some(Place {
        conversation: conversation.to_owned(),
        turn: turn.parse().ok()?,
    })
}

/// The model of all recordings.
pub(crate) struct Recorded {
    conversations: BTreeMap<String, Conversation>,
    sample: u32,
    /// How often each step was asked for in this process.
    asked: Mutex<BTreeMap<(Place, usize), u32>>,
}

impl Recorded {
    /// A model that says what is recorded, at this sampling.
    pub(crate) fn new(conversations: Vec<Conversation>, sample: u32) -> Self {
        let by_id = conversations
            .into_iter()
            .map(|conversation| (conversation.id.clone(), conversation));
        Self {
            conversations: by_id.collect(),
            sample,
            asked: Mutex::default(),
        }
    }

    /// How this response is worded: a step that is asked for again is worded anew, also in one process.
    fn sampling(&self, place: &Place, step: usize) -> u32 {
        if self.sample == 0 {
            return 0;
        }
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let times = asked.entry((place.clone(), step)).or_default();
        *times += 1;
        self.sample.wrapping_mul(31).wrapping_add(*times)
    }

    fn step(&self, place: &Place, step: usize) -> Option<&Step> {
        let conversation = self.conversations.get(&place.conversation)?;
        let turn = usize::try_from(place.turn).ok()?.checked_sub(1)?;
        conversation.turns.get(turn)?.steps.get(step)
    }
}

#[async_trait]
impl Model for Recorded {
    fn name(&self) -> &'static str {
        "recorded"
    }

    async fn respond(&self, prompt: &Prompt<'_>) -> Result<ModelResponse, ModelError> {
        let (place, step) = current(prompt.messages)
            .ok_or_else(|| ModelError::Refused("no user of the recordings spoke".to_owned()))?;
        let sample = self.sampling(&place, step);
        // Where the recording ends, so does the turn.
        let Some(recorded) = self.step(&place, step) else {
            return Ok(ModelResponse::text(""));
        };
        let calls = recorded.calls.iter().zip(0..).map(|(call, at)| {
            let id = reword::id(&call.id, sample, at);
            let arguments = reword::arguments(&call.arguments, sample);
            ProposedCall::new(id, &*call.tool, arguments)
        });
        let mut response = ModelResponse::calls(calls);
        response.text = reword::prose(recorded.text.as_deref(), sample);
        Ok(response)
    }
}

/// The turn that the conversation is in, and how many responses it has there.
fn current(messages: &[Message]) -> Option<(Place, usize)> {
    let mut step = 0;
    for message in messages.iter().rev() {
        match message {
            Message::Assistant { .. } => step += 1,
            Message::User(body) => return Some((place_of(body)?, step)),
            _ => {}
        }
    }
    None
}
