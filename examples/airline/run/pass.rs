//! One pass over all conversations: the airline, the workers, the users and the approver, with or without faults.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use idem_tools::OrganizationId;
use idem_tools::agent::{AgentHarness, Message};
use idem_tools::approval::Approval;
use idem_tools::plane::identity::RunId;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use uuid::Uuid;

use super::approver::{Approver, Decisions};
use super::faults::{Faults, Moment, Plan, Strike};
use super::process::VendorProcess;
use super::progress::Progress;
use super::protocol::{Order, Said};
use super::team::Team;
use super::users::Users;
use super::{RunArgs, agent};
use crate::Outcome;
use crate::place::Places;
use crate::recording::Conversation;
use crate::vendor::book::{Book, Call};

/// How often the director looks up while nobody says anything.
const TICK: Duration = Duration::from_millis(50);

/// How long a kill waits for the airline to have done the call: less than a notice's reply takes.
const DONE_MAX: Duration = Duration::from_millis(100);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// What all passes of one invocation have in common.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) store: &'a str,
    pub(super) recordings: &'a Path,
    pub(super) conversations: &'a [Conversation],
}

/// What a pass came to.
#[derive(Debug)]
pub(super) struct Played {
    /// What each run said and did.
    pub(super) told: BTreeMap<String, Vec<Message>>,
    pub(super) book: Book,
    pub(super) places: Places,
    pub(super) cards: Vec<Approval>,
    pub(super) decisions: Decisions,
    pub(super) heard: Heard,
    /// Runs that did not come to their end in time.
    pub(super) stuck: Vec<String>,
    pub(super) kills: u32,
    pub(super) driven_twice: u32,
    pub(super) impatient: u32,
    pub(super) elapsed: Duration,
}

/// What the workers said.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) answered: u64,
    pub(super) replayed: u64,
    pub(super) turned_away: u64,
    /// Calls that cannot be repeated, whose worker was killed between dispatch and record, or whose reply did not come.
    pub(super) in_doubt: BTreeSet<Call>,
}

impl Heard {
    /// Answers that did not come from the journal: how far the pass is.
    fn fresh(&self) -> u64 {
        self.answered.saturating_sub(self.replayed)
    }
}

/// Plays one pass under an organization of its own.
pub(super) async fn play(
    stage: &Stage<'_>,
    plan: &Plan,
    progress: &mut Progress,
) -> Outcome<Played> {
    let began = Instant::now();
    let vendor = VendorProcess::start(&plan.vendor(stage)).await?;
    let organization = OrganizationId::new(Uuid::new_v4())?;
    let order = Order {
        store: stage.store.to_owned(),
        organization: organization.to_string(),
        vendor: vendor.base.clone(),
        recordings: stage.recordings.to_owned(),
        sample: 0,
        asks: stage.args.approve_writes,
        coalesce: stage.args.coalesce,
        lease_ms: stage.args.lease_ms,
        #[cfg(feature = "planted-bugs")]
        planted_bug: stage.args.planted_bug.map(|bug| bug.name().to_owned()),
    };
    let harness = agent::open(&order).await?;
    let desk = harness.idem().approvals(organization);
    let mut approver = Approver::new(desk, stage.args.seed, plan.unusual_decisions);
    let (to, said) = unbounded_channel();
    let mut director = Director {
        users: Users::new(&harness, organization, stage.conversations)
            .await?
            .hurried(stage.args.seed, plan.impatient),
        vendor: &vendor,
        team: Team::start(&order, stage.args.workers, plan.rewords, to).await?,
        faults: Faults::new(plan),
        heard: Heard::default(),
        said,
        dispatching: None,
    };
    director.users.begin().await?;
    let deadline = began + Duration::from_secs(stage.args.within_s);
    tokio::select! {
        directed = director.direct(deadline, progress) => directed?,
        failed = approver.work() => failed?,
    }
    let Director {
        users,
        team,
        faults,
        heard,
        ..
    } = director;
    team.stop().await?;
    let stuck = users.open().into_iter().map(str::to_owned).collect();
    let played = Played {
        told: told(&harness, organization, stage.conversations).await?,
        book: vendor.book().await?,
        places: Places::of(stage.conversations)?,
        cards: approver.cards().await?,
        decisions: approver.decisions,
        heard,
        stuck,
        kills: faults.kills,
        driven_twice: faults.driven_twice,
        impatient: users.impatient,
        elapsed: began.elapsed(),
    };
    vendor.stop().await?;
    Ok(played)
}

