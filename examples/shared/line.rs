//! Connections that a vendor can close without an answer, for the programs that play one.

use std::net::Shutdown;
use std::sync::Arc;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::net::{TcpListener, TcpStream};

/// A second handle of a connection, with which a handler can close it: no HTTP answer can express "no answer".
#[derive(Clone, Debug)]
pub(crate) struct Line(Arc<std::net::TcpStream>);

impl Line {
    /// Closes it.
    pub(crate) fn cut(&self) {
        // It fails only where the other side has closed it already, which is the same to the caller.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

impl Connected<IncomingStream<'_, Lines>> for Line {
    fn connect_info(stream: IncomingStream<'_, Lines>) -> Self {
        stream.remote_addr().clone()
    }
}

/// A listener that gives each connection its [`Line`] in place of the peer's address.
#[derive(Debug)]
pub(crate) struct Lines(pub(crate) TcpListener);

impl Lines {
    async fn accept_one(&self) -> std::io::Result<(TcpStream, Line)> {
        let (stream, _) = self.0.accept().await?;
        let stream = stream.into_std()?;
        let line = Line(Arc::new(stream.try_clone()?));
        Ok((TcpStream::from_std(stream)?, line))
    }
}

impl Listener for Lines {
    type Io = TcpStream;
    type Addr = Line;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            match self.accept_one().await {
                Ok(accepted) => return accepted,
                // One connection that broke while it was accepted says nothing about the next.
                Err(_) => tokio::task::yield_now().await,
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        Err(std::io::Error::from(std::io::ErrorKind::Unsupported))
    }
}
