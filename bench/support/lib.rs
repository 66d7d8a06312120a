//! What is measured: one model that proposes one call, and one tool whose body returns at once. The same two are driven by
//! the harness, by Idem without a harness, and by a loop without Idem.
//!
//! A failed expectation in here is the failure of the measurement that called it, so this crate panics where a library
//! would return an error.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation here is the calling measurement's failure"
)]

use async_trait::async_trait;
use idem_tools::agent::{
    AgentHarness, CallAnswer, Message, MessageKind, Model, ModelError, ModelResponse, NewMessage,
    NewRun, Prompt, RunId, SegmentOutcome,
};
use idem_tools::testing::VolatileStore;
use idem_tools::{
    Idem, IdemBuilder, OrganizationId, Principal, ProposedCall, Settled, ToolContext,
    ToolDefinition, ToolError, Turn, tool, tool_input, tool_output,
};
use std::sync::Arc;

/// What the user says, in each of the three.
const SAYS: &str = "Send ann a note";
/// What the model proposes.
const ARGUMENTS: &str = r#"{"to":"ann","text":"The lift is repaired."}"#;
/// What the model says last.
const LAST_WORDS: &str = "Ann has her note.";

/// The tool's arguments.
#[tool_input]
#[derive(Debug)]
pub struct Note {
    /// To whom.
    pub to: String,
    /// What it says.
    pub text: String,
}

/// The tool's answer.
#[tool_output]
#[derive(Debug)]
pub struct Sent {
    /// The vendor's number of it.
    pub id: String,
}

/// The body: it returns at once, so that what is measured is what stands around it.
fn body(input: &Note) -> Sent {
    Sent {
        id: format!("note-{}-{}", input.to, input.text.len()),
    }
}

/// Send a note.
#[tool(scope = "tool.note.send", timeout_s = 30)]
pub async fn send_note(_ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    Ok(body(&input))
}

/// Proposes one call, and says its last words when that is answered.
#[derive(Clone, Copy, Debug)]
pub struct Scripted;

#[async_trait]
impl Model for Scripted {
    fn name(&self) -> &'static str {
        "scripted-1"
    }

    async fn respond(&self, prompt: &Prompt<'_>) -> Result<ModelResponse, ModelError> {
        Ok(match prompt.messages.last() {
            Some(Message::User(_)) => ModelResponse::calls([proposed()]),
            _ => ModelResponse::text(LAST_WORDS),
        })
    }
}

/// The call that the model proposes.
#[must_use]
pub fn proposed() -> ProposedCall {
    ProposedCall::new("call_1", "send_note", ARGUMENTS)
}

/// Idem over a new store in memory: no run, no row and no answer in it is of an earlier measurement.
async fn idem() -> IdemBuilder {
    let store = Arc::new(VolatileStore::new());
    let builder = Idem::with_store(store).await.expect("a store in memory");
    builder.tool::<send_note>()
}

/// A run that waits for its first segment, in a harness of its own.
#[derive(Debug)]
pub struct AdmittedRun {
    harness: AgentHarness,
    organization: OrganizationId,
    run: RunId,
}

impl AdmittedRun {
    /// A harness, without a run in it.
    pub async fn harness() -> AgentHarness {
        idem().await.agent(Scripted).build().expect("a harness")
    }

    /// Admits a run and gives it one message.
    pub async fn admit(harness: AgentHarness) -> Self {
        let organization = OrganizationId::random();
        let run = RunId::new("run-1").expect("a run's id");
        let ann = Principal::new("ann").expect("a principal");
        let new = NewRun::new(organization, run.clone(), ann);
        harness.admit(&new).await.expect("an admission");
        let message = NewMessage {
            id: "message-1".parse().expect("a message's id"),
            kind: MessageKind::User,
            body: SAYS.to_owned(),
        };
        let posted = harness.post(organization, &run, &message).await;
        posted.expect("it is stored");
        Self {
            harness,
            organization,
            run,
        }
    }

    /// Drives it from its message to its last words.
    pub async fn drive(&self) {
        let outcome = self.harness.segment(self.organization, &self.run).await;
        match outcome.expect("an outcome") {
            SegmentOutcome::Completed(Some(text)) => assert_eq!(text, LAST_WORDS),
            other => panic!("it is not done: {other:?}"),
        }
    }
}

/// A turn without a harness, with nothing in its store.
pub async fn lone_turn() -> Turn {
    let idem = idem().await.build().expect("a tool");
    let actor = idem.organization(OrganizationId::random()).principal("ann");
    let run = actor.expect("a principal").run("run-1");
    run.expect("a run").turn(1)
}

/// One call through Idem, without a harness.
pub async fn call_alone(turn: &Turn) {
    match turn.call(proposed()).await.expect("a settled call") {
        Settled::Answer(answer) => assert!(!answer.replayed && answer.result.is_ok()),
        other => panic!("nobody is asked: {other:?}"),
    }
}

/// The tools as a model is given them.
pub async fn definitions() -> Vec<ToolDefinition> {
    idem().await.build().expect("a tool").definitions()
}

/// The same conversation in a loop by hand, without Idem: nothing is stored, and a repeat would be a second effect.
pub async fn loop_by_hand(model: &dyn Model, tools: &[ToolDefinition]) {
    let mut messages = vec![Message::User(SAYS.to_owned())];
    loop {
        let prompt = Prompt::new(&messages).with_tools(tools);
        let response = model.respond(&prompt).await.expect("a response");
        if response.calls.is_empty() {
            assert_eq!(response.text.as_deref(), Some(LAST_WORDS));
            return;
        }
        let answers = response.calls.iter().map(answer_by_hand).collect();
        messages.push(Message::Assistant {
            text: response.text,
            calls: response.calls,
        });
        messages.push(Message::Answers(answers));
    }
}

fn answer_by_hand(call: &ProposedCall) -> CallAnswer {
    assert_eq!(call.tool(), "send_note");
    let input: Note = serde_json::from_str(&call.arguments_text()).expect("its arguments");
    CallAnswer {
        call_id: call.id().map(str::to_owned),
        tool: call.tool().to_owned(),
        text: serde_json::to_string(&body(&input)).expect("its answer"),
        is_error: false,
    }
}