struct Director<'a> {
    users: Users<'a>,
    team: Team,
    vendor: &'a VendorProcess,
    faults: Faults,
    heard: Heard,
    said: UnboundedReceiver<(u32, Said)>,
    /// The worker that said last that it dispatches a call that cannot be repeated, and the call.
    dispatching: Option<(u32, Call)>,
}

impl Director<'_> {
    /// Listens, passes messages on and breaks things until every conversation is over, or the time is.
    async fn direct(&mut self, deadline: Instant, progress: &mut Progress) -> Outcome<()> {
        while !self.users.open().is_empty() && Instant::now() < deadline {
            if let Ok(Some((worker, said))) = tokio::time::timeout(TICK, self.said.recv()).await {
                self.hear(worker, said).await?;
            }
            self.ambush().await?;
            while let Ok((worker, said)) = self.said.try_recv() {
                self.hear(worker, said).await?;
            }
            self.users.look_at_silent_ones().await?;
            let open = self.users.open();
            progress.show(&open, &self.heard, self.faults.kills);
            let next = self
                .faults
                .next(self.heard.fresh(), self.team.size(), &open);
            match next {
                Some(Strike::Kill { at }) => self.kill(at).await?,
                Some(Strike::Drive { run }) => self.team.drive(run).await?,
                None => {}
            }
        }
        Ok(())
    }

    /// Kills the worker that sends a call that cannot be repeated, where a kill lies in wait for one.
    async fn ambush(&mut self) -> Outcome<()> {
        let Some((number, call)) = self.dispatching.take() else {
            return Ok(());
        };
        let Some(at) = self.team.place(number) else {
            return Ok(());
        };
        let springs = match self.faults.in_wait() {
            Some(Moment::Done) => self.is_done(&call).await?,
            Some(Moment::AtOnce) => true,
            None => false,
        };
        if springs {
            self.faults.springs();
            self.kill(at).await?;
        }
        Ok(())
    }

    /// Waits until the airline has done a call. `false`: it breaks it, or is slow.
    async fn is_done(&self, call: &Call) -> Outcome<bool> {
        let began = Instant::now();
        while began.elapsed() < DONE_MAX {
            if self.vendor.effects(call).await? > 0 {
                return Ok(true);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(false)
    }

    async fn kill(&mut self, at: usize) -> Outcome<()> {
        let dead = self.team.kill(at).await?;
        while let Ok((worker, said)) = self.said.try_recv() {
            self.hear(worker, said).await?;
        }
        let in_doubt = self.team.in_doubt(dead).await?;
        self.heard.in_doubt.extend(in_doubt);
        Ok(())
    }

    async fn hear(&mut self, worker: u32, said: Said) -> Outcome<()> {
        match said {
            Said::Ready => {}
            Said::TurnOver { run, turn } => {
                self.users
                    .turn_is_over(&run, usize::try_from(turn)?)
                    .await?;
            }
            Said::Answered {
                run,
                turn,
                replayed,
            } => {
                self.users
                    .call_is_answered(&run, usize::try_from(turn)?)
                    .await?;
                self.heard.answered += 1;
                self.heard.replayed += u64::from(replayed);
            }
            Said::Dispatches { call } => {
                self.team.dispatches(worker, call.clone());
                self.dispatching = Some((worker, call));
            }
            Said::InDoubt { call } => {
                self.heard.in_doubt.insert(call);
            }
            Said::TurnedAway => self.heard.turned_away += 1,
        }
        Ok(())
    }
}

async fn told(
    harness: &AgentHarness,
    organization: OrganizationId,
    conversations: &[Conversation],
) -> Outcome<BTreeMap<String, Vec<Message>>> {
    let mut told = BTreeMap::new();
    for conversation in conversations {
        let run = RunId::new(&*conversation.id)?;
        let said = harness.conversation(organization, &run).await?;
        told.insert(conversation.id.clone(), said);
    }
    Ok(told)
}
