//! The vendor's memory: its key store and its book of requests, distinct keys and effects.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::protocol::Kind;

/// What the vendor did for one kind of request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Page {
    pub(crate) requests: u32,
    pub(crate) distinct_keys: u32,
    pub(crate) effects: u32,
    pub(crate) answered_from_keys: u32,
    pub(crate) replies_dropped: u32,
}

/// The book as the vendor shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Book {
    pub(crate) reminders: Page,
    pub(crate) emails: Page,
}

impl Book {
    fn page_mut(&mut self, kind: Kind) -> &mut Page {
        match kind {
            Kind::Reminder => &mut self.reminders,
            Kind::Email => &mut self.emails,
        }
    }
}

/// What the vendor makes of one request.
#[derive(Debug, PartialEq)]
pub(crate) enum Reply {
    /// The effect happened.
    Created(Value),
    /// The key is known: the first answer again, and no effect.
    Again(Value),
    /// The key was used for another request.
    KeyReused,
}

/// The vendor's state.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    book: Book,
    answers: HashMap<String, (Kind, Value, Value)>,
    /// The kinds whose next reply is dropped after the work is done.
    armed: HashSet<&'static str>,
}

impl Ledger {
    pub(crate) fn book(&self) -> Book {
        self.book
    }

    /// The next request of this kind is worked and not answered.
    pub(crate) fn drop_next_reply(&mut self, kind: Kind) {
        self.armed.insert(kind.word());
    }

    /// Whether this reply is to be dropped; says so once for each time it was armed.
    pub(crate) fn drops_reply(&mut self, kind: Kind) -> bool {
        let armed = self.armed.remove(kind.word());
        self.book.page_mut(kind).replies_dropped += u32::from(armed);
        armed
    }

    /// Works one request.
    pub(crate) fn work(&mut self, kind: Kind, key: Option<&str>, body: &Value) -> Reply {
        let page = self.book.page_mut(kind);
        page.requests += 1;
        if let Some((first_kind, first_body, answer)) = key.and_then(|key| self.answers.get(key)) {
            if *first_kind != kind || first_body != body {
                return Reply::KeyReused;
            }
            page.answered_from_keys += 1;
            return Reply::Again(answer.clone());
        }
        page.effects += 1;
        let answer = json!({ "id": format!("{}_{}", kind.word(), page.effects) });
        if let Some(key) = key {
            page.distinct_keys += 1;
            self.answers
                .insert(key.to_owned(), (kind, body.clone(), answer.clone()));
        }
        Reply::Created(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_key_gets_the_first_answer_and_no_second_effect() {
        let mut ledger = Ledger::default();
        let body = json!({ "text": "x" });
        let first = ledger.work(Kind::Reminder, Some("k"), &body);
        let again = ledger.work(Kind::Reminder, Some("k"), &body);
        assert_eq!(first, Reply::Created(json!({ "id": "reminder_1" })));
        assert_eq!(again, Reply::Again(json!({ "id": "reminder_1" })));
        let page = ledger.book().reminders;
        assert_eq!((page.requests, page.distinct_keys, page.effects), (2, 1, 1));
    }

    #[test]
    fn a_key_is_refused_for_another_request() {
        let mut ledger = Ledger::default();
        ledger.work(Kind::Email, Some("k"), &json!({ "to": "a" }));
        assert_eq!(
            ledger.work(Kind::Email, Some("k"), &json!({ "to": "b" })),
            Reply::KeyReused
        );
        assert_eq!(ledger.book().emails.effects, 1);
    }

    #[test]
    fn without_a_key_each_request_is_an_effect() {
        let mut ledger = Ledger::default();
        let body = json!({ "to": "a" });
        ledger.work(Kind::Email, None, &body);
        ledger.work(Kind::Email, None, &body);
        let page = ledger.book().emails;
        assert_eq!((page.requests, page.distinct_keys, page.effects), (2, 0, 2));
    }

    #[test]
    fn an_armed_drop_is_used_up_by_one_reply() {
        let mut ledger = Ledger::default();
        ledger.drop_next_reply(Kind::Reminder);
        assert!(!ledger.drops_reply(Kind::Email));
        assert!(ledger.drops_reply(Kind::Reminder));
        assert!(!ledger.drops_reply(Kind::Reminder));
    }
}
