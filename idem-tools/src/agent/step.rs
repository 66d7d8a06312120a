//! The record of a step: what the model said, what each of its calls is, and how the calls of the step before were
//! settled (R46).

use super::model::{CallAnswer, Message, Usage};
use super::proposal::{Identity, Proposal, arguments_text, call_of};
use crate::call::ToolFailure;
use idem_core::RepositoryError;
use idem_core::Scope;
use idem_core::identity::Intent;
use idem_core::json::{Json, Limits, Map};
use std::num::NonZeroU32;

/// The form of the record.
const VERSION: &str = "s1";

/// A record is flat: what is deep, arguments and answers, stands in it as text.
const LIMITS: Limits = Limits {
    depth: 8,
    bytes: idem_core::RESPONSE_BYTES_MAX,
};

/// One response of a model, and what came before it.
#[derive(Clone)]
pub(crate) struct StepRecord {
    /// The model's name; empty where no model was asked.
    pub(crate) model: String,
    /// The digest of what it was given: for people, never compared.
    pub(crate) prompt: String,
    pub(crate) text: Option<String>,
    pub(crate) calls: Vec<Proposal>,
    pub(crate) usage: Usage,
    /// How the calls of the step before were settled, in their order.
    pub(crate) answers: Vec<CallAnswer>,
    /// It was written down where replay of model turns is off: without calls, and while its turn is not over, it may be
    /// asked for again. The step after it decides: what the model said then, which stands in its place, or nobody's
    /// word, which confirms it. The first writer's decides, as of every step.
    pub(crate) is_provisional: bool,
}

impl StepRecord {
    /// A step for which no model was asked: it ends its turn.
    pub(crate) fn of_nobody(answers: Vec<CallAnswer>) -> Self {
        Self {
            model: String::new(),
            prompt: String::new(),
            text: None,
            calls: Vec::new(),
            usage: Usage::default(),
            answers,
            is_provisional: false,
        }
    }

    /// Whether the next step may stand in its place. One that proposed calls stays: some of them may have been made.
    pub(crate) fn may_be_replaced(&self) -> bool {
        self.is_provisional && self.calls.is_empty()
    }

    /// It ends its turn, and no model was asked what to say to the answers in it: a provisional step before it stands.
    pub(crate) fn ends_unasked(&self) -> bool {
        self.model.is_empty() && self.calls.is_empty()
    }

    /// What it adds to the conversation: the answers to the calls before it, and what the model said then.
    pub(crate) fn messages(&self) -> Vec<Message> {
        let mut messages = Vec::new();
        if !self.answers.is_empty() {
            messages.push(Message::Answers(self.answers.clone()));
        }
        // Where no model was asked, nobody said anything.
        if !self.model.is_empty() {
            let calls = self.calls.iter().map(|proposal| proposal.call.clone());
            messages.push(Message::Assistant {
                text: self.text.clone(),
                calls: calls.collect(),
            });
        }
        messages
    }

    /// The text that is stored.
    pub(crate) fn to_text(&self) -> String {
        let mut record = Map::new();
        record.insert("form", Json::from(VERSION));
        record.insert("model", Json::from(self.model.as_str()));
        record.insert("prompt", Json::from(self.prompt.as_str()));
        record.insert("text", maybe(self.text.as_deref()));
        record.insert("input_tokens", Json::from(self.usage.input_tokens));
        record.insert("output_tokens", Json::from(self.usage.output_tokens));
        let calls = self.calls.iter().map(proposal_to_json);
        record.insert("calls", Json::Array(calls.collect()));
        let answers = self.answers.iter().map(answer_to_json);
        record.insert("answers", Json::Array(answers.collect()));
        if self.is_provisional {
            record.insert("provisional", Json::Bool(true));
        }
        Json::Object(record).to_text()
    }

    /// Reads a stored record.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, RepositoryError> {
        let json = Json::parse_bytes(bytes, LIMITS).map_err(|e| corrupt(&e.to_string()))?;
        if word(&json, "form")? != VERSION {
            return Err(corrupt("its form is of another version"));
        }
        Ok(Self {
            model: word(&json, "model")?,
            prompt: word(&json, "prompt")?,
            text: text(&json, "text"),
            usage: Usage {
                input_tokens: number(&json, "input_tokens")?,
                output_tokens: number(&json, "output_tokens")?,
            },
            calls: list(&json, "calls")?
                .iter()
                .map(proposal_from_json)
                .collect::<Result<_, _>>()?,
            answers: list(&json, "answers")?
                .iter()
                .map(answer_from_json)
                .collect::<Result<_, _>>()?,
            is_provisional: json.get("provisional") == Some(&Json::Bool(true)),
        })
    }
}

