//! What the vendor does, apart from HTTP: its script, its keys and its book.

use std::collections::hash_map::{Entry, HashMap};

use super::{Arc, Behaviour, Book, Duration, Effect, Keys, Mutex, Value, VecDeque, json, watch};

/// A status and a body.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Value,
}

impl Answer {
    fn error(status: u16, error: &str) -> Self {
        Self {
            status,
            body: json!({ "error": error }),
        }
    }
}

/// A key that the vendor keeps. Without an answer its request is still being worked on.
#[derive(Debug)]
struct Kept {
    what: Value,
    since: Duration,
    answer: Option<Answer>,
}

#[derive(Debug, Default)]
struct State {
    script: VecDeque<Behaviour>,
    kept: HashMap<String, Kept>,
    keys_seen: std::collections::HashSet<String>,
    now: Duration,
}

/// The vendor behind its door.
#[derive(Debug)]
pub(super) struct Desk {
    keys: Keys,
    state: Mutex<State>,
    book: watch::Sender<Book>,
}

/// What one request asks for.
#[derive(Debug, Clone)]
pub(super) struct Order {
    pub(super) key: Option<String>,
    pub(super) what: Value,
}

impl Desk {
    pub(super) fn new(keys: Keys) -> Self {
        let (state, book) = (Mutex::default(), watch::Sender::new(Book::default()));
        Self { keys, state, book }
    }

    pub(super) fn script(&self, behaviours: impl IntoIterator<Item = Behaviour>) {
        self.state().script.extend(behaviours);
    }

    pub(super) fn advance(&self, by: Duration) {
        self.state().now += by;
    }

    pub(super) fn book(&self) -> watch::Receiver<Book> {
        self.book.subscribe()
    }

    /// Serves one request; no answer means that the connection is to be closed.
    pub(super) async fn serve(self: Arc<Self>, order: Order) -> Option<Answer> {
        match self.arrive(&order) {
            Behaviour::Ok => Some(self.work(&order)),
            Behaviour::DropReplyAfterEffect => {
                self.work(&order);
                None
            }
            Behaviour::DropBeforeEffect => None,
            Behaviour::Status { code, effect } => {
                if effect {
                    self.work(&order);
                }
                Some(Answer::error(code, "scripted"))
            }
            Behaviour::StoredFailure(code) => Some(match self.reserve(&order) {
                Ok(()) => self.keep(&order, Answer::error(code, "scripted and stored")),
                Err(answer) => answer,
            }),
            Behaviour::Slow(gate) => match self.reserve(&order) {
                Err(answer) => Some(answer),
                // A task of its own, because a client that hangs up ends its request's future, and
                // the vendor's work goes on.
                Ok(()) => tokio::spawn(async move {
                    gate.opened().await;
                    self.land(&order)
                })
                .await
                .ok(),
            },
            Behaviour::LandLate(gate) => {
                if self.reserve(&order).is_ok() {
                    tokio::spawn(async move {
                        gate.opened().await;
                        self.land(&order);
                    });
                }
                Some(Answer::error(504, "no answer in time"))
            }
            Behaviour::Lie { body, effect } => {
                if effect {
                    self.work(&order);
                }
                Some(Answer { status: 200, body })
            }
        }
    }

    /// Counts a request and takes its behaviour.
    fn arrive(&self, order: &Order) -> Behaviour {
        let mut state = self.state();
        if let Some(key) = &order.key {
            state.keys_seen.insert(key.clone());
        }
        self.book.send_modify(|book| {
            book.requests += 1;
            book.distinct_keys = state.keys_seen.len();
        });
        state.script.pop_front().unwrap_or(Behaviour::Ok)
    }

    fn work(&self, order: &Order) -> Answer {
        match self.reserve(order) {
            Ok(()) => self.land(order),
            Err(answer) => answer,
        }
    }

    /// Takes the key, or says what the vendor answers instead: what it keeps under that key, 409
    /// while the first request is being worked on, 422 where the first asked for something else.
    fn reserve(&self, order: &Order) -> Result<(), Answer> {
        let mut state = self.state();
        let now = state.now;
        let (key, window) = match (&order.key, self.keys) {
            (None, _) | (_, Keys::Ignored) => return Ok(()),
            (Some(key), Keys::Kept) => (key, Duration::MAX),
            (Some(key), Keys::KeptFor(window)) => (key, window),
        };
        state.kept.retain(|_, kept| now - kept.since <= window);
        match state.kept.entry(key.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(Kept {
                    what: order.what.clone(),
                    since: now,
                    answer: None,
                });
                Ok(())
            }
            Entry::Occupied(entry) if entry.get().what != order.what => {
                Err(Answer::error(422, "this key was used for another request"))
            }
            Entry::Occupied(entry) => {
                let working = || Answer::error(409, "the first request is being worked on");
                Err(entry.get().answer.clone().unwrap_or_else(working))
            }
        }
    }

    /// Does the effect, writes it down and keeps the answer.
    fn land(&self, order: &Order) -> Answer {
        let mut number = 0;
        self.book.send_modify(|book| {
            book.effects += 1;
            number = book.effects;
            book.done.push(Effect {
                what: order.what.clone(),
                key: order.key.clone(),
            });
        });
        let body = json!({ "id": format!("effect-{number}"), "what": order.what });
        self.keep(order, Answer { status: 200, body })
    }

    fn keep(&self, order: &Order, answer: Answer) -> Answer {
        let mut state = self.state();
        if let Some(kept) = order.key.as_ref().and_then(|key| state.kept.get_mut(key)) {
            kept.answer = Some(answer.clone());
        }
        answer
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no holder of the vendor's state panics")
    }
}
