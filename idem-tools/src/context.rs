//! What a tool's body can know and ask while it runs.

use crate::commit_gate::CommitGate;
use crate::input::Forms;
use crate::state::{State, StateMap};
use crate::tool_set::AnyTool;
use crate::{AnyStore, Effect, ErrorClass, OnRepeat, OutputFacts, ProposedCall, Tool, ToolError};
use idem_core::identity::{IdempotencyKey, Intent, KeyKind, LogicalTurn, RunId, VendorKey};
use idem_core::{Fence, IdempotencyService, OrganizationId, Principal, Takeover};
use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// What a tool's body can know and ask while it runs: on whose behalf, under which key, for how long.
///
/// `S` is the store that the tool is written for. Only a transactional tool names one, and only its context has
/// [`transaction`](Self::transaction) and [`commit`](Self::commit).
pub struct ToolContext<S = AnyStore> {
    pub(crate) caller: Arc<Caller>,
    pub(crate) vendor_key: VendorKey,
    pub(crate) attempt: u32,
    pub(crate) earlier: Option<Takeover>,
    pub(crate) deadline: Instant,
    pub(crate) cancellation: CancellationToken,
    pub(crate) state: Arc<StateMap>,
    pub(crate) dispatch: Dispatch,
    /// What is known of the tool's answer, for one that is stored in a transaction.
    pub(crate) output: OutputFacts,
    pub(crate) store: PhantomData<fn() -> S>,
}

/// What tells a call from an equal one of its turn, beside its arguments (R26).
#[derive(Clone, Debug)]
pub(crate) struct Said {
    /// Its place among the equal calls that the turn's journaled proposals hold, from 1.
    pub(crate) ordinal: NonZeroU32,
    /// What the harness says that it is meant to do.
    pub(crate) intent: Option<Intent>,
}

impl Said {
    /// What a call says itself: it is the first of its kind, since nobody has counted.
    pub(crate) fn by(proposed: &ProposedCall) -> Self {
        Self {
            ordinal: NonZeroU32::MIN,
            intent: proposed.intent.clone(),
        }
    }
}

/// Who makes a call: shared by every call of a turn.
#[derive(Debug)]
pub(crate) struct Caller {
    pub(crate) organization: OrganizationId,
    pub(crate) principal: Principal,
    pub(crate) run: RunId,
    pub(crate) turn: LogicalTurn,
    pub(crate) step: u32,
}

impl Caller {
    /// The key of a call (R20). A read's has the step in it, so that a later step sees fresh values. A natural
    /// one has nothing but its arguments: no turn, and no intent, which could make a second effect of it (R25). Any other
    /// effect's has its intent, where there is one, in place of its arguments; the harness's stands above the model's. Otherwise it has
    /// its place among the turn's equal calls, where the tool counts them (R26).
    pub(crate) fn key_of(&self, tool: &dyn AnyTool, forms: &Forms, said: &Said) -> IdempotencyKey {
        let kind = match tool.spec().effect_class() {
            Effect::Read => KeyKind::Read {
                turn: &self.turn,
                step: self.step,
            },
            Effect::Keyed { .. }
            | Effect::Transactional
            | Effect::Reconcile
            | Effect::AtMostOnce
                if tool.spec().has_natural_key() =>
            {
                KeyKind::Natural
            }
            Effect::Keyed { .. }
            | Effect::Transactional
            | Effect::Reconcile
            | Effect::AtMostOnce => self.effect_kind(tool, forms, said),
        };
        IdempotencyKey::new(kind, tool.name(), &forms.identity)
    }

    fn effect_kind<'a>(
        &'a self,
        tool: &dyn AnyTool,
        forms: &'a Forms,
        said: &'a Said,
    ) -> KeyKind<'a> {
        let turn = &self.turn;
        match said.intent.as_ref().or(forms.intent.as_ref()) {
            Some(intent) => KeyKind::Intent { turn, intent },
            None if tool.spec().repeats() == OnRepeat::Count => KeyKind::Count {
                turn,
                ordinal: said.ordinal,
            },
            None => KeyKind::Turn { turn },
        }
    }
}

/// How this attempt says that its effect may begin.
#[derive(Clone)]
pub(crate) enum Dispatch {
    /// A read dispatches no effect.
    Never,
    /// The claim has said it already.
    AtClaim,
    /// The body says it, through the fence; the flag is raised before the statement is sent.
    Marked {
        service: IdempotencyService,
        fence: Fence,
        raised: Arc<AtomicBool>,
        /// Raised once a mark is known to be written: from then on something may have been sent.
        marked: Arc<AtomicBool>,
    },
    /// The effect begins when its transaction commits.
    AtCommit(Arc<CommitGate>),
}

impl Dispatch {
    /// Whether the effect may have begun.
    pub(crate) fn may_have_begun(&self) -> bool {
        match self {
            Self::Never => false,
            // Asked where the gate was not closed: then nobody can know.
            Self::AtClaim | Self::AtCommit(_) => true,
            Self::Marked { raised, .. } => raised.load(Ordering::SeqCst),
        }
    }
}

