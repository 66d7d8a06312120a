//! What each class guarantees under each fault: the data from which the page's table is printed, and to which the cases
//! hold both stores. It is written by what the rules say, not by what the code did.

use crate::told::Word;
use crate::told::Word::{Answer, InFlight, OutcomeUnknown, RetryableFailure};

/// An effect class, with what else decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Read,
    Transactional,
    Keyed,
    KeyedPast,
    KeyedMarked,
    KeyedMarkedPast,
    Reconcile,
    AtMostOnce,
    AtMostOnceMarked,
}

impl Class {
    /// In the order of the table's columns.
    pub(crate) const ALL: [Self; 9] = [
        Self::Read,
        Self::Transactional,
        Self::Keyed,
        Self::KeyedPast,
        Self::KeyedMarked,
        Self::KeyedMarkedPast,
        Self::Reconcile,
        Self::AtMostOnce,
        Self::AtMostOnceMarked,
    ];

    /// As the page says it.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Read => "`read` (looks)",
            Self::Transactional => "`transactional`",
            Self::Keyed => "`keyed`",
            Self::KeyedPast => "`keyed`, window over",
            Self::KeyedMarked => "`keyed`, marks",
            Self::KeyedMarkedPast => "`keyed`, marks, window over",
            Self::Reconcile => "`reconcile`",
            Self::AtMostOnce => "`at_most_once`",
            Self::AtMostOnceMarked => "`at_most_once`, marks",
        }
    }

    /// The name of its tool.
    pub(crate) const fn tool(self) -> &'static str {
        match self {
            Self::Read => "look",
            Self::Transactional => "write",
            Self::Keyed | Self::KeyedPast => "keyed",
            Self::KeyedMarked | Self::KeyedMarkedPast => "keyed_marked",
            Self::Reconcile => "asked",
            Self::AtMostOnce => "once",
            Self::AtMostOnceMarked => "once_marked",
        }
    }

    pub(crate) const fn vendor_keeps_keys(self) -> bool {
        matches!(
            self,
            Self::Keyed | Self::KeyedPast | Self::KeyedMarked | Self::KeyedMarkedPast
        )
    }

    /// Whether it says itself when it goes to the wire.
    pub(crate) const fn marks(self) -> bool {
        matches!(
            self,
            Self::KeyedMarked | Self::KeyedMarkedPast | Self::AtMostOnceMarked
        )
    }

    /// Whether whoever comes after the lease comes after the vendor's window too.
    pub(crate) const fn is_past_its_window(self) -> bool {
        matches!(self, Self::KeyedPast | Self::KeyedMarkedPast)
    }
}

/// What goes wrong with the first worker's call, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    KilledBeforeMark,
    KilledBeforeWire,
    KilledAfterWire,
    StalledBeforeMark,
    StalledBeforeWire,
    StalledAfterWire,
    TimedOutLandsSoon,
    TimedOutLandsLate,
    BadGatewayDone,
    BadGatewayNotDone,
    VendorReplyLost,
    ClaimReplyLost,
    EndingReplyLost,
}

/// What one class comes to under one fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Effects at the end; of a read, looks.
    pub(crate) effects: usize,
    /// What the callers are told, one after the other.
    pub(crate) told: &'static [Word],
}

const fn cell(effects: usize, told: &'static [Word]) -> Cell {
    Cell { effects, told }
}

/// Told at once.
const ANSWER: &[Word] = &[Answer];
const UNKNOWN: &[Word] = &[OutcomeUnknown];
/// Told after the lease.
const THEN_ANSWER: &[Word] = &[InFlight, Answer];
const THEN_UNKNOWN: &[Word] = &[InFlight, OutcomeUnknown];
/// Told to whoever calls again.
const AGAIN: &[Word] = &[RetryableFailure, Answer];

impl Fault {
    /// In the order of the table's rows.
    pub(crate) const ALL: [Self; 13] = [
        Self::KilledBeforeMark,
        Self::KilledBeforeWire,
        Self::KilledAfterWire,
        Self::StalledBeforeMark,
        Self::StalledBeforeWire,
        Self::StalledAfterWire,
        Self::TimedOutLandsSoon,
        Self::TimedOutLandsLate,
        Self::BadGatewayDone,
        Self::BadGatewayNotDone,
        Self::VendorReplyLost,
        Self::ClaimReplyLost,
        Self::EndingReplyLost,
    ];

