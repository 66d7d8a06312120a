//! The queue of one verb.

use super::{Aside, unanswered};
use crate::error::RepositoryError;
use crate::repository::Store;
use async_trait::async_trait;
use std::collections::{HashSet, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Verbs of one kind that may wait at once; the next caller waits for room.
const QUEUE_MAX: usize = 8 * 1024;

/// Rows of one statement.
const GROUP_ROWS_MAX: usize = 256;

/// Bytes of one statement, except that one verb alone may have more.
const GROUP_BYTES_MAX: usize = 1024 * 1024;

/// Statements of one verb that are under way at once: one is at the disk while the next is on its way there.
const FLIGHTS_MAX: usize = 2;

/// A verb that many callers' rows can share one statement of.
#[async_trait]
pub(super) trait Grouped: 'static {
    /// What is asked.
    type Item: Clone + Send + Sync + 'static;
    /// What is answered.
    type Reply: Send + 'static;
    /// What no two rows of a group may have in common.
    type Row: Eq + Hash;

    /// `None`: any number of them may stand in a group.
    fn row(item: &Self::Item) -> Option<Self::Row>;

    /// What it adds to a statement, about.
    fn bytes(item: &Self::Item) -> usize;

    /// The store's own verb.
    async fn alone(store: &dyn Store, item: &Self::Item) -> Result<Self::Reply, RepositoryError>;

    /// The group's one statement. `None` for a row of which it says nothing: that one goes out alone.
    async fn together(
        store: &dyn Store,
        items: &[Self::Item],
    ) -> Result<Vec<Option<Self::Reply>>, RepositoryError>;
}

type Answered<V> = Result<<V as Grouped>::Reply, RepositoryError>;

struct Queued<V: Grouped> {
    item: V::Item,
    reply: oneshot::Sender<Answered<V>>,
    // Given back with the answer.
    room: OwnedSemaphorePermit,
}

struct Waiting<V: Grouped> {
    queue: VecDeque<Queued<V>>,
    flights: usize,
}

struct Shared<V: Grouped> {
    store: Arc<dyn Store>,
    aside: Aside,
    room: Arc<Semaphore>,
    waiting: Mutex<Waiting<V>>,
}

pub(super) struct Lane<V: Grouped>(Arc<Shared<V>>);

impl<V: Grouped> Clone for Lane<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V: Grouped> Lane<V> {
    pub(super) fn new(store: &Arc<dyn Store>, aside: Aside) -> Self {
        Self(Arc::new(Shared {
            store: store.clone(),
            aside,
            room: Arc::new(Semaphore::new(QUEUE_MAX)),
            waiting: Mutex::new(Waiting {
                queue: VecDeque::new(),
                flights: 0,
            }),
        }))
    }

    /// Asks the verb of one row.
    pub(super) async fn ask(&self, item: V::Item) -> Answered<V> {
        let Ok(room) = self.0.room.clone().acquire_owned().await else {
            return V::alone(&*self.0.store, &item).await; // drained
        };
        match self.0.board(item, room) {
            Boarded::Alone(own) => V::alone(&*self.0.store, &own.item).await,
            Boarded::Waits(answer) => answer.await.unwrap_or_else(|_| Err(unanswered())),
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.0.lock().queue.len()
    }

    /// Waits for every answer, and groups nothing from here on.
    pub(super) async fn drain(&self) {
        let all = u32::try_from(QUEUE_MAX).unwrap_or(u32::MAX);
        if let Ok(all) = self.0.room.acquire_many(all).await {
            self.0.room.close();
            drop(all);
        }
    }
}

/// How a verb goes on.
enum Boarded<V: Grouped> {
    Alone(Own<V>),
    Waits(oneshot::Receiver<Answered<V>>),
}

/// A verb that its caller sends itself. Dropped with the caller, it makes way as an answered one does.
struct Own<V: Grouped> {
    item: V::Item,
    _flight: Flight<V>,
    _room: OwnedSemaphorePermit,
}

impl<V: Grouped> Shared<V> {
    fn board(self: &Arc<Self>, item: V::Item, room: OwnedSemaphorePermit) -> Boarded<V> {
        let mut waiting = self.lock();
        let free = waiting.flights < FLIGHTS_MAX;
        waiting.flights += usize::from(free);
        if free && self.aside == Aside::WhenAlone {
            return Boarded::Alone(Own {
                item,
                _flight: Flight(self.clone()),
                _room: room,
            });
        }
        let (reply, answer) = oneshot::channel();
        waiting.queue.push_back(Queued { item, reply, room });
        drop(waiting);
        if free {
            Flight(self.clone()).depart();
        }
        Boarded::Waits(answer)
    }

