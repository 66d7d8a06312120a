//! `airline decode`: the recorded calls, read as the tools would read them.

use std::collections::{BTreeMap, BTreeSet};

use idem_tools::plane::identity::{IdempotencyKey, KeyKind, ToolName};
use serde::Serialize;

use crate::Outcome;
use crate::place::Place;
use crate::recording::{Conversation, RecordedCall};
use crate::tools::{Catalogue, Facts};

/// What the recordings come to.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) conversations: usize,
    pub(crate) user_turns: usize,
    pub(crate) calls: usize,
    pub(crate) decoded: usize,
    /// By conversation, turn, tool and canonical arguments.
    pub(crate) distinct_keys: usize,
    /// Conversations in which the model gave one id to several calls.
    pub(crate) conversations_with_repeated_ids: usize,
    pub(crate) writes: Writes,
    pub(crate) tools: BTreeMap<&'static str, Counts>,
    pub(crate) refused: Vec<Refused>,
}

/// The calls that change a booking or send a certificate.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Writes {
    pub(crate) calls: usize,
    pub(crate) distinct_keys: usize,
    /// Distinct ones that are recorded as done: how many effects a replay has to make.
    pub(crate) succeeded: usize,
}

/// The calls of one tool.
#[derive(Debug, Serialize)]
pub(crate) struct Counts {
    pub(crate) effect: &'static str,
    pub(crate) calls: usize,
    pub(crate) decoded: usize,
    pub(crate) refused: usize,
    pub(crate) distinct_keys: usize,
}

/// A call that its tool does not take.
#[derive(Debug, Serialize)]
pub(crate) struct Refused {
    #[serde(flatten)]
    pub(crate) place: Place,
    /// The model's id of it.
    pub(crate) call: String,
    pub(crate) tool: String,
    pub(crate) reason: String,
    /// What the recording says came of it.
    pub(crate) recorded: Option<String>,
}

/// Reads every call of the recordings.
pub(crate) fn report(conversations: &[Conversation]) -> Outcome<Report> {
    let catalogue = Catalogue::new();
    let mut reader = Reader {
        report: Report {
            conversations: conversations.len(),
            tools: catalogue
                .iter()
                .map(|(name, facts)| (name, Counts::new(facts)))
                .collect(),
            ..Report::default()
        },
        keys: BTreeSet::new(),
    };
    for conversation in conversations {
        let mut ids = BTreeSet::new();
        let mut repeated = false;
        for (turn, _, call) in conversation.calls() {
            let place = Place {
                conversation: conversation.id.clone(),
                turn: turn.number,
            };
            repeated |= !ids.insert(&call.id);
            reader.call(place, call, catalogue.get(&call.tool))?;
        }
        reader.report.user_turns += conversation.turns.len();
        reader.report.conversations_with_repeated_ids += usize::from(repeated);
    }
    Ok(reader.report)
}

struct Reader {
    report: Report,
    keys: BTreeSet<IdempotencyKey>,
}

impl Reader {
    fn call(&mut self, place: Place, call: &RecordedCall, facts: Option<&Facts>) -> Outcome<()> {
        self.report.calls += 1;
        let decoded = match facts {
            Some(facts) => (facts.canonical)(&call.arguments).map(|text| (facts, text)),
            None => Err("no tool has this name".to_owned()),
        };
        let mut counts = self.report.tools.get_mut(call.tool.as_str());
        if let Some(counts) = &mut counts {
            counts.calls += 1;
            counts.decoded += usize::from(decoded.is_ok());
            counts.refused += usize::from(decoded.is_err());
        }
        let (facts, arguments) = match decoded {
            Ok(decoded) => decoded,
            Err(reason) => {
                self.report.refused.push(Refused {
                    place,
                    call: call.id.clone(),
                    tool: call.tool.clone(),
                    reason,
                    recorded: call.result.clone(),
                });
                return Ok(());
            }
        };
        // Every class alike: a look-up that is made again in its turn is counted once here, although a later step asks anew.
        let turn = place.numbered()?;
        let kind = KeyKind::Turn { turn: &turn };
        let key = IdempotencyKey::new(kind, &ToolName::new(&*call.tool)?, &arguments);
        let new = self.keys.insert(key);
        self.report.decoded += 1;
        self.report.distinct_keys += usize::from(new);
        if let Some(counts) = counts {
            counts.distinct_keys += usize::from(new);
        }
        if facts.writes {
            let writes = &mut self.report.writes;
            writes.calls += 1;
            writes.distinct_keys += usize::from(new);
            writes.succeeded += usize::from(new && call.succeeded());
        }
        Ok(())
    }
}

impl Counts {
    fn new(facts: &Facts) -> Self {
        Self {
            effect: facts.effect.word(),
            calls: 0,
            decoded: 0,
            refused: 0,
            distinct_keys: 0,
        }
    }
}

impl Report {
    /// The report for a person.
    pub(crate) fn to_table(&self) -> String {
        let mut lines = vec![row([
            "tool", "class", "calls", "decoded", "refused", "keys",
        ])];
        for (name, tool) in &self.tools {
            let [calls, decoded, refused, keys] =
                [tool.calls, tool.decoded, tool.refused, tool.distinct_keys].map(|n| n.to_string());
            lines.push(row([name, tool.effect, &calls, &decoded, &refused, &keys]));
        }
        lines.push(String::new());
        lines.push(format!(
            "{} conversations with {} user turns; in {} conversations the model gave one id to several calls",
            self.conversations, self.user_turns, self.conversations_with_repeated_ids
        ));
        lines.push(format!(
            "{} calls: {} decoded, {} refused, {} distinct keys",
            self.calls,
            self.decoded,
            self.refused.len(),
            self.distinct_keys
        ));
        lines.push(format!(
            "{} calls write: {} distinct keys, of which {} are recorded as done",
            self.writes.calls, self.writes.distinct_keys, self.writes.succeeded
        ));
        for refused in &self.refused {
            let Place { conversation, turn } = &refused.place;
            lines.push(visible(&format!(
                "refused: {conversation}, turn {turn}, {} ({}): {}",
                refused.tool, refused.call, refused.reason
            )));
        }
        lines.join("\n")
    }
}

fn row([tool, class, calls, decoded, refused, keys]: [&str; 6]) -> String {
    format!("{tool:<30} {class:<7} {calls:>6} {decoded:>8} {refused:>8} {keys:>6}")
}

/// A text from elsewhere without characters that a terminal obeys.
fn visible(text: &str) -> String {
    let escape = |character: char| match character.is_control() {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    };
    text.chars().map(escape).collect()
}
