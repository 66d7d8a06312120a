//! A model that says what the case wrote down, step by step, and counts how often it was asked for each.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use idem_tests::vendor::Gate;
use idem_tools::ProposedCall;
use idem_tools::agent::{Message, Model, ModelError, ModelResponse, Prompt, Usage};

/// What the model says at one place of the conversation.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Says(&'static str),
    /// Calls: id, tool, arguments.
    Calls(Vec<(&'static str, &'static str, &'static str)>),
    Unavailable,
    Refused,
    /// Refuses in these words.
    RefusedSaying(&'static str),
    /// Asks for that much patience.
    BusyFor(Duration),
    Panics,
    /// Says so when the gate is opened; the other gate opens when it is asked.
    Held(Hold, Box<Reply>),
}

/// A place where the model is held.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hold {
    pub(crate) reached: Gate,
    pub(crate) go: Gate,
}

#[derive(Debug, Default)]
struct State {
    /// By how many responses stand in the conversation; the last of a place is repeated.
    replies: BTreeMap<usize, Vec<Reply>>,
    asked: BTreeMap<usize, usize>,
    prompts: Vec<Vec<Message>>,
}

/// The provider behind every process of a case. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script(Arc<Mutex<State>>);

impl Script {
    /// Says these, one after the other.
    pub(crate) fn of(replies: impl IntoIterator<Item = Reply>) -> Self {
        let script = Self::default();
        for (at, reply) in replies.into_iter().enumerate() {
            script.says(at, [reply]);
        }
        script
    }

    /// At this place it says these in turn, and then the last of them again and again.
    pub(crate) fn says(&self, at: usize, replies: impl IntoIterator<Item = Reply>) {
        let replies: Vec<_> = replies.into_iter().collect();
        self.0.lock().unwrap().replies.insert(at, replies);
    }

    /// How often it was asked for each place, from the first on.
    pub(crate) fn asked(&self) -> Vec<usize> {
        self.0.lock().unwrap().asked.values().copied().collect()
    }

    /// What it was given when it was asked last.
    pub(crate) fn last_prompt(&self) -> Vec<Message> {
        let state = self.0.lock().unwrap();
        state.prompts.last().cloned().expect("it was asked")
    }

    fn next(&self, prompt: &Prompt<'_>) -> Reply {
        let is_response = |m: &&Message| matches!(m, Message::Assistant { .. });
        let at = prompt.messages.iter().filter(is_response).count();
        let mut state = self.0.lock().unwrap();
        state.prompts.push(prompt.messages.to_vec());
        let times = state.asked.entry(at).or_default();
        *times += 1;
        let nth = *times - 1;
        let replies = state.replies.get(&at);
        let replies = replies.unwrap_or_else(|| panic!("nothing is written for place {at}"));
        replies[nth.min(replies.len() - 1)].clone()
    }
}

#[async_trait]
impl Model for Script {
    fn name(&self) -> &'static str {
        "scripted-1"
    }

    async fn respond(&self, prompt: &Prompt<'_>) -> Result<ModelResponse, ModelError> {
        let mut reply = self.next(prompt);
        loop {
            reply = match reply {
                Reply::Held(hold, then) => {
                    hold.reached.open();
                    hold.go.opened().await;
                    *then
                }
                Reply::Says(text) => return Ok(costing(ModelResponse::text(text))),
                Reply::Calls(calls) => {
                    let calls = calls
                        .into_iter()
                        .map(|(id, tool, arguments)| ProposedCall::new(id, tool, arguments));
                    return Ok(costing(ModelResponse::calls(calls)));
                }
                Reply::Unavailable => {
                    return Err(ModelError::Unavailable {
                        message: "overloaded".to_owned(),
                        retry_after: None,
                    });
                }
                Reply::BusyFor(patience) => {
                    return Err(ModelError::Unavailable {
                        message: "overloaded".to_owned(),
                        retry_after: Some(patience),
                    });
                }
                Reply::Refused => return Err(ModelError::Refused("not that".to_owned())),
                Reply::RefusedSaying(why) => return Err(ModelError::Refused(why.to_owned())),
                Reply::Panics => panic!("the model's code is wrong"),
            }
        }
    }
}

fn costing(response: ModelResponse) -> ModelResponse {
    let usage = Usage {
        input_tokens: 10,
        output_tokens: 1,
    };
    ModelResponse { usage, ..response }
}

/// One call.
pub(crate) fn calls(tool: &'static str, arguments: &'static str) -> Reply {
    Reply::Calls(vec![("call_a", tool, arguments)])
}