    /// The next group, the oldest first. A row whose twin is in the group already waits for the next one.
    fn group(&self) -> Vec<Queued<V>> {
        let mut waiting = self.lock();
        let (mut group, mut later) = (Vec::new(), VecDeque::new());
        let (mut rows, mut bytes) = (HashSet::new(), 0_usize);
        while let Some(next) = waiting.queue.pop_front() {
            let size = V::bytes(&next.item);
            let full = group.len() == GROUP_ROWS_MAX
                || (!group.is_empty() && bytes.saturating_add(size) > GROUP_BYTES_MAX);
            if full {
                waiting.queue.push_front(next);
                break;
            }
            if V::row(&next.item).is_some_and(|row| !rows.insert(row)) {
                later.push_back(next);
                continue;
            }
            bytes += size;
            group.push(next);
        }
        later.append(&mut waiting.queue);
        waiting.queue = later;
        group
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<V>> {
        // Nothing in here panics while it holds the lock.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of the [`FLIGHTS_MAX`]. Its end, however it ends, is the start of the next one where anybody waits.
struct Flight<V: Grouped>(Arc<Shared<V>>);

impl<V: Grouped> Drop for Flight<V> {
    fn drop(&mut self) {
        let mut waiting = self.0.lock();
        if waiting.queue.is_empty() {
            waiting.flights -= 1;
            return;
        }
        drop(waiting);
        Self(self.0.clone()).depart();
    }
}

impl<V: Grouped> Flight<V> {
    fn depart(self) {
        let Ok(runtime) = Handle::try_current() else {
            // The runtime is ending and nobody can be answered any more: the senders go, and say so.
            let mut waiting = self.0.lock();
            let left = std::mem::take(&mut waiting.queue);
            drop(waiting);
            drop(left);
            return;
        };
        runtime.spawn(async move {
            let group = self.0.group();
            send(&self.0, group).await;
        });
    }
}

/// Sends a group and answers each of its rows. What the group leaves open, all of it where its statement failed, goes
/// out one by one and at once, so that one bad row fails alone and a locked one holds nobody up.
async fn send<V: Grouped>(shared: &Arc<Shared<V>>, group: Vec<Queued<V>>) {
    if group.is_empty() {
        return;
    }
    if group.len() == 1 && shared.aside == Aside::WhenAlone {
        for one in group {
            let answer = V::alone(&*shared.store, &one.item).await;
            answer_to(one, answer);
        }
        return;
    }
    let items: Vec<_> = group.iter().map(|queued| queued.item.clone()).collect();
    let replies = match V::together(&*shared.store, &items).await {
        Ok(replies) => replies,
        Err(error) => {
            tracing::debug!(rows = group.len(), %error, "a group failed, and its rows go out one by one");
            Vec::new()
        }
    };
    let replies = replies.into_iter().chain(std::iter::repeat_with(|| None));
    for (queued, reply) in group.into_iter().zip(replies) {
        if let Some(reply) = reply {
            answer_to(queued, Ok(reply));
            continue;
        }
        let store = shared.store.clone();
        tokio::spawn(async move {
            let answer = V::alone(&*store, &queued.item).await;
            answer_to(queued, answer);
        });
    }
}

/// The caller may be gone; its verb is done all the same.
fn answer_to<V: Grouped>(queued: Queued<V>, answer: Answered<V>) {
    let Queued { reply, room, .. } = queued;
    let _gone = reply.send(answer);
    drop(room);
}
