//! `reconcile = path`: the vendor is asked before anything is sent again (R32).

use crate::calls::{DAY, MINUTE, answer, call, in_flight, of_row, on_a_runtime_that_dies, turn};
use idem_tests::TestStore;
use idem_tests::vendor::{Behaviour, Gate, Keys, Vendor};
use idem_tools::http::ResponseExt;
use idem_tools::{Idem, Reconciled, ToolContext, ToolError, Turn, tool, tool_input, tool_output};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

#[tool_input]
pub(crate) struct Send {
    name: String,
}

#[tool_output]
#[derive(Debug, PartialEq)]
pub(crate) struct Sent {
    id: String,
}

/// What one look-up does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Look {
    /// Looks into the vendor's book.
    Book,
    CannotSay,
    Fails,
    Panics,
    Hangs,
}

/// Where the vendor is, and what the look-ups do.
#[derive(Clone, Debug)]
pub(crate) struct Desk {
    effects: String,
    book: String,
    client: reqwest::Client,
    looks: Arc<Mutex<VecDeque<Look>>>,
    asked: Arc<AtomicUsize>,
    pub(crate) reached: Gate,
    pub(crate) stalls: bool,
}

impl Desk {
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    pub(crate) fn looks(&self, looks: impl IntoIterator<Item = Look>) {
        self.looks.lock().expect("looks").extend(looks);
    }
}

/// Sends once more where the vendor says that the earlier request did not happen.
#[tool(scope = "tool.mail.send", timeout_s = 3, reconcile = find)]
pub(crate) async fn send(ctx: &ToolContext, input: Send) -> Result<Sent, ToolError> {
    post(ctx, &input).await
}

/// As `send`, and says itself when it goes to the wire.
#[tool(scope = "tool.mail.send", timeout_s = 3, reconcile = find, marks_dispatch)]
pub(crate) async fn send_marked(ctx: &ToolContext, input: Send) -> Result<Sent, ToolError> {
    let desk = ctx.state::<Desk>()?;
    if desk.stalls {
        desk.reached.open();
        pending::<()>().await;
    }
    ctx.dispatching().await?;
    post(ctx, &input).await
}

/// The vendor keeps our key for a day, and can be asked afterwards.
#[tool(
    scope = "tool.mail.send",
    timeout_s = 3,
    effect = "keyed",
    vendor_window = "24h",
    reconcile = find
)]
pub(crate) async fn send_keyed(ctx: &ToolContext, input: Send) -> Result<Sent, ToolError> {
    post(ctx, &input).await
}

async fn post(ctx: &ToolContext, input: &Send) -> Result<Sent, ToolError> {
    let desk = ctx.state::<Desk>()?;
    let request = desk
        .client
        .post(&desk.effects)
        .header("Idempotency-Key", ctx.vendor_key().to_string())
        .json(&json!({ "what": input.name }));
    let body: Value = request.send().await?.for_tool()?.json().await?;
    let id = body["id"].as_str().unwrap_or_default().to_owned();
    Ok(Sent { id })
}

async fn find(ctx: &ToolContext, input: &Send) -> Result<Reconciled<Sent>, ToolError> {
    let desk = ctx.state::<Desk>()?;
    desk.asked.fetch_add(1, Ordering::SeqCst);
    assert!(ctx.earlier_attempts().is_some_and(|earlier| earlier.doubt));
    let look = desk.looks.lock().expect("looks").pop_front();
    match look.unwrap_or(Look::Book) {
        Look::Book => {}
        Look::CannotSay => return Ok(Reconciled::StillUnknown),
        Look::Fails => {
            return Err(ToolError::answer(
                "not_found",
                "not the vendor's final word",
            ));
        }
        Look::Panics => panic!("in the look-up"),
        Look::Hangs => pending::<()>().await,
    }
    let book: Value = desk.client.get(&desk.book).send().await?.json().await?;
    let key = ctx.vendor_key().to_string();
    let done = book["done"].as_array().cloned().unwrap_or_default();
    let mine = |effect: &Value| effect["key"] == key.as_str() && effect["what"] == input.name;
    Ok(match done.iter().position(mine) {
        Some(at) => Reconciled::Happened(Sent {
            id: format!("effect-{}", at + 1),
        }),
        None => Reconciled::DidNotHappen,
    })
}

/// A vendor that heeds no keys, so that every request it gets is an effect.
pub(crate) async fn vendor(behaviours: impl IntoIterator<Item = Behaviour>) -> (Vendor, Desk) {
    let vendor = Vendor::start(Keys::Ignored).await;
    vendor.script(behaviours);
    let desk = Desk {
        effects: vendor.effects_url(),
        book: vendor.book_url(),
        client: reqwest::Client::new(),
        looks: Arc::default(),
        asked: Arc::default(),
        reached: Gate::new(),
        stalls: false,
    };
    (vendor, desk)
}

pub(crate) async fn worker(store: &TestStore, desk: &Desk) -> Turn {
    let builder = Idem::open(&store.url).await.expect("the store opens");
    let builder = builder.state(desk.clone()).tool::<send>();
    let builder = builder.tool::<send_marked>().tool::<send_keyed>();
    turn(&builder.build().expect("the tools fit"))
}

fn book(vendor: &Vendor) -> (usize, usize) {
    let book = vendor.book();
    (book.requests, book.effects)
}

