//! The workers: each is started anew when it is killed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use idem_tools::OrganizationId;
use idem_tools::plane::identity::{IdempotencyKey, KeyKind, LogicalTurn, ToolName};
use idem_tools::plane::inspection::KeyPrefix;
use idem_tools::plane::{OpenMode, Status, Store, open};
use tokio::sync::mpsc::UnboundedSender;

use super::process::WorkerProcess;
use super::protocol::{Errand, Order, Said};
use crate::Outcome;
use crate::vendor::book::Call;

/// All workers of a pass.
#[derive(Debug)]
pub(super) struct Team {
    order: Order,
    store: Arc<dyn Store>,
    rewords: bool,
    started: u32,
    to: UnboundedSender<(u32, Said)>,
    workers: Vec<Worker>,
    /// The calls that cannot be repeated and that a worker was about to send, by its number.
    dispatched: BTreeMap<u32, BTreeSet<Call>>,
}

#[derive(Debug)]
struct Worker {
    /// From 1; no two workers of a pass have the same.
    number: u32,
    process: WorkerProcess,
}

impl Team {
    /// Starts so many workers.
    pub(super) async fn start(
        order: &Order,
        workers: usize,
        rewords: bool,
        to: UnboundedSender<(u32, Said)>,
    ) -> Outcome<Self> {
        let mut team = Self {
            order: order.clone(),
            store: open(&order.store, OpenMode::AsIs).await?,
            rewords,
            started: 0,
            to,
            workers: Vec::new(),
            dispatched: BTreeMap::new(),
        };
        for _ in 0..workers {
            let worker = team.new_worker().await?;
            team.workers.push(worker);
        }
        Ok(team)
    }

    /// A worker whose model words things in its own way, where models do.
    async fn new_worker(&mut self) -> Outcome<Worker> {
        self.started += 1;
        let order = Order {
            sample: if self.rewords { self.started } else { 0 },
            ..self.order.clone()
        };
        Ok(Worker {
            number: self.started,
            process: WorkerProcess::start(&order, (self.started, self.to.clone())).await?,
        })
    }

    /// Where the worker with this number is, if it lives.
    pub(super) fn place(&self, number: u32) -> Option<usize> {
        self.workers
            .iter()
            .position(|worker| worker.number == number)
    }

    pub(super) fn size(&self) -> usize {
        self.workers.len()
    }

    /// A worker is about to send a call that cannot be repeated.
    pub(super) fn dispatches(&mut self, worker: u32, call: Call) {
        self.dispatched.entry(worker).or_default().insert(call);
    }

    /// Kills the worker at this place and starts another there. Gives the number of the one that is dead; what it said
    /// last is still to be heard.
    pub(super) async fn kill(&mut self, at: usize) -> Outcome<u32> {
        if at >= self.workers.len() {
            return Err("there is no such worker".into());
        }
        let old = self.workers.remove(at);
        old.process.kill().await?;
        let new = self.new_worker().await?;
        self.workers.insert(at, new);
        Ok(old.number)
    }

    /// The calls that a dead worker had dispatched and that have no record: nobody can know more of them.
    pub(super) async fn in_doubt(&mut self, worker: u32) -> Outcome<Vec<Call>> {
        let dispatched = self.dispatched.remove(&worker).unwrap_or_default();
        let organization: OrganizationId = self.order.organization.parse()?;
        let mut in_doubt = Vec::new();
        for call in dispatched {
            let turn = LogicalTurn::of_messages(&[call.place.message_id()?])?;
            let kind = KeyKind::Turn { turn: &turn };
            let tool = ToolName::new(&*call.tool)?;
            let key = IdempotencyKey::new(kind, &tool, &call.arguments).to_string();
            let prefix: KeyPrefix = key.parse()?;
            let rows = self.store.find_keys(organization, &prefix, None, 1).await?;
            if rows
                .iter()
                .any(|row| row.record.status == Status::Processing)
            {
                in_doubt.push(call);
            }
        }
        Ok(in_doubt)
    }

    /// Has a run driven by all workers at once.
    pub(super) async fn drive(&mut self, run: &str) -> Outcome<()> {
        let errand = Errand::Drive {
            run: run.to_owned(),
        };
        for worker in &mut self.workers {
            worker.process.ask(&errand).await?;
        }
        Ok(())
    }

    /// Ends all workers; one that ended by itself is an error.
    pub(super) async fn stop(self) -> Outcome<()> {
        for mut worker in self.workers {
            if worker.process.has_ended()? {
                return Err("a worker ended by itself".into());
            }
            worker.process.stop().await?;
        }
        Ok(())
    }
}
