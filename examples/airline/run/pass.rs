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
use super::faults::{Faults, Plan, Strike};
use super::process::VendorProcess;
use super::progress::Progress;
use super::protocol::{Order, Said};
use super::team::Team;
use super::users::Users;
use super::{RunArgs, agent};
use crate::Outcome;
use crate::recording::Conversation;
use crate::vendor::book::{Book, Call};

/// How often the director looks up while nobody says anything.
const TICK: Duration = Duration::from_millis(50);

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
    pub(super) cards: Vec<Approval>,
    pub(super) decisions: Decisions,
    pub(super) heard: Heard,
    /// Runs that did not come to their end in time.
    pub(super) stuck: Vec<String>,
    pub(super) kills: u32,
    pub(super) driven_twice: u32,
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
        lease_ms: stage.args.lease_ms,
    };
    let harness = agent::open(&order).await?;
    let desk = harness.idem().approvals(organization);
    let mut approver = Approver::new(desk, stage.args.seed, plan.unusual_decisions);
    let (to, said) = unbounded_channel();
    let mut director = Director {
        users: Users::new(&harness, organization, stage.conversations).await?,
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
        cards: approver.cards().await?,
        decisions: approver.decisions,
        heard,
        stuck,
        kills: faults.kills,
        driven_twice: faults.driven_twice,
        elapsed: began.elapsed(),
    };
    vendor.stop().await?;
    Ok(played)
}

struct Director<'a> {
    users: Users<'a>,
    team: Team,
    faults: Faults,
    heard: Heard,
    said: UnboundedReceiver<(u32, Said)>,
    /// The worker that said last that it dispatches a call that cannot be repeated.
    dispatching: Option<u32>,
}

impl Director<'_> {
    /// Listens, passes messages on and breaks things until every conversation is over, or the time is.
    async fn direct(&mut self, deadline: Instant, progress: &mut Progress) -> Outcome<()> {
        while !self.users.open().is_empty() && Instant::now() < deadline {
            if let Ok(Some((worker, said))) = tokio::time::timeout(TICK, self.said.recv()).await {
                self.hear(worker, said).await?;
            }
            let dispatching = self.dispatching.take();
            if let Some(at) = dispatching.and_then(|number| self.team.place(number))
                && self.faults.springs()
            {
                self.kill(at).await?;
            }
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
            Said::Answered { run, replayed } => {
                self.users.heard(&run);
                self.heard.answered += 1;
                self.heard.replayed += u64::from(replayed);
            }
            Said::Dispatches { call } => {
                self.team.dispatches(worker, call);
                self.dispatching = Some(worker);
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
