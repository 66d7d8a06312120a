//! What the runs did, call by call, as their conversations tell it.

use std::collections::BTreeMap;

use idem_tools::agent::{CallAnswer, Message};
use idem_tools::approval::Approval;
use idem_tools::{ProposedCall, codes};
use serde_json::Value;

use super::model::place_of;
use super::pass::Played;
use crate::Outcome;
use crate::client::REFUSED;
use crate::place::Place;
use crate::recording::{Conversation, is_refusal};
use crate::tools::Catalogue;
use crate::vendor::book::Call;

/// Where a call stands: the turn's number, the step and its position there, both from 0.
pub(super) type Spot = (String, u32, usize, usize);

/// One call and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    pub(super) call: Call,
    /// The answer as the model was given it; nothing where there is none yet.
    pub(super) answer: Option<String>,
}

impl Told {
    /// The code of the failure that it was answered with.
    pub(super) fn code(&self) -> Option<String> {
        let answer: Value = serde_json::from_str(self.answer.as_deref()?).ok()?;
        answer["error"]["code"].as_str().map(str::to_owned)
    }

    pub(super) fn succeeded(&self) -> bool {
        self.answer.is_some() && self.code().is_none()
    }

    pub(super) fn is_denied(&self) -> bool {
        self.code().as_deref() == Some(codes::DENIED)
    }

    pub(super) fn is_unknown(&self) -> bool {
        self.code().as_deref() == Some(codes::OUTCOME_UNKNOWN)
    }
}

/// Every call of these conversations, by where it stands.
pub(super) fn calls(
    told: &BTreeMap<String, Vec<Message>>,
    catalogue: &Catalogue,
) -> Outcome<BTreeMap<Spot, Told>> {
    let mut calls = BTreeMap::new();
    for (run, messages) in told {
        let (mut place, mut step) = (None, 0);
        for message in messages {
            match message {
                Message::User(body) => {
                    place = place_of(body);
                    step = 0;
                }
                Message::Assistant {
                    calls: proposed, ..
                } => {
                    let place = place.as_ref().ok_or("a model speaks before its user")?;
                    for (at, call) in proposed.iter().enumerate() {
                        let spot = (run.clone(), place.turn, step, at);
                        let call = identity(place, call, catalogue)?;
                        calls.insert(spot, Told { call, answer: None });
                    }
                    step += 1;
                }
                Message::Answers(answers) => {
                    let place = place.as_ref().ok_or("an answer comes before a user")?;
                    let of_step = (run.as_str(), place.turn, step - 1);
                    note(&mut calls, of_step, answers)?;
                }
                _ => return Err("a message of a kind that is not known".into()),
            }
        }
    }
    Ok(calls)
}

fn note(
    calls: &mut BTreeMap<Spot, Told>,
    (run, turn, step): (&str, u32, usize),
    answers: &[CallAnswer],
) -> Outcome<()> {
    for (at, answer) in answers.iter().enumerate() {
        let told = calls.get_mut(&(run.to_owned(), turn, step, at));
        let told = told.ok_or("an answer without a call")?;
        told.answer = Some(answer.text.clone());
    }
    Ok(())
}

/// Every card, with the call that it is about.
pub(super) fn cards<'p>(
    played: &'p Played,
    catalogue: &Catalogue,
) -> Outcome<Vec<(&'p Approval, Call)>> {
    let with_call = |card: &'p Approval| {
        let place = played.places.named(&card.turn);
        let place = place.ok_or("a card is of a turn that is not in the recordings")?;
        let written = ProposedCall::new("", &*card.tool, &*card.proposed.input);
        Ok((card, identity(place, &written, catalogue)?))
    };
    played.cards.iter().map(with_call).collect()
}

fn identity(place: &Place, call: &ProposedCall, catalogue: &Catalogue) -> Outcome<Call> {
    let written = call.arguments_text();
    let facts = catalogue.get(call.tool());
    let canonical = facts.and_then(|facts| (facts.canonical)(&written).ok());
    Ok(Call {
        place: place.clone(),
        tool: call.tool().to_owned(),
        // What a tool refuses has no canonical form.
        arguments: canonical.unwrap_or(written),
    })
}

/// The recorded calls, by where they stand, with the answers that are recorded.
pub(super) fn recorded(conversations: &[Conversation]) -> BTreeMap<Spot, Option<String>> {
    let mut results = BTreeMap::new();
    for conversation in conversations {
        for turn in &conversation.turns {
            for (step, response) in turn.steps.iter().enumerate() {
                for (at, call) in response.calls.iter().enumerate() {
                    let spot = (conversation.id.clone(), turn.number, step, at);
                    results.insert(spot, call.result.clone());
                }
            }
        }
    }
    results
}

/// Whether an answer is the recorded one, word for word.
pub(super) fn is_as_recorded(answer: &str, recorded: &str) -> bool {
    let Ok(answer) = serde_json::from_str::<Value>(answer) else {
        return false;
    };
    match is_refusal(recorded) {
        false => answer.as_str() == Some(recorded),
        true => {
            let error = &answer["error"];
            error["code"] == REFUSED && error["message"] == recorded
        }
    }
}
