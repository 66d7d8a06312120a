//! One stretch of a run's work: from where the journal ends to the next wait (R46 to R51).
//!
//! It begins anew each time it is run. What was said and done before is read back; only what nobody has done yet is done.

use super::calls::Attempts;
use super::error::HarnessError;
use super::events::{Happened, RunEvent};
use super::harness::HarnessCore;
use super::journal::Journal;
use super::limits::Met;
use super::model::Message;
use super::outcome::{Next, SegmentOutcome};
use super::owned::Owned;
use super::turns::Turns;
use crate::context::Caller;
use crate::turn::Turn;
use idem_core::identity::LogicalTurn;
use idem_core::runs::RunRecord;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// A segment at work.
pub(crate) struct Segment<'a> {
    pub(crate) harness: &'a Arc<HarnessCore>,
    pub(crate) owned: &'a Owned,
    pub(crate) record: &'a RunRecord,
    /// Fires when the run is cancelled: its tools hear it.
    pub(crate) stop: CancellationToken,
    /// Fires when the run is cancelled or lost: nothing new is begun.
    pub(crate) halt: CancellationToken,
    began: Instant,
    /// A step was written down: what fails after that is the first failure in a row.
    progressed: AtomicBool,
    place: Arc<(AtomicU32, AtomicU32)>,
}

/// What the segments before this one, and this one, have come to.
#[derive(Default)]
pub(crate) struct Log {
    /// The conversation so far.
    pub(crate) messages: Vec<Message>,
    /// Tokens read and written.
    pub(crate) tokens: u64,
    /// The model's last words.
    pub(crate) last_text: Option<String>,
}

impl<'a> Segment<'a> {
    pub(crate) fn new(
        harness: &'a Arc<HarnessCore>,
        owned: &'a Owned,
        record: &'a RunRecord,
    ) -> Self {
        let segment = Self {
            harness,
            owned,
            record,
            stop: CancellationToken::new(),
            halt: CancellationToken::new(),
            began: Instant::now(),
            progressed: AtomicBool::new(false),
            place: Arc::default(),
        };
        segment.tell(Happened::SegmentBegan {
            segment: record.segments,
        });
        segment
    }

    /// Works until the run waits, or ends.
    pub(crate) async fn work(&self) -> Result<(Next, Log), HarnessError> {
        let mut log = Log::default();
        if let Some(next) = self.is_over() {
            return Ok((next, log));
        }
        let mut turns = Turns::load(self).await?;
        for turn in turns.ended() {
            self.replay_turn(&turn, &mut log).await?;
        }
        loop {
            let Some(turn) = turns.open_or_begin(self).await? else {
                return Ok((self.nothing_to_do(&turns), log));
            };
            if turn.row.number > self.harness.limits.turns {
                let met = Met::Turns(self.harness.limits.turns);
                return Ok((Next::limit(met), log));
            }
            log.messages.extend(turn.messages());
            if let Some(next) = self.run_turn(&turn, &mut log).await? {
                return Ok((next, log));
            }
            turns.end(self, &turn).await?;
            self.tell(Happened::TurnOver);
        }
    }

    /// Nothing waits to be answered.
    fn nothing_to_do(&self, turns: &Turns) -> Next {
        if self.record.keeps_open || turns.count() == 0 {
            Next::Idle
        } else {
            Next::Completed {
                answered_upto: turns.upto(),
            }
        }
    }

    /// Something was written down that the next segment need not do again.
    pub(crate) fn progress(&self) {
        self.progressed.store(true, Ordering::Relaxed);
    }

    /// How many segments in a row failed without progress before what happens now.
    pub(crate) fn failures(&self) -> u32 {
        if self.progressed.load(Ordering::Relaxed) {
            0
        } else {
            self.record.failures
        }
    }

    /// Whether the run is to end before anything more is done in it.
    pub(crate) fn is_over(&self) -> Option<Next> {
        if let Some(by) = &self.record.cancel_requested_by {
            return Some(Next::Cancelled(by.clone()));
        }
        if let Some(by) = self.owned.cancelled_by() {
            return Some(Next::Cancelled(by.to_owned()));
        }
        if self.record.time_left <= self.began.elapsed() {
            return Some(Next::limit(Met::Time));
        }
        None
    }

    /// The place for the events that follow.
    pub(crate) fn enter(&self, turn: u32, step: u32) {
        self.place.0.store(turn, Ordering::Relaxed);
        self.place.1.store(step, Ordering::Relaxed);
    }

    pub(crate) fn tell(&self, what: Happened) {
        (self.teller())(what);
    }

    fn teller(&self) -> Arc<dyn Fn(Happened) + Send + Sync> {
        let (events, place) = (self.harness.events.clone(), self.place.clone());
        let (organization, run) = (self.owned.organization, self.owned.run.clone());
        Arc::new(move |what| {
            let event = RunEvent {
                organization,
                run: run.clone(),
                turn: place.0.load(Ordering::Relaxed),
                step: place.1.load(Ordering::Relaxed),
                what,
            };
            // Nobody watches.
            let _ = events.send(event);
        })
    }

    pub(crate) fn attempts(&self) -> Attempts {
        Attempts {
            retries: self.harness.call_retries,
            patience: self.harness.patience,
            tell: self.teller(),
            halt: self.halt.clone(),
        }
    }

    pub(crate) fn journal(&self) -> Journal<'_> {
        Journal {
            core: &self.harness.idem.core,
            organization: self.owned.organization,
            principal: &self.record.principal,
            run: &self.owned.run,
        }
    }

    /// Stops what has to stop when the run is cancelled or lost. What had begun when it is lost comes to its end: the
    /// plane guards it. Never ends.
    async fn watch(&self) -> Infallible {
        tokio::select! {
            () = self.owned.cancelled.cancelled() => self.stop.cancel(),
            () = self.owned.lost.cancelled() => {}
        }
        self.halt.cancel();
        std::future::pending().await
    }

    /// The turn's calls, made on behalf of the run's principal.
    pub(crate) fn turn_at(&self, turn: &LogicalTurn, step: u32) -> Turn {
        let caller = Caller {
            organization: self.owned.organization,
            principal: self.record.principal.clone(),
            run: self.owned.run.clone(),
            turn: turn.clone(),
            step,
        };
        Turn::of(self.harness.idem.core.clone(), caller, self.stop.clone())
    }
}

/// Runs one segment of a run that this process takes.
pub(crate) async fn run(
    harness: &Arc<HarnessCore>,
    owned: Owned,
    record: RunRecord,
) -> Result<SegmentOutcome, HarnessError> {
    let segment = Segment::new(harness, &owned, &record);
    let worked = tokio::select! {
        biased;
        worked = segment.work() => worked,
        never = segment.watch() => match never {},
    };
    let outcome = super::outcome::write_down(&segment, worked).await;
    if let Ok(outcome) = &outcome {
        segment.tell(Happened::SegmentOver {
            outcome: outcome.word(),
        });
    }
    outcome
}
