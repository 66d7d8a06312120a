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
    /// Every turn of the recordings: the run is named as the conversation, a message as [`Place::message_id`] says.
    pub(crate) fn of(conversations: &[Conversation]) -> Outcome<Self> {
        let mut places = Self::default();
        for conversation in conversations {
            for turn in &conversation.turns {
                let place = Place {
                    conversation: conversation.id.clone(),
                    turn: turn.number,
                };
                let by_message = LogicalTurn::of_messages(&[place.message_id()?])?;
                places.0.insert(place.numbered()?, place.clone());
                places.0.insert(by_message, place);
            }
        }
        Ok(places)
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
        let third = Place { turn: 3, ..place };
        assert_eq!(places.find(&third.numbered().unwrap()), None);
    }
}
