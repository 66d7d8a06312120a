//! Equal calls inside one process share one execution (R34). An optimization: the plane keeps the promise without it.

use crate::call::Settled;
use crate::call_error::CallError;
use idem_core::identity::{RequestHash, RunId};
use idem_core::{ClaimKey, Principal};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tokio::sync::watch;

/// What a shared execution ends with.
pub(crate) type Landing = Result<Settled, CallError>;

/// Calls are equal when all of this is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FlightKey {
    pub(crate) key: ClaimKey,
    pub(crate) hash: RequestHash,
    pub(crate) principal: Principal,
    pub(crate) run: RunId,
}

/// Executions that are under way in this process.
#[derive(Debug, Default)]
pub(crate) struct Flights {
    under_way: Mutex<HashMap<FlightKey, watch::Receiver<Option<Landing>>>>,
}

/// A caller's part in an execution.
pub(crate) enum Seat {
    /// It leads: it runs the call and tells the others.
    Leads(
        watch::Sender<Option<Landing>>,
        watch::Receiver<Option<Landing>>,
    ),
    /// An equal call is under way.
    Joins(watch::Receiver<Option<Landing>>),
}

impl Flights {
    pub(crate) fn board(&self, key: &FlightKey) -> Seat {
        let mut under_way = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(receiver) = under_way.get(key) {
            // A leader whose task died told nobody: the next caller leads.
            if receiver.has_changed().is_ok() {
                return Seat::Joins(receiver.clone());
            }
        }
        let (sender, receiver) = watch::channel(None);
        under_way.insert(key.clone(), receiver.clone());
        Seat::Leads(sender, receiver)
    }

    /// Ends a flight before its landing is told, so that whoever comes later asks the journal.
    pub(crate) fn land(&self, key: &FlightKey) {
        self.under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(key);
    }
}

/// Waits for the landing.
pub(crate) async fn landing(mut receiver: watch::Receiver<Option<Landing>>) -> Landing {
    match receiver.wait_for(Option::is_some).await {
        Ok(landing) => landing.clone().unwrap_or(Err(CallError::TaskEnded)),
        Err(_) => Err(CallError::TaskEnded),
    }
}
