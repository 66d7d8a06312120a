//! A server that answers each connection with bytes of the case's choice, and then closes it: for replies that a
//! well-behaved vendor does not give.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// The server; dropping it ends it.
#[derive(Debug)]
pub(crate) struct HttpStub {
    pub(crate) url: String,
    requests: Arc<AtomicUsize>,
    server: JoinHandle<()>,
}

impl HttpStub {
    /// Starts a server that answers every request with these bytes.
    pub(crate) async fn answering(reply: impl Into<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the bound address");
        let (requests, reply) = (Arc::new(AtomicUsize::new(0)), reply.into());
        let seen = requests.clone();
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A client that hangs up has what it wanted.
                let _ = answer(stream, &reply, &seen).await;
            }
        });
        Self {
            url: format!("http://{address}/effects"),
            requests,
            server,
        }
    }

    /// How many requests arrived in whole.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for HttpStub {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(
    mut stream: TcpStream,
    reply: &[u8],
    requests: &AtomicUsize,
) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !is_whole(&request) {
        if stream.read_buf(&mut request).await? == 0 {
            return Ok(());
        }
    }
    requests.fetch_add(1, Ordering::SeqCst);
    stream.write_all(reply).await?;
    stream.shutdown().await
}

/// Whether a request has its head and as much of a body as the head says.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let own = name.eq_ignore_ascii_case("content-length");
        own.then(|| value.trim().parse::<usize>().ok()).flatten()
    });
    body.len() >= length.unwrap_or(0)
}
