//! The story as data: which worker runs what, what breaks, and what must have happened in the end.

use crate::book::Book;
use crate::protocol::{Counters, Point};

/// One worker's part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene {
    /// Printed above the first worker of a chapter.
    pub(crate) chapter: Option<&'static str>,
    /// The turns that the worker runs, in order.
    pub(crate) turns: &'static [u32],
    /// Which recording of the model's answer it gets: each retry asks the model again.
    pub(crate) sample: usize,
    /// The vendor does the work of the next request and drops its reply.
    pub(crate) drops_reply: bool,
    /// How it ends.
    pub(crate) end: End,
}

/// How a worker ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It has an answer to every call.
    Finishes,
    /// It is killed here.
    Killed(Point),
    /// It ends by itself, because a person is asked; then one says yes. Without Idem nobody is asked, and there is no
    /// such worker.
    Waits,
}

impl Scene {
    /// A worker that runs one turn.
    const fn of(turns: &'static [u32], sample: usize, end: End) -> Self {
        Self {
            chapter: None,
            turns,
            sample,
            drops_reply: false,
            end,
        }
    }

    const fn begins(self, chapter: &'static str) -> Self {
        Self {
            chapter: Some(chapter),
            ..self
        }
    }

    const fn and_its_reply_is_dropped(self) -> Self {
        Self {
            drops_reply: true,
            ..self
        }
    }
}

/// Both modes play it.
pub(crate) const STORY: [Scene; 8] = [
    Scene::of(&[1], 0, End::Killed(Point::ReminderBeforeCommit)).begins(
        "Turn 1: a reminder, a row of the application's table. One worker dies before its commit, one after it.",
    ),
    Scene::of(&[1], 1, End::Killed(Point::ReminderAfterCommit)),
    Scene::of(&[1], 2, End::Finishes),
    Scene::of(&[2], 0, End::Waits)
        .begins("Turn 2: an e-mail, which needs a yes. The worker asks and ends."),
    Scene::of(&[2], 1, End::Killed(Point::EmailBeforeWire))
        .begins("The e-mail is sent. One worker dies before the wire, the next one's reply gets lost."),
    Scene::of(&[2], 2, End::Killed(Point::EmailReplyLost)).and_its_reply_is_dropped(),
    Scene::of(&[2], 3, End::Finishes),
    Scene::of(&[1, 2], 0, End::Finishes).begins("A fresh worker replays the whole conversation."),
];

/// What must have happened when the story is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    /// Rows of the application's table.
    pub(crate) reminders: u32,
    pub(crate) book: Book,
    pub(crate) counters: Counters,
}

/// With Idem: four of the requests and runs repeat an effect, and none of them makes one.
pub(crate) const WITH_IDEM: Expected = Expected {
    reminders: 1,
    book: Book {
        requests: 2,
        distinct_keys: 1,
        effects: 1,
        answered_from_keys: 1,
        replies_dropped: 1,
    },
    counters: Counters {
        replayed: 3,
        vendor_repeats: 1,
    },
};

/// Without: each commit is a reminder, and each request an e-mail.
pub(crate) const WITHOUT_IDEM: Expected = Expected {
    reminders: 3,
    book: Book {
        requests: 3,
        distinct_keys: 0,
        effects: 3,
        answered_from_keys: 0,
        replies_dropped: 1,
    },
    counters: Counters {
        replayed: 0,
        vendor_repeats: 0,
    },
};

impl Expected {
    /// One sentence for each number that differs from what was seen.
    pub(crate) fn differences(&self, seen: &Self) -> Vec<String> {
        let numbers = |all: &Self| {
            [
                ("rows in the application's table", all.reminders),
                ("e-mail requests", all.book.requests),
                ("e-mail keys", all.book.distinct_keys),
                ("e-mails", all.book.effects),
                (
                    "e-mail requests answered from the vendor's keys",
                    all.book.answered_from_keys,
                ),
                ("dropped replies to an e-mail", all.book.replies_dropped),
                ("answers from the journal", all.counters.replayed),
                (
                    "repeats that a worker saw the vendor recognise",
                    all.counters.vendor_repeats,
                ),
            ]
        };
        let pairs = numbers(self).into_iter().zip(numbers(seen));
        pairs
            .filter(|((_, expected), (_, seen))| expected != seen)
            .map(|((what, expected), (_, seen))| format!("{what}: expected {expected}, saw {seen}"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named_with_both_numbers() {
        let mut seen = WITH_IDEM;
        seen.book.effects = 2;
        let found = WITH_IDEM.differences(&seen);
        assert_eq!(found, ["e-mails: expected 1, saw 2"]);
        assert!(WITH_IDEM.differences(&WITH_IDEM).is_empty());
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
