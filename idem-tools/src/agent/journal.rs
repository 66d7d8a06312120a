//! Where the steps of a run are kept: in the plane, in scope `model.turn`, recorded like a read (R46).

use super::error::HarnessError;
use super::model::{Message, Prompt};
use super::proposal::arguments_text;
use super::step::StepRecord;
use crate::runtime::Core;
use idem_core::identity::{
    IdempotencyKey, KeyKind, LogicalTurn, RunId, ToolName, digest_hex, request_hash,
};
use idem_core::json::Json;
use idem_core::{
    Answer, ClaimKey, OrganizationId, Origin, OutcomeKind, Principal, ReadOutcome, RecordOutcome,
    RepositoryError, Request, Scope, StoredAnswer,
};

const SCOPE: &str = "model.turn";
const NAME: &str = "model_turn";

/// What a step's place answers for is the place alone: prompts and tools are recorded, not compared.
const CONTENT: &str = "model.turn";

/// The steps of one run.
#[derive(Clone, Copy)]
pub(crate) struct Journal<'a> {
    pub(crate) core: &'a Core,
    pub(crate) organization: OrganizationId,
    pub(crate) principal: &'a Principal,
    pub(crate) run: &'a RunId,
}

impl Journal<'_> {
    /// The record of a step, where there is one.
    pub(crate) async fn read(
        &self,
        turn: &LogicalTurn,
        step: u32,
    ) -> Result<Option<StepRecord>, HarnessError> {
        match self.core.service.read(&self.request(turn, step)?).await? {
            ReadOutcome::Completed(stored) => Ok(Some(parse(&stored)?)),
            ReadOutcome::Absent => Ok(None),
            ReadOutcome::Processing(_) | ReadOutcome::Conflict(_) => Err(foreign()),
        }
    }

    /// Writes a step down, and gives back what stands: the first writer's (R46), and whether that is another one.
    pub(crate) async fn record(
        &self,
        turn: &LogicalTurn,
        step: u32,
        record: &StepRecord,
    ) -> Result<(StepRecord, bool), HarnessError> {
        let text = record.to_text();
        let answer = Answer::json(OutcomeKind::Answer, text.as_bytes())
            .map_err(|error| HarnessError::StepTooLarge(error.to_string()))?;
        let request = self.request(turn, step)?;
        match self.core.service.record(&request, &answer).await? {
            RecordOutcome::Recorded(stored) => Ok((parse(&stored)?, false)),
            RecordOutcome::Completed(stored) => Ok((parse(&stored)?, true)),
            RecordOutcome::Processing(_) | RecordOutcome::Conflict(_) => Err(foreign()),
        }
    }

    fn request(&self, turn: &LogicalTurn, step: u32) -> Result<Request, HarnessError> {
        let tool = ToolName::new(NAME).map_err(|error| corrupt(&error.to_string()))?;
        let scope = Scope::new(SCOPE).map_err(|error| corrupt(&error.to_string()))?;
        // A turn of messages is the same in every run that answers them; a model's word in one is not.
        let run = Json::from(self.run.as_ref()).to_text();
        let key = IdempotencyKey::new(KeyKind::Read { turn, step }, &tool, &run);
        let key = ClaimKey::new(self.organization, scope, key);
        Ok(Request::new(key, request_hash(CONTENT)).by(Origin {
            run: Some(self.run.as_ref().into()),
            principal: Some(self.principal.as_str().into()),
            trace: None,
        }))
    }
}

/// The digest of all that a model was given, for people who compare two prompts.
pub(crate) fn prompt_digest(prompt: &Prompt<'_>) -> String {
    let mut parts = vec![maybe(prompt.instructions)];
    for tool in prompt.tools {
        let (name, says) = (tool.name.as_str(), tool.description.as_str());
        parts.extend([name.into(), says.into(), tool.input_schema.clone()]);
    }
    for message in prompt.messages {
        match message {
            Message::User(text) => parts.push(text.as_str().into()),
            Message::Assistant { text, calls } => {
                parts.push(maybe(text.as_deref()));
                for call in calls {
                    let arguments = arguments_text(call);
                    parts.extend([
                        maybe(call.id()),
                        call.tool().into(),
                        arguments.as_str().into(),
                    ]);
                }
            }
            Message::Answers(answers) => {
                for answer in answers {
                    let id = maybe(answer.call_id.as_deref());
                    parts.extend([id, answer.text.as_str().into()]);
                }
            }
        }
    }
    digest_hex(Json::Array(parts).to_text().as_bytes())
}

fn maybe(text: Option<&str>) -> Json {
    text.map_or(Json::Null, Json::from)
}

fn parse(stored: &StoredAnswer) -> Result<StepRecord, HarnessError> {
    let response = stored.response.as_ref();
    let response = response.ok_or_else(|| corrupt("it has no response"))?;
    Ok(StepRecord::parse(&response.bytes)?)
}

fn foreign() -> HarnessError {
    corrupt("another writer used its place")
}

fn corrupt(what: &str) -> HarnessError {
    RepositoryError::Corrupt(format!("the record of a step: {what}")).into()
}