impl ToolContext {
    /// The same context for this tool and its store.
    pub(crate) fn for_tool<T: Tool>(self) -> ToolContext<T::Store> {
        ToolContext {
            caller: self.caller,
            vendor_key: self.vendor_key,
            attempt: self.attempt,
            earlier: self.earlier,
            deadline: self.deadline,
            cancellation: self.cancellation,
            state: self.state,
            dispatch: self.dispatch,
            output: T::OUTPUT,
            store: PhantomData,
        }
    }
}

impl<S> ToolContext<S> {
    /// The tenant.
    #[must_use]
    pub fn organization(&self) -> OrganizationId {
        self.caller.organization
    }

    /// On whose behalf the call is made.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.caller.principal
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> &RunId {
        &self.caller.run
    }

    /// The logical turn: one unit of the user's intent, the same on every attempt.
    #[must_use]
    pub fn turn(&self) -> &LogicalTurn {
        &self.caller.turn
    }

    /// Which response of the model in its turn proposed the call, as [`Turn::step`](crate::Turn::step) was told. A read's
    /// identity has it; an effect's does not, so do not let an effect depend on it.
    #[must_use]
    pub fn step(&self) -> u32 {
        self.caller.step
    }

    /// The key to hand to the vendor, as its `Idempotency-Key` or as an id of its own: the same on every attempt, at
    /// most 64 ASCII characters, no personal data (R29).
    #[must_use]
    pub fn vendor_key(&self) -> &VendorKey {
        &self.vendor_key
    }

    /// Which attempt this is; 1 is the first.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// What is known of earlier attempts, where there were any.
    #[must_use]
    pub fn earlier_attempts(&self) -> Option<&Takeover> {
        self.earlier.as_ref()
    }

    /// The instant at which the body is stopped, on this process's monotonic clock.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// What is left until the deadline.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Cancelled when the body is stopped. A body that hands work to a thread of its own watches it: a thread is not
    /// stopped with the body.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    /// A value that the application put in with [`IdemBuilder::state`](crate::IdemBuilder::state).
    ///
    /// # Errors
    ///
    /// An error without effect where no such value was put in.
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<&T, ToolError> {
        self.state.get::<T>().ok_or_else(missing_state::<T>)
    }

    /// As [`state`](Self::state), shared: the value may go with work that outlives the body.
    ///
    /// # Errors
    ///
    /// An error without effect where no such value was put in.
    pub fn shared_state<T: Send + Sync + 'static>(&self) -> Result<State<T>, ToolError> {
        self.state.shared::<T>().ok_or_else(missing_state::<T>)
    }

    /// Says, just before the wire, that the effect may begin. A takeover without this mark may run again, since
    /// nothing was sent; one with it follows the effect class.
    ///
    /// Only a tool that declares `marks_dispatch` needs it, and it must not send before this is `Ok`. For any other
    /// tool the claim has said it already, and this does nothing.
    ///
    /// # Errors
    ///
    /// The lease moved on, or there is no time left, or the store did not answer: do not send, return the error.
    ///
    /// # Cancel safety
    ///
    /// Safe: a mark without an effect only makes a takeover careful.
    pub async fn dispatching(&self) -> Result<(), ToolError> {
        let Dispatch::Marked {
            service,
            fence,
            raised,
            marked,
        } = &self.dispatch
        else {
            return Ok(());
        };
        // After a mark that was written, something may have been sent: nothing later says that it was not.
        let refuse = |error: ToolError| match marked.load(Ordering::SeqCst) {
            true => ToolError {
                class: ErrorClass::Unknown,
                ..error
            },
            false => error,
        };
        if self.time_left().is_zero() || self.cancellation.is_cancelled() {
            let late = ToolError::no_effect("no_time_left", "no time was left before the wire");
            return Err(refuse(late));
        }
        let first = !raised.swap(true, Ordering::SeqCst);
        match service.mark_dispatched(fence).await {
            Ok(Some(left)) if !left.is_zero() => {
                marked.store(true, Ordering::SeqCst);
                Ok(())
            }
            Ok(Some(_)) => {
                // The mark is written and nothing was sent; the ending clears it.
                let late = ToolError::no_effect("no_time_left", "the lease ended before the wire");
                Err(refuse(late))
            }
            Ok(None) => {
                if first {
                    raised.store(false, Ordering::SeqCst);
                }
                let lost = "another worker took the call over before the wire";
                Err(refuse(ToolError::lease_lost(lost)))
            }
            Err(error) => {
                let why = format!("the dispatch could not be marked, so nothing was sent: {error}");
                Err(refuse(ToolError::no_effect("not_marked", why)))
            }
        }
    }
}

fn missing_state<T>() -> ToolError {
    let name = std::any::type_name::<T>();
    ToolError::no_effect(
        "missing_state",
        format!("the application has no state of type {name}: add `.state(…)` to its builder"),
    )
}

impl<S> fmt::Debug for ToolContext<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("organization", &self.caller.organization)
            .field("turn", &self.caller.turn)
            .field("attempt", &self.attempt)
            .field("time_left", &self.time_left())
            .finish_non_exhaustive()
    }
}