/// R32: happened with this answer.
pub(crate) async fn what_happened_is_the_answer_and_nothing_is_sent_again(store: TestStore) {
    let (vendor, desk) = vendor([Behaviour::DropReplyAfterEffect]).await;
    let turn = worker(&store, &desk).await;
    in_flight(&turn, "send").await;
    store.age_all(MINUTE).await;
    let found = answer(&turn, "send").await;
    assert_eq!(found.decode::<Sent>().expect("sent").id, "effect-1");
    assert_eq!((found.attempt, found.replayed), (2, false));
    assert_eq!((book(&vendor), desk.asked()), ((1, 1), 1));
    assert!(answer(&turn, "send").await.replayed);
    assert_eq!((book(&vendor), desk.asked()), ((1, 1), 1));
}

/// R32: did not happen, so this attempt makes it.
pub(crate) async fn what_did_not_happen_is_executed(store: TestStore) {
    let (vendor, desk) = vendor([Behaviour::DropBeforeEffect]).await;
    let turn = worker(&store, &desk).await;
    in_flight(&turn, "send").await;
    store.age_all(MINUTE).await;
    let sent = answer(&turn, "send").await;
    assert_eq!(sent.decode::<Sent>().expect("sent").id, "effect-1");
    assert_eq!((book(&vendor), desk.asked()), ((2, 1), 1));
}

/// R32: a look-up while the earlier request may be in flight proves nothing.
pub(crate) async fn nobody_is_asked_before_the_earlier_lease_has_ended(store: TestStore) {
    let (vendor, desk) = vendor([Behaviour::DropReplyAfterEffect]).await;
    let turn = worker(&store, &desk).await;
    for _ in 0..3 {
        in_flight(&turn, "send").await;
    }
    in_flight(&worker(&store, &desk).await, "send").await;
    assert_eq!((book(&vendor), desk.asked()), ((1, 1), 0));
}

/// R32: a takeover without the mark runs again at once.
pub(crate) async fn nobody_is_asked_where_there_is_no_doubt(store: TestStore) {
    let (vendor, mut desk) = vendor([]).await;
    desk.stalls = true;
    let (doomed, told) = (store.clone(), desk.clone());
    on_a_runtime_that_dies(async move {
        let turn = worker(&doomed, &told).await;
        tokio::spawn(async move { call(&turn, "send_marked").await });
        told.reached.opened().await;
    })
    .await;
    store.age_all(MINUTE).await;
    desk.stalls = false;
    let sent = answer(&worker(&store, &desk).await, "send_marked").await;
    assert_eq!((sent.attempt, sent.value().is_some()), (2, true));
    assert_eq!((book(&vendor), desk.asked()), ((1, 1), 0));
}

/// hazards P10: the earlier request may land after this attempt gave up, so whoever comes next asks again.
pub(crate) async fn a_release_after_a_look_up_keeps_the_doubt(store: TestStore) {
    let gate = Gate::new();
    let busy = Behaviour::Status {
        code: 429,
        effect: false,
    };
    let (vendor, desk) = vendor([Behaviour::LandLate(gate.clone()), busy]).await;
    let turn = worker(&store, &desk).await;
    in_flight(&turn, "send").await;
    store.age_all(MINUTE).await;
    let refused = answer(&turn, "send").await;
    assert!(refused.failure().expect("busy").retryable);
    assert_eq!(of_row(&store, "doubt").await, 1);
    gate.open();
    vendor.wait_for_effects(1).await;
    let found = answer(&turn, "send").await;
    assert_eq!(found.decode::<Sent>().expect("sent").id, "effect-1");
    assert_eq!((book(&vendor), desk.asked()), ((2, 1), 2));
}

/// docs/guarantee.md names this one: no look-up can see what has not arrived yet.
pub(crate) async fn an_earlier_request_that_lands_after_the_look_up_is_the_residual(
    store: TestStore,
) {
    let gate = Gate::new();
    let (vendor, desk) = vendor([Behaviour::LandLate(gate.clone())]).await;
    let turn = worker(&store, &desk).await;
    in_flight(&turn, "send").await;
    store.age_all(MINUTE).await;
    assert!(answer(&turn, "send").await.value().is_some());
    assert_eq!((book(&vendor), desk.asked()), ((2, 1), 1));
    gate.open();
    vendor.wait_for_effects(2).await;
    assert!(answer(&turn, "send").await.replayed);
}

/// R32: past the window the vendor may have forgotten the key.
pub(crate) async fn a_keyed_tool_asks_once_its_window_is_over(store: TestStore) {
    let (vendor, desk) = vendor([Behaviour::DropReplyAfterEffect]).await;
    let turn = worker(&store, &desk).await;
    in_flight(&turn, "send_keyed").await;
    store.age_all(DAY).await;
    let found = answer(&turn, "send_keyed").await;
    assert_eq!(found.decode::<Sent>().expect("sent").id, "effect-1");
    assert_eq!((book(&vendor), desk.asked()), ((1, 1), 1));
}

/// R32: within it the key is enough.
pub(crate) async fn a_keyed_tool_sends_again_within_its_window_and_asks_nobody(store: TestStore) {
    let (vendor, desk) = vendor([Behaviour::DropBeforeEffect]).await;
    let turn = worker(&store, &desk).await;
    in_flight(&turn, "send_keyed").await;
    store.age_all(MINUTE).await;
    assert!(answer(&turn, "send_keyed").await.value().is_some());
    assert_eq!((book(&vendor), desk.asked()), ((2, 1), 0));
    assert_eq!(vendor.book().distinct_keys, 1);
}
