//! Who calls, in which turn: from the tenant down to the call.

use crate::TurnError;
use crate::call::{Answered, ProposedCall, Settled, ToolFailure, codes};
use crate::call_error::CallError;
use crate::context::{Caller, Said};
use crate::decoded::{Call, Wording};
use crate::flights::{FlightKey, Landing, Seat, landing};
use crate::input;
use crate::planted;
use crate::rows::rows;
use crate::runtime::{Core, settle};
use crate::tool_set::Body;
use idem_core::identity::{LogicalTurn, RunId, request_hash};
use idem_core::{ClaimKey, OrganizationId, Origin, Principal, Request, insist};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

/// How many calls of one response run at the same time.
pub const PARALLEL_CALLS_MAX: usize = 8;

/// How many calls one response may hold (R75).
pub const CALLS_A_RESPONSE_MAX: usize = 128;

/// How long a turn may be replayed: what it did is remembered a little longer (R49).
pub const TURN_REPLAY_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60 - 60 * 60);

/// A tenant.
#[derive(Clone, Debug)]
pub struct Tenant {
    pub(crate) core: Arc<Core>,
    pub(crate) organization: OrganizationId,
}

/// A principal of a tenant.
#[derive(Clone, Debug)]
pub struct Actor {
    core: Arc<Core>,
    organization: OrganizationId,
    principal: Principal,
}

/// A run of a principal.
#[derive(Clone, Debug)]
pub struct Run {
    actor: Actor,
    run: RunId,
}

/// One logical turn: one unit of the user's intent. Every attempt at it, in whatever process, is the same turn.
#[derive(Clone, Debug)]
pub struct Turn {
    pub(crate) core: Arc<Core>,
    pub(crate) caller: Arc<Caller>,
    /// When, on this process's monotonic clock, the turn becomes too old to replay.
    replay_until: Arc<OnceCell<Instant>>,
    /// Fires when the run is cancelled.
    pub(crate) cancellation: CancellationToken,
}

impl Tenant {
    /// Names on whose behalf the calls are made.
    ///
    /// # Errors
    ///
    /// [`TurnError`]: a principal is 1 to 256 bytes of text.
    pub fn principal(&self, name: &str) -> Result<Actor, TurnError> {
        let principal = Principal::new(name)?;
        Ok(Actor {
            core: self.core.clone(),
            organization: self.organization,
            principal,
        })
    }
}

impl Actor {
    /// Names the run: one agent job.
    ///
    /// # Errors
    ///
    /// [`TurnError`]: a run's id is 1 to 256 bytes of text.
    pub fn run(&self, id: &str) -> Result<Run, TurnError> {
        Ok(Run {
            actor: self.clone(),
            run: RunId::new(id)?,
        })
    }
}

impl Run {
    /// The turn of this number.
    #[must_use]
    pub fn turn(&self, number: u32) -> Turn {
        let caller = Caller {
            organization: self.actor.organization,
            principal: self.actor.principal.clone(),
            run: self.run.clone(),
            turn: LogicalTurn::numbered(&self.run, number),
            step: 0,
        };
        Turn::of(self.actor.core.clone(), caller, CancellationToken::new())
    }
}

impl Turn {
    pub(crate) fn of(core: Arc<Core>, caller: Caller, cancellation: CancellationToken) -> Self {
        Self {
            core,
            caller: Arc::new(caller),
            replay_until: Arc::new(OnceCell::new()),
            cancellation,
        }
    }

    /// The same turn at a later step, one model response further: a read is asked anew there (R27).
    #[must_use]
    pub fn step(&self, step: u32) -> Self {
        let caller = Caller {
            organization: self.caller.organization,
            principal: self.caller.principal.clone(),
            run: self.caller.run.clone(),
            turn: self.caller.turn.clone(),
            step,
        };
        Self {
            caller: Arc::new(caller),
            ..self.clone()
        }
    }

    /// The turn's identity.
    #[must_use]
    pub fn id(&self) -> &LogicalTurn {
        &self.caller.turn
    }

    /// Settles one call: answers from the journal, or asks the policy, claims, executes and ends.
    ///
    /// Bad input, an unknown tool and a denial are answers for the model, with no row and no effect.
    ///
    /// # Errors
    ///
    /// [`CallError`] is for the driver: in flight, draining, or the store.
    ///
    /// # Cancel safety
    ///
    /// Safe: the call runs in a task of its own to its ending, whoever waits for it.
    pub async fn call(&self, proposed: ProposedCall) -> Result<Settled, CallError> {
        let said = Said::by(&proposed);
        self.call_said(proposed, said).await
    }

