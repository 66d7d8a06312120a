//! The transaction of a transactional tool: late, short, and the only way to its answer (R32).

use crate::commit_gate::{CommitGate, Hold};
use crate::context::Dispatch;
use crate::output;
use crate::store_type::{TransactionalStore, sealed::Transactions};
use crate::{ToolContext, ToolError, ToolOutput, codes};
use idem_core::CommitError;
use idem_core::json::Limits;
use std::sync::Arc;

/// A transaction in which the call's effect is written. It lasts at most
/// [`TRANSACTION_MAX`](crate::plane::TRANSACTION_MAX); dropping it rolls it back.
#[must_use = "a transaction that is not committed is rolled back"]
#[derive(Debug)]
pub struct Transaction<S: TransactionalStore> {
    inner: <S as Transactions>::Transaction,
    hold: Hold,
}

impl<S: TransactionalStore> Transaction<S> {
    /// The driver's own connection, for the application's statements: `.execute(transaction.connection())`. They must not
    /// end the transaction: then nobody knows what of it is stored, and the answer is `outcome_unknown`. What they set,
    /// they set for this transaction alone, by `SET LOCAL`: the connection goes back to Idem's pool.
    pub fn connection(&mut self) -> &mut S::Connection {
        S::connection(&mut self.inner)
    }

    async fn roll_back(self) {
        S::rollback(self.inner).await;
    }
}

/// An answer that is stored together with its effect. Only [`ToolContext::commit`] makes one, so a transactional tool
/// that forgets to commit does not compile.
#[must_use = "it is the tool's answer"]
#[derive(Debug)]
pub struct Committed<T> {
    answer: T,
}

impl<T> Committed<T> {
    pub(crate) fn into_answer(self) -> T {
        self.answer
    }
}

/// What only a transactional tool can do: `effect = "transactional"`.
impl<S: TransactionalStore> ToolContext<S> {
    /// Begins the transaction for the effect, in the database that is Idem's store. Look things up and call others
    /// first: what it locks is locked for everybody, and on SQLite it is the file's one writer.
    ///
    /// The fence comes first, so whoever would take the call over waits for its end.
    ///
    /// # Errors
    ///
    /// An error without effect: another worker took the call over, no time is left, the store gave no transaction, or
    /// the body holds one already. Return it.
    ///
    /// # Cancel safety
    ///
    /// Safe: what was begun is rolled back.
    pub async fn transaction(&self) -> Result<Transaction<S>, ToolError> {
        let gate = self.gate()?;
        self.check_time("no time was left for the transaction")?;
        let hold = gate.hold().ok_or_else(|| {
            ToolError::no_effect(
                "transaction_open",
                "the tool holds a transaction already, and a second one would wait for it",
            )
        })?;
        let store = Self::store_of(gate)?;
        let not_begun = |error| {
            let text = format!("the store gave no transaction, so nothing was written: {error}");
            ToolError::no_effect("not_begun", text)
        };
        let inner = S::begin(&store).await.map_err(not_begun)?;
        hold.begun();
        let mut transaction = Transaction { inner, hold };
        if S::fence(&store, &mut transaction.inner, &gate.fence)
            .await
            .map_err(not_begun)?
        {
            return Ok(transaction);
        }
        transaction.roll_back().await;
        Err(ToolError::lease_lost(
            "another worker took the call over before the transaction",
        ))
    }

    /// Stores the answer and commits it together with what the transaction wrote. It runs last: once it is `Ok`, the
    /// answer is the call's, whatever the body does afterwards.
    ///
    /// An answer that a row does not take is replaced by a note that says so, and the effect stands (R17).
    ///
    /// # Errors
    ///
    /// An error without effect where everything was rolled back: another worker took the call over, the time was over,
    /// the store refused. An unknown one where the commit's reply was lost: the call's ending finds out. Return it.
    ///
    /// # Cancel safety
    ///
    /// Safe: it is committed whole or not at all, and the call's ending finds out which.
    pub async fn commit<T: ToolOutput>(
        &self,
        mut transaction: Transaction<S>,
        answer: T,
    ) -> Result<Committed<T>, ToolError> {
        let gate = self.gate()?;
        // What no row takes is not written out any further for its digest: others are held up meanwhile.
        let encoded = output::encode(&answer, self.output, Limits::ANSWER);
        let completed = async {
            self.check_time("no time was left for the commit")?;
            if !transaction.hold.is_of(gate) {
                return Err(not_committed("the transaction is another call's"));
            }
            let store = Self::store_of(gate)?;
            let whole = S::is_whole(&mut transaction.inner).await;
            if !whole.map_err(not_committed)? {
                gate.broken();
                return Err(ToolError::unknown(
                    "the tool's own statements ended its transaction before the commit",
                ));
            }
            let stored = S::complete(&store, &mut transaction.inner, &gate.fence, &encoded.answer);
            match stored.await {
                Ok(true) => Ok(()),
                Ok(false) => Err(ToolError::lease_lost(
                    "another worker took the call over before the commit",
                )),
                Err(error) => Err(not_committed(error)),
            }
        };
        let completed = completed.await;
        let completed = completed.and_then(|()| {
            // From here on the ending knows that the commit may be on its way.
            let open = gate.send(encoded);
            open.then_some(()).ok_or_else(|| {
                not_committed("the call was given up, or has sent a commit before this one")
            })
        });
        if let Err(error) = completed {
            transaction.roll_back().await;
            return Err(error);
        }
        let Transaction { inner, hold } = transaction;
        // The server bounds a commit; stopping the body inside it would only lose the reply.
        drop(hold);
        match S::commit(inner).await {
            Ok(()) => {
                gate.committed();
                Ok(Committed { answer })
            }
            Err(CommitError::Unknown(error)) => Err(ToolError::unknown(format!(
                "the commit was sent and its reply was lost: {error}"
            ))),
            Err(error) => {
                gate.refused();
                Err(not_committed(error))
            }
        }
    }

    fn gate(&self) -> Result<&Arc<CommitGate>, ToolError> {
        match &self.dispatch {
            Dispatch::AtCommit(gate) => Ok(gate),
            // A look-up of an earlier attempt, or a hand-written tool of another class.
            _ => Err(ToolError::no_effect(
                "not_transactional",
                "this call has no transaction: declare `effect = \"transactional\"`",
            )),
        }
    }

    fn store_of(gate: &CommitGate) -> Result<<S as Transactions>::Store, ToolError> {
        let store = gate.store.concrete();
        let store = store.and_then(|store| store.downcast_ref::<<S as Transactions>::Store>());
        // The builder has refused every other store.
        store.cloned().ok_or_else(|| {
            ToolError::no_effect("another_store", format!("the store is not {}", S::NAME))
        })
    }

    fn check_time(&self, over: &str) -> Result<(), ToolError> {
        if self.time_left().is_zero() || self.cancellation.is_cancelled() {
            return Err(ToolError::no_effect(codes::NO_TIME_LEFT, over));
        }
        Ok(())
    }
}

fn not_committed(why: impl std::fmt::Display) -> ToolError {
    let text = format!("nothing was written: {why}");
    ToolError::no_effect(codes::NOT_COMMITTED, text)
}
