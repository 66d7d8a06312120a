//! The users: each says the next thing when the turn before it is over, as people do.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use idem_tools::agent::{AgentHarness, Message, MessageKind, NewMessage, NewRun, RunStatus};
use idem_tools::plane::identity::RunId;
use idem_tools::{OrganizationId, Principal};

use super::dice::Dice;
use super::model::message;
use crate::Outcome;
use crate::place::Place;
use crate::recording::Conversation;

/// On whose behalf the agent acts.
const CUSTOMER: &str = "customer";

/// After this long without a word about a run it is looked at: who should have spoken may be dead.
const SILENCE_MAX: Duration = Duration::from_secs(3);

/// How many turns another message follows.
pub(super) fn follow_ups(conversations: &[Conversation]) -> u64 {
    let turns = conversations
        .iter()
        .map(|conversation| conversation.turns.len());
    let follow_ups: usize = turns.map(|turns| turns.saturating_sub(1)).sum();
    u64::try_from(follow_ups).unwrap_or(u64::MAX)
}

/// The users of all conversations.
#[derive(Debug)]
pub(super) struct Users<'a> {
    harness: AgentHarness,
    organization: OrganizationId,
    users: BTreeMap<&'a str, User<'a>>,
    hurry: Hurry,
    /// How often somebody spoke before the turn was over.
    pub(super) impatient: u32,
}

/// Who does not wait for the end of a turn.
#[derive(Clone, Copy, Debug, Default)]
struct Hurry {
    seed: u64,
    percent: u64,
}

#[derive(Debug)]
struct User<'a> {
    conversation: &'a Conversation,
    /// How many of the user's messages are said.
    said: usize,
    is_done: bool,
    heard: Instant,
}

impl<'a> Users<'a> {
    /// Admits a run for each conversation; nobody has said anything.
    pub(super) async fn new(
        harness: &AgentHarness,
        organization: OrganizationId,
        conversations: &'a [Conversation],
    ) -> Outcome<Self> {
        let mut users = BTreeMap::new();
        for conversation in conversations {
            let run = RunId::new(&*conversation.id)?;
            let mut new = NewRun::new(organization, run, Principal::new(CUSTOMER)?);
            new.keeps_open = true;
            harness.admit(&new).await?;
            let user = User {
                conversation,
                said: 0,
                is_done: false,
                heard: Instant::now(),
            };
            users.insert(&*conversation.id, user);
        }
        Ok(Self {
            harness: harness.clone(),
            organization,
            users,
            hurry: Hurry::default(),
            impatient: 0,
        })
    }

    /// So many of a hundred turns are not over when their user goes on; the same ones at each run of one seed.
    pub(super) fn hurried(mut self, seed: u64, percent: u64) -> Self {
        self.hurry = Hurry { seed, percent };
        self
    }

    /// Everybody says the first thing.
    pub(super) async fn begin(&mut self) -> Outcome<()> {
        let runs: Vec<&str> = self.users.keys().copied().collect();
        for run in runs {
            self.turn_is_over(run, 0).await?;
        }
        Ok(())
    }

    /// Something was heard of a run.
    fn heard(&mut self, run: &str) {
        if let Some(user) = self.users.get_mut(run) {
            user.heard = Instant::now();
        }
    }

    /// A call of a turn is answered: an impatient user goes on. That is a turn of its own, since the one that is open was
    /// written down.
    pub(super) async fn call_is_answered(&mut self, run: &str, turn: usize) -> Outcome<()> {
        self.heard(run);
        let Some(user) = self.users.get(run) else {
            return Ok(());
        };
        let Hurry { seed, percent } = self.hurry;
        let mut dice = Dice::new(seed, &format!("{run} {turn}, impatient"));
        let is_last = user.conversation.turns.len() == turn;
        if turn == user.said && !is_last && dice.percent(percent) {
            self.impatient += 1;
            self.says(run, turn).await?;
        }
        Ok(())
    }

    /// A turn is over: its user goes on, unless that was done already.
    pub(super) async fn turn_is_over(&mut self, run: &str, turn: usize) -> Outcome<()> {
        let Some(user) = self.users.get_mut(run) else {
            return Ok(());
        };
        user.heard = Instant::now();
        if turn != user.said {
            return Ok(());
        }
        user.is_done = user.conversation.turns.len() == turn;
        self.says(run, turn).await
    }

    /// The user says what follows this turn, if anything does.
    async fn says(&mut self, run: &str, turn: usize) -> Outcome<()> {
        let Some(user) = self.users.get_mut(run) else {
            return Ok(());
        };
        let Some(next) = user.conversation.turns.get(turn) else {
            return Ok(());
        };
        user.said += 1;
        let place = Place {
            conversation: run.to_owned(),
            turn: next.number,
        };
        let new = NewMessage {
            id: place.message_id()?,
            kind: MessageKind::User,
            body: message(&place, &next.said),
        };
        let id = RunId::new(run)?;
        let posted = self.harness.post(self.organization, &id, &new);
        posted.await?;
        Ok(())
    }

    /// Looks at the runs of which nobody has spoken for long.
    pub(super) async fn look_at_silent_ones(&mut self) -> Outcome<()> {
        let silent = self
            .users
            .iter()
            .filter(|(_, user)| !user.is_done && user.heard.elapsed() > SILENCE_MAX);
        let silent: Vec<_> = silent.map(|(run, user)| (*run, user.said)).collect();
        for (run, said) in silent {
            self.heard(run);
            let id = RunId::new(run)?;
            let record = self.harness.run(self.organization, &id).await?;
            if record.status != RunStatus::Idle || record.live {
                continue;
            }
            let told = self.harness.conversation(self.organization, &id).await?;
            let turns = told.iter().filter(|m| matches!(m, Message::User(_)));
            let is_over =
                matches!(told.last(), Some(Message::Assistant { calls, .. }) if calls.is_empty());
            if is_over && turns.count() == said {
                self.turn_is_over(run, said).await?;
            }
        }
        Ok(())
    }

    /// Conversations that are not over.
    pub(super) fn open(&self) -> Vec<&'a str> {
        let open = self.users.iter().filter(|(_, user)| !user.is_done);
        open.map(|(run, _)| *run).collect()
    }
}
