//! One connection through the proxy: requests one way, replies the other, and the cut between.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

use super::wire::{Statements, read_message, read_startup};
use super::{Cut, Shared};

/// The codes that stand in place of a protocol version, see PostgreSQL's "Message Formats".
const ENCRYPTION_REQUESTS: [u32; 2] = [80_877_103, 80_877_104];
const CANCEL_REQUEST: u32 = 80_877_102;
/// "No reply is cut": more batches than any connection sends.
const NONE: u64 = u64::MAX;

/// Serves one connection to its end or its cut. Dropping the streams closes both sides.
pub(super) async fn run(
    mut client: TcpStream,
    mut server: TcpStream,
    shared: &Shared,
) -> io::Result<()> {
    // A request and its reply are small; waiting to fill a packet would cost 40 ms each.
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    if !start(&mut client, &mut server).await? {
        return Ok(());
    }
    // The number of the batch whose reply is to be lost; replies come in the order of the batches.
    let lost = AtomicU64::new(NONE);
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    tokio::select! {
        ended = requests(from_client, to_server, &lost, shared) => ended,
        ended = replies(from_server, to_client, &lost, shared) => ended,
    }
}

/// Passes the start of a session on; false where there is none to follow. The proxy cannot look
/// into an encrypted connection, so it refuses encryption, and clients then go on without.
async fn start(client: &mut TcpStream, server: &mut TcpStream) -> io::Result<bool> {
    loop {
        let bytes = read_startup(client).await?;
        let code = bytes[4..8]
            .try_into()
            .map(u32::from_be_bytes)
            .expect("four bytes");
        if ENCRYPTION_REQUESTS.contains(&code) {
            client.write_all(b"N").await?;
            continue;
        }
        server.write_all(&bytes).await?;
        if code == CANCEL_REQUEST {
            server.read_to_end(&mut Vec::new()).await?;
        }
        return Ok(code != CANCEL_REQUEST);
    }
}

/// Holds each batch back until its end, because only then is it known what it executes.
async fn requests(
    mut client: impl AsyncRead + Unpin,
    mut server: impl AsyncWrite + Unpin,
    lost: &AtomicU64,
    shared: &Shared,
) -> io::Result<()> {
    let mut statements = Statements::default();
    let (mut batch, mut batches) = (Vec::new(), 0);
    while let Some(message) = read_message(&mut client).await? {
        statements.follow(&message);
        batch.extend_from_slice(&message.0);
        match message.kind() {
            // Sync, a simple query and a function call are answered by one ReadyForQuery each.
            b'S' | b'Q' | b'F' => {
                batches += 1;
                match shared.decide(&statements.take_executed()) {
                    None => {}
                    Some(Cut::BeforeReply) => lost.store(batches, Ordering::SeqCst),
                    Some(Cut::BeforeRequest) => {
                        shared.count_cut();
                        return Ok(());
                    }
                }
            }
            // Parts of a batch; what is left (passwords, copied data, Flush, the end) is passed on.
            b'P' | b'B' | b'D' | b'E' | b'C' => continue,
            _ => {}
        }
        server.write_all(&batch).await?;
        batch.clear();
    }
    Ok(())
}

/// Passes replies on, up to the one that is to be lost. That one is awaited to its end: when
/// ReadyForQuery is there, the server has committed.
async fn replies(
    mut server: impl AsyncRead + Unpin,
    mut client: impl AsyncWrite + Unpin,
    lost: &AtomicU64,
    shared: &Shared,
) -> io::Result<()> {
    // The first ReadyForQuery ends the start of the session and answers batch 0, which nobody sent.
    let mut answering = 0;
    while let Some(message) = read_message(&mut server).await? {
        let is_lost = answering >= lost.load(Ordering::SeqCst);
        let is_end = message.kind() == b'Z';
        if is_lost && is_end {
            shared.count_cut();
            return Ok(());
        }
        if !is_lost {
            client.write_all(&message.0).await?;
        }
        if is_end {
            answering += 1;
        }
    }
    Ok(())
}