    /// As [`call`](Self::call), for a harness that journals proposals and so knows a call's place among its equals.
    pub(crate) async fn call_said(
        &self,
        proposed: ProposedCall,
        said: Said,
    ) -> Result<Settled, CallError> {
        if self.core.draining.is_cancelled() {
            return Err(CallError::Draining);
        }
        let (call, body) = match self.prepare_safely(&proposed, said) {
            Ok(prepared) => prepared,
            Err(failure) => return Ok(Settled::Answer(refused(proposed, failure))),
        };
        self.fly_once(call, body).await
    }

    /// Settles a call that was decoded.
    pub(crate) async fn fly_once(&self, call: Call, body: Body) -> Result<Settled, CallError> {
        self.begin().await?;
        match &self.core.flights {
            None => landing(self.fly(call, body, None)).await,
            Some(flights) => {
                let key = self.flight_key(&call);
                match flights.board(&key) {
                    Seat::Joins(receiver) => join(landing(receiver).await, call),
                    Seat::Leads(sender, receiver) => {
                        drop(self.fly(call, body, Some((key, sender))));
                        landing(receiver).await
                    }
                }
            }
        }
    }

    /// Settles all the calls of one response, side by side, each on its own. Every call is joined to its ending; the
    /// results stand in the order of the calls, so that they pair by position too (R34, R35). The calls of a tool that is
    /// `serial` run one after the other, in their order, beside those of other tools; one that fails, waits or is in
    /// flight elsewhere does not keep the next from running.
    ///
    /// # Cancel safety
    ///
    /// As [`call`](Self::call); a call that has not begun does not begin any more.
    pub async fn call_all(&self, proposed: Vec<ProposedCall>) -> Vec<Result<Settled, CallError>> {
        let places = Arc::new(Semaphore::new(PARALLEL_CALLS_MAX));
        let mut results: Vec<Result<Settled, CallError>> = (0..proposed.len())
            .map(|_| Err(CallError::TaskEnded))
            .collect();
        let mut calls: Vec<(usize, ProposedCall)> = proposed.into_iter().enumerate().collect();
        for (at, call) in calls.drain(CALLS_A_RESPONSE_MAX.min(calls.len())..) {
            results[at] = Ok(Settled::Answer(refused(call, too_many())));
        }
        let mut tasks = JoinSet::new();
        for row in rows(&self.core.tools, calls) {
            let (turn, places) = (self.clone(), places.clone());
            let task = async move {
                let mut settled = Vec::with_capacity(row.len());
                for (at, call) in row {
                    // The semaphore is never closed; were it, the call would run unbounded.
                    let _place = places.acquire().await;
                    settled.push((at, turn.call(call).await));
                }
                settled
            };
            tasks.spawn(task.in_current_span());
        }
        while let Some(joined) = tasks.join_next().await {
            for (at, result) in joined.unwrap_or_default() {
                results[at] = result;
            }
        }
        results
    }

    /// As [`prepare`](Self::prepare). A tool's own code runs in there, a default or a `Deserialize`: its panic ends this
    /// call and not its caller (R34).
    pub(crate) fn prepare_safely(
        &self,
        proposed: &ProposedCall,
        said: Said,
    ) -> Result<(Call, Body), ToolFailure> {
        catch_unwind(AssertUnwindSafe(|| self.prepare(proposed, said))).unwrap_or_else(|_| {
            let message = "the tool panicked while it read the arguments; nothing was done";
            Err(ToolFailure::final_answer(codes::INVALID_INPUT, message))
        })
    }

