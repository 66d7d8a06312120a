//! A proxy before PostgreSQL that loses requests and acknowledgements where a test wants it.
//!
//! How a test arms it. A client sends batches of messages, each ended by a Sync; the text of a
//! statement is on the wire only when the client prepares it, once per connection, and a pool may
//! ping a connection with an empty batch. So:
//!
//! - [`Proxy::cut_after_request_containing`] is the usual one: it follows which prepared statement a
//!   batch executes, on every connection, so the marker is found whether or not the text is sent
//!   again, and preparing alone or pinging does not count.
//! - [`Proxy::cut_reply_of_next_sync`] takes the next batch whatever it is: for tests that drive one
//!   connection themselves and count the batches.
//!
//! After a cut the proxy goes on: the next connection works.

mod connection;
mod wire;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::url;

/// How long a test waits for a cut before it fails.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// Where a request is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// The server never sees the request.
    BeforeRequest,
    /// The server has done and committed it; the client never sees the reply.
    BeforeReply,
}

/// One armed cut.
#[derive(Debug)]
struct Plan {
    cut: Cut,
    /// Part of an executed statement's text; nothing matches every batch.
    marker: Option<Vec<u8>>,
    /// How many matching batches still come before the one that is cut, and itself.
    left: usize,
}

/// What the proxy's connections share.
#[derive(Debug)]
struct Shared {
    upstream: String,
    plan: Mutex<Option<Plan>>,
    cuts: watch::Sender<usize>,
    refusing: AtomicBool,
    hang_ups: watch::Sender<usize>,
}

impl Shared {
    /// Decides on one batch, from the texts of the statements that it executes.
    fn decide(&self, executed: &[Vec<u8>]) -> Option<Cut> {
        let mut armed = self.plan.lock().expect("no holder of the plan panics");
        let plan = armed.as_mut()?;
        let matches = plan.marker.as_ref().is_none_or(|marker| {
            executed
                .iter()
                .any(|text| text.windows(marker.len()).any(|part| part == marker))
        });
        if !matches {
            return None;
        }
        plan.left -= 1;
        if plan.left > 0 {
            return None;
        }
        armed.take().map(|plan| plan.cut)
    }

    fn count_cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }
}

/// A running proxy; dropping it closes every connection through it.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    url: String,
    shared: Arc<Shared>,
    listener: JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy before the server of a URL, on a free port of loopback.
    ///
    /// # Panics
    /// Where the URL names no host, or loopback gives no port.
    pub async fn start(database_url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the bound address");
        let shared = Arc::new(Shared {
            upstream: url::address(database_url),
            plan: Mutex::new(None),
            cuts: watch::Sender::new(0),
            refusing: AtomicBool::new(false),
            hang_ups: watch::Sender::new(0),
        });
        let url = url::with_address(database_url, address);
        let listener = tokio::spawn(listen(listener, Arc::clone(&shared)));
        Self {
            address,
            url,
            shared,
            listener,
        }
    }

    /// The same database, through this proxy.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where the proxy listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Loses the reply of the next batch, whatever it is, once the server has answered it.
    ///
    /// # Panics
    /// Where another cut is armed and has not come yet.
    pub fn cut_reply_of_next_sync(&self) {
        self.arm(Plan {
            cut: Cut::BeforeReply,
            marker: None,
            left: 1,
        });
    }

    /// Loses the reply of the `nth` batch from now on (1 is the next) that executes a statement
    /// whose text contains the marker. The reply has reached the proxy by then, so what the
    /// statement did is committed.
    ///
    /// # Panics
    /// Where another cut is armed and has not come yet, or `nth` is 0.
    pub fn cut_after_request_containing(&self, marker: impl AsRef<[u8]>, nth: usize) {
        let marker = Some(marker.as_ref().to_vec());
        self.arm(Plan {
            cut: Cut::BeforeReply,
            marker,
            left: nth,
        });
    }

    /// Loses the `nth` such batch itself: the server never sees it.
    ///
    /// # Panics
    /// Where another cut is armed and has not come yet, or `nth` is 0.
    pub fn cut_before_request_containing(&self, marker: impl AsRef<[u8]>, nth: usize) {
        let marker = Some(marker.as_ref().to_vec());
        self.arm(Plan {
            cut: Cut::BeforeRequest,
            marker,
            left: nth,
        });
    }

    /// Refuses new connections and closes those that are open, until it is told otherwise.
    pub fn refuse(&self, refusing: bool) {
        self.shared.refusing.store(refusing, Ordering::SeqCst);
        if refusing {
            self.hang_up();
        }
    }

    /// Closes every open connection.
    pub fn hang_up(&self) {
        self.shared.hang_ups.send_modify(|times| *times += 1);
    }

    /// How many connections were cut so far as planned.
    #[must_use]
    pub fn cuts(&self) -> usize {
        *self.shared.cuts.borrow()
    }

    /// Waits until so many cuts have come.
    ///
    /// # Panics
    /// Where they do not come within 30 s.
    pub async fn wait_for_cuts(&self, cuts: usize) {
        let mut seen = self.shared.cuts.subscribe();
        let waited = tokio::time::timeout(WAIT_MAX, seen.wait_for(|seen| *seen >= cuts)).await;
        assert!(waited.is_ok(), "the armed cut does not come");
    }

    fn arm(&self, plan: Plan) {
        assert!(plan.left > 0, "the first matching request is number 1");
        let before = self
            .shared
            .plan
            .lock()
            .expect("no holder of the plan panics")
            .replace(plan);
        assert!(
            before.is_none(),
            "a cut that was armed before has not come yet"
        );
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listener.abort();
        self.hang_up();
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((client, _)) = listener.accept().await {
        if shared.refusing.load(Ordering::SeqCst) {
            continue;
        }
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let mut hang_ups = shared.hang_ups.subscribe();
            let Ok(server) = TcpStream::connect(&shared.upstream).await else {
                return;
            };
            // Whichever ends first, both streams are dropped with it, so both sides see the end.
            tokio::select! {
                _ = connection::run(client, server, &shared) => {}
                _ = hang_ups.changed() => {}
            }
        });
    }
}