    pub(crate) const fn cell(self, class: Class) -> Cell {
        let [read, transactional, keyed, past] = self.without_marks();
        let [keyed_marked, past_marked] = self.keyed_with_marks();
        let [reconcile, at_most_once, once_marked] = self.without_keys();
        match class {
            Class::Read => read,
            Class::Transactional => transactional,
            Class::Keyed => keyed,
            Class::KeyedPast => past,
            Class::KeyedMarked => keyed_marked,
            Class::KeyedMarkedPast => past_marked,
            Class::Reconcile => reconcile,
            Class::AtMostOnce => at_most_once,
            Class::AtMostOnceMarked => once_marked,
        }
    }

    /// `read`, `transactional`, `keyed`, and `keyed` past its window.
    const fn without_marks(self) -> [Cell; 4] {
        // A read holds no claim, so nobody waits for one (R27); what was never committed was never done, and a COMMIT
        // is effect and answer in one (R32); the vendor merges what has one key; past the window nobody asks it (R32).
        let [read, transactional, past] = match self {
            Self::KilledBeforeMark | Self::KilledBeforeWire => {
                [cell(1, ANSWER), cell(1, THEN_ANSWER), cell(0, THEN_UNKNOWN)]
            }
            Self::StalledBeforeMark | Self::StalledBeforeWire => {
                [cell(2, ANSWER), cell(1, THEN_ANSWER), cell(1, THEN_UNKNOWN)]
            }
            Self::KilledAfterWire | Self::StalledAfterWire => {
                [cell(2, ANSWER), cell(1, ANSWER), cell(1, THEN_UNKNOWN)]
            }
            Self::TimedOutLandsSoon | Self::TimedOutLandsLate => {
                [cell(2, AGAIN), cell(1, AGAIN), cell(1, THEN_UNKNOWN)]
            }
            Self::BadGatewayDone | Self::VendorReplyLost => {
                [cell(2, AGAIN), cell(1, ANSWER), cell(1, THEN_UNKNOWN)]
            }
            Self::BadGatewayNotDone => [cell(2, AGAIN), cell(1, AGAIN), cell(0, THEN_UNKNOWN)],
            Self::ClaimReplyLost | Self::EndingReplyLost => [cell(1, ANSWER); 3],
        };
        [read, transactional, self.merged(), past]
    }

    /// Within its window: whatever was sent, and however often, is one effect, and its answer comes in the end.
    const fn merged(self) -> Cell {
        match self {
            Self::ClaimReplyLost | Self::EndingReplyLost => cell(1, ANSWER),
            _ => cell(1, THEN_ANSWER),
        }
    }

    /// `keyed` with marks, and the same past its window.
    const fn keyed_with_marks(self) -> [Cell; 2] {
        let past = match self {
            // Nothing was sent, so the window has not begun; a mark that comes late is refused.
            Self::KilledBeforeMark | Self::StalledBeforeMark => cell(1, THEN_ANSWER),
            Self::KilledBeforeWire | Self::BadGatewayNotDone => cell(0, THEN_UNKNOWN),
            Self::ClaimReplyLost | Self::EndingReplyLost => cell(1, ANSWER),
            _ => cell(1, THEN_UNKNOWN),
        };
        [self.merged(), past]
    }

    /// `reconcile`, `at_most_once`, and `at_most_once` with marks.
    const fn without_keys(self) -> [Cell; 3] {
        let [reconcile, once] = match self {
            Self::KilledBeforeMark | Self::KilledBeforeWire => {
                [cell(1, THEN_ANSWER), cell(0, THEN_UNKNOWN)]
            }
            // The look-up said what was true when it was asked, and the first request arrives behind it: the residual.
            Self::StalledBeforeMark | Self::StalledBeforeWire => {
                [cell(2, THEN_ANSWER), cell(1, THEN_UNKNOWN)]
            }
            Self::TimedOutLandsLate => [cell(2, THEN_ANSWER), cell(1, UNKNOWN)],
            Self::KilledAfterWire | Self::StalledAfterWire => {
                [cell(1, THEN_ANSWER), cell(1, THEN_UNKNOWN)]
            }
            // Its own worker is there to say that nobody can know, so nobody waits for the lease (R14).
            Self::TimedOutLandsSoon | Self::BadGatewayDone | Self::VendorReplyLost => {
                [cell(1, THEN_ANSWER), cell(1, UNKNOWN)]
            }
            Self::BadGatewayNotDone => [cell(1, THEN_ANSWER), cell(0, UNKNOWN)],
            Self::ClaimReplyLost | Self::EndingReplyLost => [cell(1, ANSWER); 2],
        };
        let marked = match self {
            Self::KilledBeforeMark | Self::StalledBeforeMark => cell(1, THEN_ANSWER),
            _ => once,
        };
        [reconcile, once, marked]
    }
}
