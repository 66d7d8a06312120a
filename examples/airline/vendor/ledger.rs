//! The airline's memory: the recorded results, the keys it was given, and what it did.

use std::collections::{BTreeMap, HashMap};

use idem_tools::Effect;

use super::book::{Book, Call, Entry, Line};
use super::chaos::{Chaos, Fault};
use crate::place::Place;
use crate::recording::{Conversation, is_refusal};
use crate::tools::{Catalogue, HANDOVER, NOTICE};

/// What the airline makes of one request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// It is done, or looked up: the recorded result.
    Done(String),
    /// The recorded result is a refusal.
    Refused(String),
    /// The key was used for another request.
    KeyReused,
    /// No recording has such a call.
    NotRecorded,
}

/// The airline's state.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    catalogue: Catalogue,
    chaos: Chaos,
    /// The recorded results of each call, with the step of each.
    recorded: BTreeMap<Call, Vec<(u32, String)>>,
    keys: HashMap<String, (Call, Reply)>,
    entries: BTreeMap<Call, Entry>,
    book: Book,
}

impl Ledger {
    /// A ledger that has done nothing. A recorded call that its tool refuses is not in it: no tool sends it.
    pub(crate) fn new(conversations: &[Conversation], chaos: Chaos) -> Self {
        let catalogue = Catalogue::with_made_up();
        let mut recorded: BTreeMap<Call, Vec<(u32, String)>> = BTreeMap::new();
        for conversation in conversations {
            for (turn, step, call) in conversation.calls() {
                let facts = catalogue.get(&call.tool);
                let canonical = facts.and_then(|facts| (facts.canonical)(&call.arguments).ok());
                let (Some(arguments), Some(result)) = (canonical, &call.result) else {
                    continue;
                };
                let place = Place {
                    conversation: conversation.id.clone(),
                    turn: turn.number,
                };
                let tool = call.tool.clone();
                let results = recorded.entry(Call {
                    place,
                    tool,
                    arguments,
                });
                results.or_default().push((step, result.clone()));
            }
        }
        Self {
            catalogue,
            chaos,
            recorded,
            ..Self::default()
        }
    }

    /// Counts a request, and says what is to go wrong with it: what its header asks for, or what the script says.
    pub(crate) fn arrives(&mut self, call: &Call, asked: Option<Fault>) -> Option<Fault> {
        self.book.requests += 1;
        let entry = self.entries.entry(call.clone()).or_default();
        entry.requests += 1;
        // Nobody can tell whether a notice whose reply is lost was sent: the script refuses it, and does no more.
        let scripted = || match (self.chaos.fault(&call.text(), entry.requests), &*call.tool) {
            (Some(_), NOTICE) => Some(Fault::TooManyRequests),
            (scripted, _) => scripted,
        };
        let fault = asked.or_else(scripted);
        if let Some(fault) = fault {
            *self.book.faults.entry(fault).or_default() += 1;
        }
        fault
    }

    /// Works one request; says also whether its key was known.
    pub(crate) fn work(&mut self, call: &Call, step: u32, key: Option<&str>) -> (Reply, bool) {
        if let Some((first, reply)) = key.and_then(|key| self.keys.get(key)) {
            if first != call {
                self.book.keys_reused += 1;
                return (Reply::KeyReused, false);
            }
            self.book.answered_from_keys += 1;
            return (reply.clone(), true);
        }
        let reply = self.result(call, step);
        match &reply {
            Reply::Done(_) => self.does(call),
            Reply::NotRecorded => self.book.not_recorded += 1,
            Reply::Refused(_) | Reply::KeyReused => {}
        }
        if let (Some(key), Reply::Done(_) | Reply::Refused(_)) = (key, &reply) {
            self.keys
                .insert(key.to_owned(), (call.clone(), reply.clone()));
        }
        (reply, false)
    }

    /// The recorded result: of this step where the turn has the call more than once, else the first.
    fn result(&self, call: &Call, step: u32) -> Reply {
        let results = self
            .recorded
            .get(call)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let of_step = results.iter().find(|(at, _)| *at == step);
        match of_step.or(results.first()) {
            None => Reply::NotRecorded,
            Some((_, result)) if is_refusal(result) => Reply::Refused(result.clone()),
            Some((_, result)) => Reply::Done(result.clone()),
        }
    }

    fn does(&mut self, call: &Call) {
        if !self.changes(call) {
            return;
        }
        self.entries.entry(call.clone()).or_default().effects += 1;
        match call.tool.as_str() {
            HANDOVER => self.book.handovers += 1,
            NOTICE => self.book.notices += 1,
            _ => self.book.effects += 1,
        }
    }

    fn changes(&self, call: &Call) -> bool {
        let facts = self.catalogue.get(&call.tool);
        facts.is_some_and(|facts| facts.effect != Effect::Read)
    }

    /// How often one call was done.
    pub(crate) fn effects(&self, call: &Call) -> u32 {
        self.entries.get(call).map_or(0, |entry| entry.effects)
    }

    /// The book as it stands.
    pub(crate) fn book(&self) -> Book {
        let changing = self.entries.iter().filter(|(call, _)| self.changes(call));
        let calls: Vec<Line> = changing
            .map(|(call, entry)| Line {
                call: call.clone(),
                entry: *entry,
            })
            .collect();
        let twice = calls.iter().filter(|line| line.entry.effects > 1);
        Book {
            duplicates: twice.cloned().collect(),
            calls,
            ..self.book.clone()
        }
    }
}
