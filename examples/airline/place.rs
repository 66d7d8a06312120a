//! Where in the recordings a call stands: its conversation and its turn there.
//!
//! A tool knows the logical turn that it acts for, and nothing of recordings. Its text is made of the run and a number,
//! or of the ids of the user's messages; both are known of each recorded turn before anything runs.

use std::collections::BTreeMap;

use idem_tools::plane::identity::{LogicalTurn, MessageId, RunId};
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::recording::Conversation;

/// One turn of one recorded conversation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) conversation: String,
    /// From 1.
    pub(crate) turn: u32,
}

impl Place {
    /// The id of the user's message that starts the turn, for an inbox.
    pub(crate) fn message_id(&self) -> Outcome<MessageId> {
        Ok(MessageId::new(format!(
            "{}:{}",
            self.conversation, self.turn
        ))?)
    }

    fn next(&self) -> Self {
        Self {
            conversation: self.conversation.clone(),
            turn: self.turn + 1,
        }
    }

    /// The turn as the run of its conversation numbers it.
    pub(crate) fn numbered(&self) -> Outcome<LogicalTurn> {
        let run = RunId::new(&*self.conversation)?;
        Ok(LogicalTurn::numbered(&run, self.turn))
    }
}

/// The places by their logical turns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(BTreeMap<LogicalTurn, Place>);

impl Places {
    /// Every turn of the recordings: the run is named as the conversation, a message as [`Place::message_id`] says. A turn
    /// that goes by the next message too is found as well, so that what is done under such a name stands in the book.
    pub(crate) fn of(conversations: &[Conversation]) -> Outcome<Self> {
        let mut places = Self::default();
        for conversation in conversations {
            for turn in &conversation.turns {
                let place = Place {
                    conversation: conversation.id.clone(),
                    turn: turn.number,
                };
                let (own, next) = (place.message_id()?, place.next().message_id()?);
                places.0.insert(place.numbered()?, place.clone());
                let by_message = LogicalTurn::of_messages(std::slice::from_ref(&own))?;
                places.0.insert(by_message, place.clone());
                places
                    .0
                    .insert(LogicalTurn::of_messages(&[own, next])?, place);
            }
        }
        Ok(places)
    }

    /// Where the logical turn with this text stands.
    pub(crate) fn named(&self, turn: &str) -> Option<&Place> {
        let mut places = self.0.iter();
        places.find_map(|(of, place)| (of.as_ref() == turn).then_some(place))
    }

    /// Where a logical turn stands.
    pub(crate) fn find(&self, turn: &LogicalTurn) -> Option<&Place> {
        self.0.get(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::parse;

    #[test]
    fn a_turn_is_found_by_its_number_and_by_its_message() {
        let messages = r#"[{"role":"user","content":"a"},{"role":"user","content":"b"}]"#;
        let line = format!(r#"{{"id":"one","messages":{messages}}}"#);
        let places = Places::of(&[parse(&line).unwrap()]).unwrap();
        let place = Place {
            conversation: "one".to_owned(),
            turn: 2,
        };
        let by_message = LogicalTurn::of_messages(&[place.message_id().unwrap()]).unwrap();
        for turn in [place.numbered().unwrap(), by_message] {
            assert_eq!(places.find(&turn), Some(&place));
        }
        let (one, two) = (
            Place {
                turn: 1,
                ..place.clone()
            },
            place.clone(),
        );
        let both = [one.message_id().unwrap(), two.message_id().unwrap()];
        let both = LogicalTurn::of_messages(&both).unwrap();
        assert_eq!(places.find(&both), Some(&one));
        assert_eq!(places.named(both.as_ref()), Some(&one));
        let third = Place { turn: 3, ..place };
        assert_eq!(places.find(&third.numbered().unwrap()), None);
    }
}
