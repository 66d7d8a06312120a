//! The key that goes to the vendor: one for all attempts, until the vendor kept a failure under it (R29).

use std::collections::BTreeSet;
use std::time::Duration;

use idem_tests::vendor::{Behaviour, Keys};
use idem_tools::http::ResponseExt;
use idem_tools::{ToolContext, ToolError, tool};
use serde_json::json;

use crate::setting::{Setting, World, assert_replays, code, in_flight};
use crate::tools::{Desk, Note, Sent};

const ANN: &str = r#"{"to":"ann"}"#;
const WINDOW: Duration = Duration::from_secs(24 * 60 * 60);
const TIMEOUT: Duration = Duration::from_secs(60);
/// How far from a boundary both sides of it are tried; a test takes less time than this.
const NEAR: Duration = Duration::from_secs(40);

/// R29: the same on every attempt, with a release and a takeover between them.
pub(crate) async fn every_attempt_hands_the_vendor_the_same_key(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let busy = Behaviour::Status {
        code: 429,
        effect: false,
    };
    let bad_gateway = Behaviour::Status {
        code: 502,
        effect: false,
    };
    world.vendor.script([busy, bad_gateway]);
    let worker = world.worker().await;
    assert_eq!(code(&worker.answer("send_keyed", ANN).await), "http_429");
    in_flight(worker.call("send_keyed", ANN).await);
    setting.leases_pass().await;
    let sent = world.worker().await.answer("send_keyed", ANN).await;
    assert!(sent.result.is_ok());
    let book = world.vendor.book();
    assert_eq!((book.requests, book.distinct_keys, book.effects), (3, 1, 1));
}

