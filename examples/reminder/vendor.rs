//! The vendor: a small mail service over HTTP, in a process of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::extract::{ConnectInfo, Json, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::Outcome;
use crate::book::{Book, Ledger, Reply};
use crate::line::{Line, Lines};

/// The request header that carries a key, and the answer's that says the key was known.
pub(crate) const KEY_HEADER: &str = "idempotency-key";
pub(crate) const REPLAYED_HEADER: &str = "idempotent-replayed";

/// Where it takes e-mails.
pub(crate) const EMAILS_PATH: &str = "/emails";

/// Where the director arms the next fault.
pub(crate) const DROP_PATH: &str = "/admin/drop-next-reply";

type Shared = State<Arc<Mutex<Ledger>>>;

/// Serves on a free loopback port until the process ends; the first line on standard output is the port.
pub(crate) async fn serve() -> Outcome<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("{}", listener.local_addr()?.port());
    let app = Router::new()
        .route(EMAILS_PATH, post(send_email))
        .route(DROP_PATH, post(drop_next_reply))
        .route("/book", get(book))
        .with_state(Arc::new(Mutex::new(Ledger::default())))
        .into_make_service_with_connect_info::<Line>();
    axum::serve(Lines(listener), app).await?;
    Ok(())
}

async fn send_email(
    state: Shared,
    line: ConnectInfo<Line>,
    headers: HeaderMap,
    body: Json<Value>,
) -> Response {
    let key = headers
        .get(KEY_HEADER)
        .and_then(|value| value.to_str().ok());
    let mut ledger = lock(&state);
    let reply = ledger.work(key, &body);
    if ledger.drops_reply() {
        line.0.cut();
    }
    match reply {
        Reply::Created(answer) => (StatusCode::CREATED, Json(answer)).into_response(),
        Reply::Again(answer) => (
            StatusCode::CREATED,
            [(REPLAYED_HEADER, "true")],
            Json(answer),
        )
            .into_response(),
        Reply::KeyReused => {
            let error = json!({ "error": "this idempotency key belongs to another request" });
            (StatusCode::UNPROCESSABLE_ENTITY, Json(error)).into_response()
        }
    }
}

async fn drop_next_reply(state: Shared) -> StatusCode {
    lock(&state).drop_next_reply();
    StatusCode::NO_CONTENT
}

async fn book(state: Shared) -> Json<Book> {
    Json(lock(&state).book())
}

fn lock(state: &Shared) -> MutexGuard<'_, Ledger> {
    // A handler that panicked has still written whole entries.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
