//! The vendor's door: axum, on connections that can be cut without an answer.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::Json;
use axum::Router;
use axum::extract::connect_info::{ConnectInfo, Connected};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::{IncomingStream, Listener};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

use super::desk::{Desk, Order};

/// Bodies above this are refused by the vendor.
const BODY_BYTES_MAX: usize = 16 << 20;

/// Serves until its task is aborted.
pub(super) async fn run(listener: TcpListener, desk: Arc<Desk>) {
    let router = Router::new()
        .route("/effects", post(effect))
        .route("/book", get(book))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .with_state(desk);
    let service = router.into_make_service_with_connect_info::<Scissors>();
    let _ = axum::serve(CuttableListener(listener), service).await;
}

#[derive(serde::Deserialize)]
struct EffectRequest {
    what: Value,
}

async fn effect(
    State(desk): State<Arc<Desk>>,
    ConnectInfo(scissors): ConnectInfo<Scissors>,
    headers: HeaderMap,
    Json(request): Json<EffectRequest>,
) -> Response {
    let key = headers
        .get("idempotency-key")
        .and_then(|key| key.to_str().ok())
        .map(str::to_owned);
    match desk
        .serve(Order {
            key,
            what: request.what,
        })
        .await
    {
        Some(answer) => {
            let status = StatusCode::from_u16(answer.status).expect("the script's status");
            (status, Json(answer.body)).into_response()
        }
        None => {
            scissors.cut();
            StatusCode::OK.into_response()
        }
    }
}

async fn book(State(desk): State<Arc<Desk>>) -> Response {
    let book = desk.book().borrow().clone();
    Json(book).into_response()
}

/// Cuts its connection: from then on nothing can be written to it, and hyper closes it.
#[derive(Debug, Clone, Default)]
struct Scissors(Arc<AtomicBool>);

impl Scissors {
    fn cut(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn check(&self) -> io::Result<()> {
        let cut = self.0.load(Ordering::SeqCst);
        if cut {
            Err(io::ErrorKind::ConnectionReset.into())
        } else {
            Ok(())
        }
    }
}

impl Connected<IncomingStream<'_, CuttableListener>> for Scissors {
    fn connect_info(stream: IncomingStream<'_, CuttableListener>) -> Self {
        stream.io().scissors.clone()
    }
}

struct CuttableListener(TcpListener);

impl Listener for CuttableListener {
    type Io = CuttableStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        (
            CuttableStream {
                stream,
                scissors: Scissors::default(),
            },
            address,
        )
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

struct CuttableStream {
    stream: TcpStream,
    scissors: Scissors,
}

impl AsyncRead for CuttableStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for CuttableStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.scissors.check()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