/// R29: short, plain, and of one tenant, one turn and one call only.
pub(crate) async fn a_vendor_key_is_short_plain_and_of_one_call_of_one_tenant(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let ann = world.worker().await;
    let mut other_tenant = ann.clone();
    other_tenant.organization = idem_tools::OrganizationId::random();
    let next_turn = ann.turn_of("ann", "run-1", 2);
    for answer in [
        ann.call("send_keyed", ANN).await,
        other_tenant.call("send_keyed", ANN).await,
        ann.call("send_keyed", r#"{"to":"bob"}"#).await,
        crate::setting::call(&next_turn, "send_keyed", ANN).await,
    ] {
        assert!(answer.is_ok_and(|answer| answer.result.is_ok()));
    }
    let done = world.vendor.book().done;
    let keys: BTreeSet<String> = done.into_iter().filter_map(|effect| effect.key).collect();
    assert_eq!(keys.len(), 4, "each call has a key of its own: {keys:?}");
    for key in keys {
        assert!(key.len() <= 64 && key.bytes().all(|byte| byte.is_ascii_graphic()));
        assert!(!key.contains("ann") && !key.contains("bob") && !key.contains("run-1"));
    }
}

/// R32, P15: the vendor has forgotten the key, so sending again would be a second effect.
pub(crate) async fn a_keyed_call_past_its_vendors_window_is_not_sent_again(setting: Setting) {
    let world = World::new(&setting, Keys::KeptFor(WINDOW)).await;
    let worker = world.worker().await;
    world.next(Behaviour::DropReplyAfterEffect);
    in_flight(worker.call("send_keyed", ANN).await);
    setting.store.age_all(WINDOW + NEAR).await;
    world.vendor.advance(WINDOW + NEAR);
    let unknown = worker.answer("send_keyed", ANN).await;
    assert_eq!(code(&unknown), "outcome_unknown");
    assert_replays(
        &unknown,
        &world.worker().await.answer("send_keyed", ANN).await,
    );
    assert_eq!(world.counted(), (1, 1));
}

/// R32: the last moment is the window less one timeout, since the attempt may use its whole timeout.
pub(crate) async fn a_keyed_call_is_sent_again_only_while_it_would_end_inside_the_window(
    setting: Setting,
) {
    for (age, sent_again) in [
        (WINDOW - TIMEOUT - NEAR, true),
        (WINDOW - TIMEOUT + NEAR / 8, false),
    ] {
        let world = World::new(&setting, Keys::Kept).await;
        let worker = world.worker().await;
        world.next(Behaviour::DropReplyAfterEffect);
        in_flight(worker.call("send_keyed", ANN).await);
        setting.store.age_all(age).await;
        let answer = worker.answer("send_keyed", ANN).await;
        assert_eq!(answer.result.is_ok(), sent_again, "{age:?}: {answer:?}");
        let requests = if sent_again { 2 } else { 1 };
        assert_eq!(world.counted(), (requests, 1), "{age:?}");
    }
}

/// R32: the window is counted from the first dispatch and not from the last.
pub(crate) async fn attempts_in_between_do_not_lengthen_the_window(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let worker = world.worker().await;
    let lost = || Behaviour::DropReplyAfterEffect;
    world.vendor.script([lost(), lost()]);
    in_flight(worker.call("send_keyed", ANN).await);
    setting.store.age_all(WINDOW / 2).await;
    in_flight(worker.call("send_keyed", ANN).await);
    setting.store.age_all(WINDOW / 2).await;
    let unknown = worker.answer("send_keyed", ANN).await;
    assert_eq!(code(&unknown), "outcome_unknown");
    assert_eq!(world.counted(), (2, 1));
}

/// A tool that knows its vendor: a 500 is a failure that made nothing and is kept under the key; a 503 says nothing.
#[tool(
    scope = "tool.note.pay",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn pay(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
    let key = ctx.vendor_key().as_str();
    let reply = ctx.state::<Desk>()?.ask(key, &json!(input.to)).await?;
    match reply.status().as_u16() {
        500 => Err(ToolError::no_effect("failed", "it failed").vendor_keeps_failure()),
        503 => Err(ToolError::unknown("no telling").vendor_keeps_failure()),
        _ => Ok(reply.for_tool()?.json().await?),
    }
}

/// R29: the vendor would replay its own failure, so the next attempt has another key, and that at once.
pub(crate) async fn a_failure_that_the_vendor_keeps_gives_the_next_attempt_another_key(
    setting: Setting,
) {
    let world = World::new(&setting, Keys::Kept).await;
    let worker = world.worker_with(|builder| builder.tool::<pay>()).await;
    world.next(Behaviour::StoredFailure(500));
    let failed = worker.answer("pay", ANN).await;
    assert_eq!(code(&failed), "failed");
    assert!(failed.failure().is_some_and(|failure| failure.retryable));
    assert_eq!(setting.rows().await, 1, "the row keeps which key is next");
    let paid = worker.answer("pay", ANN).await;
    assert_eq!(paid.decode::<Sent>().expect("paid").id, "effect-1");
    assert_eq!(paid.attempt, 2);
    let book = world.vendor.book();
    assert_eq!((book.requests, book.distinct_keys, book.effects), (2, 2, 1));
}

/// R29: an unknown outcome never gets another key, whatever the tool says of it.
pub(crate) async fn an_unknown_outcome_never_gets_another_vendor_key(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let worker = world.worker_with(|builder| builder.tool::<pay>()).await;
    world.next(Behaviour::Status {
        code: 503,
        effect: true,
    });
    in_flight(worker.call("pay", ANN).await);
    setting.leases_pass().await;
    let paid = worker.answer("pay", ANN).await;
    assert_eq!(paid.decode::<Sent>().expect("paid").id, "effect-1");
    let book = world.vendor.book();
    assert_eq!((book.requests, book.distinct_keys, book.effects), (2, 1, 1));
}

/// R29, R32: a new key begins a new window.
pub(crate) async fn another_vendor_key_begins_a_window_of_its_own(setting: Setting) {
    let world = World::new(&setting, Keys::Kept).await;
    let worker = world.worker_with(|builder| builder.tool::<pay>()).await;
    let failed = Behaviour::StoredFailure(500);
    world
        .vendor
        .script([failed, Behaviour::DropReplyAfterEffect]);
    assert_eq!(code(&worker.answer("pay", ANN).await), "failed");
    setting.store.age_all(WINDOW).await;
    in_flight(worker.call("pay", ANN).await);
    setting.leases_pass().await;
    let paid = worker.answer("pay", ANN).await;
    assert_eq!(paid.decode::<Sent>().expect("paid").id, "effect-1");
    let book = world.vendor.book();
    assert_eq!((book.requests, book.distinct_keys, book.effects), (3, 2, 1));
}
