//! The airline: an HTTP service that answers as it is recorded, keeps idempotency keys and writes a book.

pub(crate) mod book;
pub(crate) mod chaos;
mod ledger;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Json, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::net::TcpListener;

use self::book::{Book, Call};
use self::chaos::{Chaos, Fault};
use self::ledger::{Ledger, Reply};
use crate::Outcome;
use crate::client::{Done, KEY_HEADER, REFUSED, REPLAYED_HEADER, Refusal, Request};
use crate::line::{Line, Lines};
use crate::recording::Conversation;
use crate::tools::NOTICE;

/// How long the reply to a notice takes where things break, so that a worker can die between a notice and its record.
const NOTICE_TAKES: Duration = Duration::from_millis(150);

/// The request header that asks for a fault by its name, in place of the script.
const FAULT_HEADER: &str = "x-airline-fault";

/// What the vendor is told when it is started.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terms {
    pub(crate) chaos: Chaos,
    /// How long a late reply takes.
    pub(crate) late: Duration,
}

#[derive(Clone)]
struct Desk {
    ledger: Arc<Mutex<Ledger>>,
    late: Duration,
    notice_takes: Duration,
}

impl Desk {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        // A handler that panicked has still written whole entries.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A vendor that has its port and does not serve yet.
pub(crate) struct Vendor {
    listener: TcpListener,
    desk: Desk,
}

impl Vendor {
    /// Takes a free loopback port.
    pub(crate) async fn bind(conversations: &[Conversation], terms: Terms) -> Outcome<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let desk = Desk {
            ledger: Arc::new(Mutex::new(Ledger::new(conversations, terms.chaos))),
            late: terms.late,
            notice_takes: match terms.chaos.per_mille {
                0 => Duration::ZERO,
                _ => NOTICE_TAKES,
            },
        };
        Ok(Self { listener, desk })
    }

    pub(crate) fn port(&self) -> Outcome<u16> {
        Ok(self.listener.local_addr()?.port())
    }

    /// Serves until it is dropped.
    pub(crate) async fn serve(self) -> Outcome<()> {
        let app = Router::new()
            .route("/tools/{tool}", post(tool))
            .route("/book", get(book))
            .route("/effects", post(effects))
            .with_state(self.desk)
            .into_make_service_with_connect_info::<Line>();
        axum::serve(Lines(self.listener), app).await?;
        Ok(())
    }
}

async fn book(desk: State<Desk>) -> Json<Book> {
    Json(desk.ledger().book())
}

/// How often one call was done.
async fn effects(desk: State<Desk>, call: Json<Call>) -> Json<u32> {
    Json(desk.ledger().effects(&call))
}

async fn tool(
    desk: State<Desk>,
    line: ConnectInfo<Line>,
    tool: Path<String>,
    headers: HeaderMap,
    body: Json<Request>,
) -> Response {
    let Json(Request {
        place,
        step,
        arguments,
    }) = body;
    let call = Call {
        place,
        tool: tool.0,
        arguments,
    };
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let fault = desk
        .ledger()
        .arrives(&call, text(FAULT_HEADER).and_then(Fault::named));
    match fault {
        Some(Fault::TooManyRequests) => return StatusCode::TOO_MANY_REQUESTS.into_response(),
        Some(Fault::BadGatewayBefore) => return StatusCode::BAD_GATEWAY.into_response(),
        Some(Fault::DropBefore) => {
            line.cut();
            return StatusCode::BAD_GATEWAY.into_response(); // nobody reads it
        }
        _ => {}
    }
    let (reply, known) = desk.ledger().work(&call, step, text(KEY_HEADER));
    match fault {
        Some(Fault::DropAfter) => line.cut(),
        Some(Fault::BadGatewayAfter) => return StatusCode::BAD_GATEWAY.into_response(),
        Some(Fault::Late) => tokio::time::sleep(desk.late).await,
        _ if call.tool == NOTICE => tokio::time::sleep(desk.notice_takes).await,
        _ => {}
    }
    respond(reply, known)
}

fn respond(reply: Reply, known: bool) -> Response {
    let refuse = |status, code: &str, message: String| {
        let code = code.to_owned();
        (status, Json(Refusal { code, message })).into_response()
    };
    let mut response = match reply {
        Reply::Done(result) => Json(Done { result }).into_response(),
        Reply::Refused(message) => refuse(StatusCode::UNPROCESSABLE_ENTITY, REFUSED, message),
        Reply::KeyReused => {
            let message = "this idempotency key belongs to another request".to_owned();
            refuse(StatusCode::UNPROCESSABLE_ENTITY, "key_reused", message)
        }
        Reply::NotRecorded => {
            let message = "no recording has this call".to_owned();
            refuse(StatusCode::NOT_FOUND, "not_recorded", message)
        }
    };
    if known {
        let headers = response.headers_mut();
        headers.insert(
            REPLAYED_HEADER,
            axum::http::HeaderValue::from_static("true"),
        );
    }
    response
}
