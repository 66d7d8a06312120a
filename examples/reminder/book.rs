//! The vendor's memory: its key store and its book of requests, distinct keys and effects.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What the vendor did about e-mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Book {
    pub(crate) requests: u32,
    pub(crate) distinct_keys: u32,
    pub(crate) effects: u32,
    pub(crate) answered_from_keys: u32,
    pub(crate) replies_dropped: u32,
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
    answers: HashMap<String, (Value, Value)>,
    /// The next reply is dropped after the work is done.
    armed: bool,
}

impl Ledger {
    pub(crate) fn book(&self) -> Book {
        self.book
    }

    /// The next request is worked and not answered.
    pub(crate) fn drop_next_reply(&mut self) {
        self.armed = true;
    }

    /// Whether this reply is to be dropped; says so once for each time it was armed.
    pub(crate) fn drops_reply(&mut self) -> bool {
        let armed = std::mem::take(&mut self.armed);
        self.book.replies_dropped += u32::from(armed);
        armed
    }

    /// Works one request.
    pub(crate) fn work(&mut self, key: Option<&str>, body: &Value) -> Reply {
        let book = &mut self.book;
        book.requests += 1;
        if let Some((first_body, answer)) = key.and_then(|key| self.answers.get(key)) {
            if first_body != body {
                return Reply::KeyReused;
            }
            book.answered_from_keys += 1;
            return Reply::Again(answer.clone());
        }
        book.effects += 1;
        let answer = json!({ "id": format!("email_{}", book.effects) });
        if let Some(key) = key {
            book.distinct_keys += 1;
            self.answers
                .insert(key.to_owned(), (body.clone(), answer.clone()));
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
        let body = json!({ "to": "a" });
        let first = ledger.work(Some("k"), &body);
        let again = ledger.work(Some("k"), &body);
        assert_eq!(first, Reply::Created(json!({ "id": "email_1" })));
        assert_eq!(again, Reply::Again(json!({ "id": "email_1" })));
        let book = ledger.book();
        assert_eq!((book.requests, book.distinct_keys, book.effects), (2, 1, 1));
    }

    #[test]
    fn a_key_is_refused_for_another_request() {
        let mut ledger = Ledger::default();
        ledger.work(Some("k"), &json!({ "to": "a" }));
        let other = ledger.work(Some("k"), &json!({ "to": "b" }));
        assert_eq!(other, Reply::KeyReused);
        assert_eq!(ledger.book().effects, 1);
    }

    #[test]
    fn without_a_key_each_request_is_an_effect() {
        let mut ledger = Ledger::default();
        let body = json!({ "to": "a" });
        ledger.work(None, &body);
        ledger.work(None, &body);
        let book = ledger.book();
        assert_eq!((book.requests, book.distinct_keys, book.effects), (2, 0, 2));
    }

    #[test]
    fn an_armed_drop_is_used_up_by_one_reply() {
        let mut ledger = Ledger::default();
        ledger.drop_next_reply();
        assert!(ledger.drops_reply());
        assert!(!ledger.drops_reply());
    }
}