    /// Decodes a call and gives it its identity.
    fn prepare(&self, proposed: &ProposedCall, said: Said) -> Result<(Call, Body), ToolFailure> {
        let Some(tool) = self.core.tools.get(&proposed.tool) else {
            let message = format!(
                "there is no such tool; nothing was done. The tools are: {}",
                self.core.tools.names()
            );
            return Err(ToolFailure::final_answer(codes::UNKNOWN_TOOL, message));
        };
        let arguments = input::parse(&proposed.arguments)?;
        let prepared = tool.prepare(&arguments)?;
        let key = planted::key(proposed, tool.name())
            .unwrap_or_else(|| self.caller.key_of(&**tool, &prepared.forms, &said));
        let key = ClaimKey::new(self.caller.organization, tool.scope().clone(), key);
        let mut request = Request::new(key, request_hash(&prepared.forms.content)).by(Origin {
            run: Some(self.caller.run.as_ref().into()),
            principal: Some(self.caller.principal.as_str().into()),
            trace: None,
        });
        let shown = Arc::from(prepared.forms.shown);
        let wording = Wording::of(prepared.forms.prose, &shown);
        request.input = Some(shown);
        request.marks_dispatch = !tool.spec().claim_dispatches();
        // No later turn would be another effect, so what somebody found not to have happened may be done (R32).
        request.reopens = tool.spec().has_natural_key();
        let call = Call {
            id: proposed.id.clone(),
            caller: self.caller.clone(),
            tool: tool.clone(),
            request,
            cancellation: self.cancellation.clone(),
            said,
            wording,
            under: None,
        };
        Ok((call, prepared.body))
    }

    /// Writes down when the turn began, once, and refuses one whose answers may be forgotten (R49).
    async fn begin(&self) -> Result<(), CallError> {
        let until = self.replay_until.get_or_try_init(|| async {
            let asked = Instant::now();
            let (store, caller) = (&self.core.store, &self.caller);
            // A turn begins once, however often that is written down.
            let age = insist(|| store.turn_age(caller.organization, &caller.turn)).await?;
            match TURN_REPLAY_MAX.checked_sub(age) {
                Some(left) if !left.is_zero() => Ok(asked + left),
                _ => Err(CallError::TurnTooOld {
                    age,
                    limit: TURN_REPLAY_MAX,
                }),
            }
        });
        if *until.await? <= Instant::now() {
            return Err(CallError::TurnTooOld {
                age: TURN_REPLAY_MAX,
                limit: TURN_REPLAY_MAX,
            });
        }
        Ok(())
    }

    fn flight_key(&self, call: &Call) -> FlightKey {
        FlightKey {
            key: call.request.key.clone(),
            hash: call.request.hash,
            principal: self.caller.principal.clone(),
            run: self.caller.run.clone(),
        }
    }

    /// Sends a call off in a task of its own, which the drain waits for.
    fn fly(
        &self,
        call: Call,
        body: Body,
        leads: Option<(FlightKey, tokio::sync::watch::Sender<Option<Landing>>)>,
    ) -> tokio::sync::watch::Receiver<Option<Landing>> {
        let core = self.core.clone();
        let (sender, receiver) = tokio::sync::watch::channel(None);
        let (key, sender) = leads.map_or((None, sender), |(key, leader)| (Some(key), leader));
        let span = tracing::info_span!(
            "tool_call",
            tool = call.tool.spec().name(),
            scope = %call.request.key.scope(),
            key = ?call.request.key.key(),
            replayed = false,
            attempt = tracing::field::Empty,
        );
        let flight = async move {
            let outcome = settle(&core, call, body).await;
            if let (Some(flights), Some(key)) = (&core.flights, &key) {
                flights.land(key);
            }
            // Nobody waits any more where every caller was dropped.
            let _ = sender.send(Some(outcome));
        };
        drop(self.core.tasks.spawn(flight.instrument(span)));
        receiver
    }
}

/// The landing of an equal call, labelled as this one's: its own words may have been others.
fn join(landing: Landing, call: Call) -> Landing {
    landing.map(|settled| match settled {
        Settled::Answer(answer) => {
            let ran = answer.ran.clone();
            let answer = call.worded(answer, ran);
            Settled::Answer(Answered {
                call_id: call.id,
                joined: true,
                ..answer
            })
        }
        Settled::Waiting(mut waiting) => {
            waiting.call_id = call.id;
            Settled::Waiting(waiting)
        }
    })
}

pub(crate) fn refused(proposed: ProposedCall, failure: ToolFailure) -> Answered {
    Answered {
        call_id: proposed.id,
        tool: proposed.tool,
        result: Err(failure),
        replayed: false,
        joined: false,
        first_ran_at: None,
        key: None,
        attempt: 0,
        kind: None,
        settled: None,
        approval: None,
        ran_instead: None,
        added_defaults: Vec::new(),
        reworded: Vec::new(),
        ran: None,
    }
}

pub(crate) fn too_many() -> ToolFailure {
    ToolFailure::final_answer(
        codes::TOO_MANY_CALLS,
        format!(
            "one response may hold {CALLS_A_RESPONSE_MAX} calls; this one was not made. Call it in the next response"
        ),
    )
}
