//! The users: each says the next thing when the turn before it is over, as people do.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use idem_tools::agent::{AgentHarness, Message, MessageKind, NewMessage, NewRun, RunStatus};
use idem_tools::plane::identity::RunId;
use idem_tools::{OrganizationId, Principal};

use super::model::message;
use crate::Outcome;
use crate::place::Place;
use crate::recording::Conversation;

/// On whose behalf the agent acts.
const CUSTOMER: &str = "customer";

/// After this long without a word about a run it is looked at: who should have spoken may be dead.
const SILENCE_MAX: Duration = Duration::from_secs(3);

/// The users of all conversations.
#[derive(Debug)]
pub(super) struct Users<'a> {
    harness: AgentHarness,
    organization: OrganizationId,
    users: BTreeMap<&'a str, User<'a>>,
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
        })
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
    pub(super) fn heard(&mut self, run: &str) {
        if let Some(user) = self.users.get_mut(run) {
            user.heard = Instant::now();
        }
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
        let Some(next) = user.conversation.turns.get(turn) else {
            user.is_done = true;
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
