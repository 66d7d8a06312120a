//! A vendor on loopback that does effects and counts them. It can be slow, lie, drop replies and
//! land late, one behaviour per request, as the test scripts it.
//!
//! `POST /effects` with `{"what": …}` and an optional `Idempotency-Key` does one effect and answers
//! `{"id": "effect-1", "what": …}`. `GET /book` answers the counts. Nothing in here sleeps: what has
//! to wait waits for a [`Gate`] that the test opens.

mod desk;
mod server;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Serialize;
/// The JSON of the vendor's requests and replies, for a crate that has no `serde_json` of its own.
pub use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use super::Gate;
use desk::Desk;

/// How long a test waits for the vendor's book before it fails.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// What the vendor does with `Idempotency-Key`s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// A repeat under the same key gets the first answer and makes no second effect.
    Kept,
    /// Kept for so long after the first request, by the clock that [`Vendor::advance`] moves.
    KeptFor(Duration),
    /// Read and not heeded: every request is an effect of its own.
    Ignored,
}

/// What the vendor does with one request. An effect under a key that it keeps is done once whatever
/// the behaviour is.
#[derive(Debug, Clone)]
pub enum Behaviour {
    /// Does the effect and answers.
    Ok,
    /// Does the effect and closes the connection without an answer.
    DropReplyAfterEffect,
    /// Closes the connection without an answer and without the effect.
    DropBeforeEffect,
    /// Answers this status. A success is kept under the key where there was an effect.
    Status {
        /// The HTTP status.
        code: u16,
        /// Whether the effect is done all the same.
        effect: bool,
    },
    /// Answers this status without an effect, keeps that answer under the key and replays it.
    StoredFailure(u16),
    /// Waits until the gate opens, then does the effect and answers. The effect comes also when the
    /// client has hung up meanwhile.
    Slow(Gate),
    /// Answers 504 at once and does the effect when the gate opens.
    LandLate(Gate),
    /// Answers 200 with a body of the test's choice.
    Lie {
        /// What is answered.
        body: Value,
        /// Whether the effect is done.
        effect: bool,
    },
}

/// One effect that the vendor did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// What was asked for.
    pub what: Value,
    /// Under which key.
    pub key: Option<String>,
}

/// The vendor's book.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Book {
    /// Requests for an effect that arrived, with repeats and refused ones.
    pub requests: usize,
    /// Different keys among them.
    pub distinct_keys: usize,
    /// Effects done.
    pub effects: usize,
    /// Each effect, in the order in which they were done.
    pub done: Vec<Effect>,
}

/// A running vendor; dropping it ends the server.
#[derive(Debug)]
pub struct Vendor {
    address: SocketAddr,
    desk: Arc<Desk>,
    server: JoinHandle<()>,
}

impl Vendor {
    /// Starts a vendor on a free port of loopback.
    ///
    /// # Panics
    /// Where loopback gives no port.
    pub async fn start(keys: Keys) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port");
        let address = listener.local_addr().expect("the bound address");
        let desk = Arc::new(Desk::new(keys));
        let server = tokio::spawn(server::run(listener, Arc::clone(&desk)));
        Self {
            address,
            desk,
            server,
        }
    }

    /// `http://127.0.0.1:PORT/effects`.
    #[must_use]
    pub fn effects_url(&self) -> String {
        format!("http://{}/effects", self.address)
    }

    /// `http://127.0.0.1:PORT/book`.
    #[must_use]
    pub fn book_url(&self) -> String {
        format!("http://{}/book", self.address)
    }

    /// Sets what happens to the next requests, one each, after those scripted before.
    pub fn script(&self, behaviours: impl IntoIterator<Item = Behaviour>) {
        self.desk.script(behaviours);
    }

    /// Moves the vendor's clock, by which it forgets keys.
    pub fn advance(&self, by: Duration) {
        self.desk.advance(by);
    }

    /// The book as it stands.
    #[must_use]
    pub fn book(&self) -> Book {
        self.desk.book().borrow().clone()
    }

    /// Waits until so many requests have arrived.
    ///
    /// # Panics
    /// Where they do not arrive within 30 s.
    pub async fn wait_for_requests(&self, requests: usize) {
        self.wait_until(|book| book.requests >= requests).await;
    }

    /// Waits until so many effects were done.
    ///
    /// # Panics
    /// Where they are not done within 30 s.
    pub async fn wait_for_effects(&self, effects: usize) {
        self.wait_until(|book| book.effects >= effects).await;
    }

    async fn wait_until(&self, met: impl FnMut(&Book) -> bool) {
        let mut book = self.desk.book();
        let waited = tokio::time::timeout(WAIT_MAX, book.wait_for(met))
            .await
            .map(|_| ());
        waited.unwrap_or_else(|_| panic!("the vendor's book stays at {:?}", self.book()));
    }
}

impl Drop for Vendor {
    fn drop(&mut self) {
        self.server.abort();
    }
}
