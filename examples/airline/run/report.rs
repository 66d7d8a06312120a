//! What an invocation came to, for a program and for a person.

use std::collections::BTreeMap;

use serde::Serialize;

use super::oracle::Judgement;
use super::pass::Played;

/// The document of `--json`. Where there was chaos, the counts are those of the chaotic pass; what must be 0 is the sum
/// of both passes.
#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    pub(super) conversations: usize,
    pub(super) calls: usize,
    pub(super) keys: usize,
    pub(super) writes: usize,
    pub(super) distinct_writes: usize,
    pub(super) requests: u32,
    pub(super) effects: u32,
    pub(super) duplicates: u32,
    pub(super) lost: usize,
    pub(super) stuck: usize,
    pub(super) mismatches: usize,
    pub(super) replayed: u64,
    pub(super) unknown: usize,
    pub(super) unknown_bound: usize,
    pub(super) approvals_asked: usize,
    pub(super) approvals_repeated: usize,
    pub(super) denied: usize,
    pub(super) denied_done: usize,
    pub(super) kills: u32,
    pub(super) faults: u32,
    pub(super) seconds: f64,
    /// The faults by their kind.
    pub(super) faults_by_kind: BTreeMap<String, u32>,
    /// What is wrong, a sentence each; the counts are whole, the sentences may be cut.
    pub(super) wrong: Vec<String>,
}

impl Report {
    /// Adds a pass. The counts of the last one stand.
    pub(super) fn add(&mut self, played: &Played, judgement: Judgement) {
        self.conversations = played.told.len();
        (self.calls, self.keys) = (judgement.calls, judgement.keys);
        (self.writes, self.distinct_writes) = (judgement.writes, judgement.distinct_writes);
        (self.requests, self.effects) = (played.book.requests, played.book.effects);
        self.duplicates += judgement.duplicates;
        self.lost += judgement.lost;
        self.stuck += played.stuck.len();
        self.mismatches += judgement.mismatches;
        self.replayed = played.heard.replayed;
        (self.unknown, self.unknown_bound) = (judgement.unknown, played.heard.in_doubt.len());
        self.approvals_asked = played.cards.len();
        self.approvals_repeated += judgement.approvals_repeated;
        self.denied = judgement.denied;
        self.denied_done += judgement.denied_done;
        self.kills = played.kills;
        self.seconds += played.elapsed.as_secs_f64();
        self.wrong.extend(judgement.wrong);
        if self.unknown > self.unknown_bound {
            self.wrong.push(format!(
                "{} calls are answered with `outcome_unknown`, and {} could be",
                self.unknown, self.unknown_bound
            ));
        }
        self.count_faults(played);
    }

    fn count_faults(&mut self, played: &Played) {
        let book = played.book.faults.iter();
        let name = |fault| {
            serde_json::to_value(fault)
                .ok()?
                .as_str()
                .map(str::to_owned)
        };
        let mut faults: BTreeMap<String, u32> = book
            .filter_map(|(fault, many)| Some((name(fault)?, *many)))
            .collect();
        let decisions = &played.decisions;
        for (name, many) in [
            ("kill", played.kills),
            ("driven-twice", played.driven_twice),
            ("impatient", played.impatient),
            ("approved-late", decisions.late),
            ("approved-twice", decisions.twice),
            ("contradicted", decisions.contradicted),
        ] {
            faults.insert(name.to_owned(), many);
        }
        self.faults = faults.values().sum();
        self.faults_by_kind = faults;
    }

    /// Whether everything is as it must be.
    pub(super) fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }

    /// The report for a person.
    pub(super) fn to_table(&self) -> String {
        let rows: [(&str, String); 21] = [
            ("conversations", self.conversations.to_string()),
            ("calls", self.calls.to_string()),
            ("keys", self.keys.to_string()),
            ("writes", self.writes.to_string()),
            ("distinct writes", self.distinct_writes.to_string()),
            ("requests", self.requests.to_string()),
            ("effects", self.effects.to_string()),
            ("duplicates", self.duplicates.to_string()),
            ("lost", self.lost.to_string()),
            ("stuck", self.stuck.to_string()),
            ("mismatches", self.mismatches.to_string()),
            ("replayed", self.replayed.to_string()),
            ("unknown", self.unknown.to_string()),
            ("unknown bound", self.unknown_bound.to_string()),
            ("approvals asked", self.approvals_asked.to_string()),
            ("approvals repeated", self.approvals_repeated.to_string()),
            ("denied", self.denied.to_string()),
            ("denied and done", self.denied_done.to_string()),
            ("kills", self.kills.to_string()),
            ("faults", self.faults.to_string()),
            ("seconds", format!("{:.1}", self.seconds)),
        ];
        let rows = rows
            .iter()
            .map(|(name, value)| format!("{name:<20} {value:>8}"));
        let kinds = self.faults_by_kind.iter().filter(|(_, many)| **many > 0);
        let kinds = kinds.map(|(kind, many)| format!("  {kind:<18} {many:>8}"));
        let wrong = self.wrong.iter().map(|what| format!("wrong: {what}"));
        rows.chain(kinds)
            .chain(wrong)
            .collect::<Vec<_>>()
            .join("\n")
    }
}
