//! The story as data: which worker runs what, what breaks, and what the vendor's book must say in the end.

use crate::book::{Book, Page};
use crate::protocol::{Counters, Kind, Moment, Point};

/// One worker's part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene {
    /// Printed above the first worker of a chapter.
    pub(crate) chapter: Option<&'static str>,
    /// The turns that the worker runs, in order.
    pub(crate) turns: &'static [u32],
    /// Which recording of the model's answer it gets: each retry asks the model again.
    pub(crate) sample: usize,
    /// The vendor does the work of the next such request and drops its reply.
    pub(crate) drops_reply: Option<Kind>,
    /// Where the worker is killed; none: it finishes.
    pub(crate) killed_at: Option<Point>,
}

const REPLY_LOST: Point = Point {
    kind: Kind::Reminder,
    moment: Moment::ReplyLost,
};
const BEFORE_WIRE: Point = Point {
    kind: Kind::Email,
    moment: Moment::BeforeWire,
};
const AFTER_WIRE: Point = Point {
    kind: Kind::Email,
    moment: Moment::AfterWire,
};

/// Both modes play it.
pub(crate) const STORY: [Scene; 6] = [
    Scene {
        chapter: Some("Turn 1: a reminder. The vendor creates it, and its reply gets lost."),
        turns: &[1],
        sample: 0,
        drops_reply: Some(Kind::Reminder),
        killed_at: Some(REPLY_LOST),
    },
    Scene {
        chapter: None,
        turns: &[1],
        sample: 1,
        drops_reply: None,
        killed_at: None,
    },
    Scene {
        chapter: Some("Turn 2: an e-mail. One worker dies before the wire, the next one after it."),
        turns: &[2],
        sample: 0,
        drops_reply: None,
        killed_at: Some(BEFORE_WIRE),
    },
    Scene {
        chapter: None,
        turns: &[2],
        sample: 1,
        drops_reply: None,
        killed_at: Some(AFTER_WIRE),
    },
    Scene {
        chapter: None,
        turns: &[2],
        sample: 2,
        drops_reply: None,
        killed_at: None,
    },
    Scene {
        chapter: Some("A fresh worker replays the whole conversation."),
        turns: &[1, 2],
        sample: 0,
        drops_reply: None,
        killed_at: None,
    },
];

/// What must have happened when the story is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) book: Book,
    pub(crate) counters: Counters,
}

/// With Idem: four of the requests and runs repeat an effect, and none of them makes one.
pub(crate) const WITH_IDEM: Expected = Expected {
    book: Book {
        reminders: Page {
            requests: 2,
            distinct_keys: 1,
            effects: 1,
            answered_from_keys: 1,
            replies_dropped: 1,
        },
        emails: Page {
            requests: 2,
            distinct_keys: 1,
            effects: 1,
            answered_from_keys: 1,
            replies_dropped: 0,
        },
    },
    counters: Counters {
        replayed: 2,
        vendor_repeats: 2,
    },
};

/// With plain calls: each request is an effect.
pub(crate) const WITHOUT_IDEM: Expected = Expected {
    book: Book {
        reminders: Page {
            requests: 3,
            distinct_keys: 0,
            effects: 3,
            answered_from_keys: 0,
            replies_dropped: 1,
        },
        emails: Page {
            requests: 3,
            distinct_keys: 0,
            effects: 3,
            answered_from_keys: 0,
            replies_dropped: 0,
        },
    },
    counters: Counters {
        replayed: 0,
        vendor_repeats: 0,
    },
};

impl Expected {
    /// One sentence for each number that differs from what was seen.
    pub(crate) fn differences(&self, book: &Book, counters: Counters) -> Vec<String> {
        let numbers = [
            (
                "reminder requests",
                self.book.reminders.requests,
                book.reminders.requests,
            ),
            (
                "reminder keys",
                self.book.reminders.distinct_keys,
                book.reminders.distinct_keys,
            ),
            (
                "reminders",
                self.book.reminders.effects,
                book.reminders.effects,
            ),
            (
                "reminder requests answered from the vendor's keys",
                self.book.reminders.answered_from_keys,
                book.reminders.answered_from_keys,
            ),
            (
                "dropped replies to a reminder",
                self.book.reminders.replies_dropped,
                book.reminders.replies_dropped,
            ),
            (
                "e-mail requests",
                self.book.emails.requests,
                book.emails.requests,
            ),
            (
                "e-mail keys",
                self.book.emails.distinct_keys,
                book.emails.distinct_keys,
            ),
            ("e-mails", self.book.emails.effects, book.emails.effects),
            (
                "e-mail requests answered from the vendor's keys",
                self.book.emails.answered_from_keys,
                book.emails.answered_from_keys,
            ),
            (
                "dropped replies to an e-mail",
                self.book.emails.replies_dropped,
                book.emails.replies_dropped,
            ),
            (
                "answers from the journal",
                self.counters.replayed,
                counters.replayed,
            ),
            (
                "repeats that a worker saw the vendor recognise",
                self.counters.vendor_repeats,
                counters.vendor_repeats,
            ),
        ];
        let wrong = numbers
            .into_iter()
            .filter(|(_, expected, seen)| expected != seen);
        wrong
            .map(|(what, expected, seen)| format!("{what}: expected {expected}, saw {seen}"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named_with_both_numbers() {
        let mut book = WITH_IDEM.book;
        book.emails.effects = 2;
        let found = WITH_IDEM.differences(&book, WITH_IDEM.counters);
        assert_eq!(found, ["e-mails: expected 1, saw 2"]);
    }

    #[test]
    fn every_scene_has_its_recording() {
        let conversation = crate::conversation::Conversation::recorded().unwrap();
        for scene in STORY {
            for turn in scene.turns {
                assert_eq!(conversation.calls(*turn, scene.sample).unwrap().len(), 1);
                assert!(!conversation.asked(*turn).unwrap().is_empty());
            }
        }
    }
}