fn proposal_to_json(proposal: &Proposal) -> Json {
    let mut entry = Map::new();
    entry.insert("id", maybe(proposal.call.id()));
    entry.insert("tool", Json::from(proposal.call.tool()));
    if let Some(intent) = &proposal.call.intent {
        entry.insert("intent", Json::from(intent.as_ref()));
    }
    entry.insert("arguments", Json::from(arguments_text(&proposal.call)));
    match &proposal.identity {
        Ok(identity) => {
            entry.insert("scope", Json::from(identity.scope.as_str()));
            entry.insert("key", Json::from(identity.key.to_string()));
            entry.insert("hash", Json::from(identity.hash.to_string()));
            entry.insert("input", Json::from(&*identity.input));
            entry.insert("fingerprint", Json::from(identity.fingerprint.as_str()));
            if let Some(first) = identity.first {
                entry.insert("first", Json::from(first.to_string()));
                entry.insert("ordinal", Json::from(u64::from(identity.ordinal.get())));
            }
        }
        Err(failure) => {
            entry.insert("refused", Json::from(failure.code.as_str()));
            entry.insert("message", Json::from(failure.message.as_str()));
        }
    }
    Json::Object(entry)
}

fn proposal_from_json(json: &Json) -> Result<Proposal, RepositoryError> {
    let (tool, arguments) = (word(json, "tool")?, word(json, "arguments")?);
    let intent = text(json, "intent").map(Intent::new).transpose();
    let intent = intent.map_err(|error| corrupt(&error.to_string()))?;
    let call = call_of(text(json, "id"), tool, arguments, intent);
    let identity = match text(json, "refused") {
        Some(code) => Err(ToolFailure::final_answer(&code, word(json, "message")?)),
        None => Ok(Identity {
            scope: Scope::new(&word(json, "scope")?).map_err(|e| corrupt(&e.to_string()))?,
            key: digest(json, "key")?,
            hash: digest(json, "hash")?,
            input: word(json, "input")?.into(),
            fingerprint: word(json, "fingerprint")?,
            first: json
                .get("first")
                .map(|_| digest(json, "first"))
                .transpose()?,
            ordinal: ordinal(json)?,
        }),
    };
    Ok(Proposal { call, identity })
}

fn answer_to_json(answer: &CallAnswer) -> Json {
    let mut entry = Map::new();
    entry.insert("id", maybe(answer.call_id.as_deref()));
    entry.insert("tool", Json::from(answer.tool.as_str()));
    entry.insert("text", Json::from(answer.text.as_str()));
    entry.insert("is_error", Json::from(answer.is_error));
    Json::Object(entry)
}

fn answer_from_json(json: &Json) -> Result<CallAnswer, RepositoryError> {
    Ok(CallAnswer {
        call_id: text(json, "id"),
        tool: word(json, "tool")?,
        text: word(json, "text")?,
        is_error: json.get("is_error") == Some(&Json::Bool(true)),
    })
}

fn maybe(text: Option<&str>) -> Json {
    text.map_or(Json::Null, Json::from)
}

fn text(json: &Json, name: &str) -> Option<String> {
    json.get(name).and_then(Json::as_str).map(str::to_owned)
}

fn word(json: &Json, name: &str) -> Result<String, RepositoryError> {
    text(json, name).ok_or_else(|| corrupt(name))
}

fn number(json: &Json, name: &str) -> Result<u64, RepositoryError> {
    match json.get(name) {
        Some(Json::Number(number)) => number.as_str().parse().map_err(|_| corrupt(name)),
        _ => Err(corrupt(name)),
    }
}

/// Which of its turn's equal calls it is; the first where nobody counts them.
fn ordinal(json: &Json) -> Result<NonZeroU32, RepositoryError> {
    if json.get("ordinal").is_none() {
        return Ok(NonZeroU32::MIN);
    }
    let ordinal = u32::try_from(number(json, "ordinal")?).ok();
    let ordinal = ordinal.and_then(NonZeroU32::new);
    ordinal.ok_or_else(|| corrupt("ordinal"))
}

fn digest<T: std::str::FromStr>(json: &Json, name: &str) -> Result<T, RepositoryError> {
    word(json, name)?.parse().map_err(|_| corrupt(name))
}

fn list<'a>(json: &'a Json, name: &str) -> Result<&'a [Json], RepositoryError> {
    match json.get(name) {
        Some(Json::Array(items)) => Ok(items),
        _ => Err(corrupt(name)),
    }
}

fn corrupt(what: &str) -> RepositoryError {
    RepositoryError::Corrupt(format!("the record of a step: {what}"))
}
