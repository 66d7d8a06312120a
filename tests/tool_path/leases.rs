//! How long a tool's claim is held, and how long its answer is remembered (R8, R10, C17).

use idem_tests::vendor::Keys;
use idem_tools::{ToolContext, ToolError, tool};

use crate::setting::{Setting, World};
use crate::tools::Note;

/// Retention and lease are read off two columns that were written by one clock at one time; this is rounding.
const ROUNDING_MS: i64 = 2;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

#[tool(scope = "tool.time.short", timeout_s = 1)]
async fn short(ctx: &ToolContext, _input: Note) -> Result<u64, ToolError> {
    Ok(ctx.time_left().as_millis().try_into()?)
}

#[tool(scope = "tool.time.middle", timeout_s = 60)]
async fn middle(ctx: &ToolContext, _input: Note) -> Result<u64, ToolError> {
    Ok(ctx.time_left().as_millis().try_into()?)
}

#[tool(scope = "tool.time.long", timeout_s = 120)]
async fn long(ctx: &ToolContext, _input: Note) -> Result<u64, ToolError> {
    Ok(ctx.time_left().as_millis().try_into()?)
}

#[tool(scope = "tool.time.look", timeout_s = 1, effect = "read")]
async fn glance(ctx: &ToolContext, _input: Note) -> Result<u64, ToolError> {
    Ok(ctx.time_left().as_millis().try_into()?)
}

/// Milliseconds between two columns of the one row in the table.
async fn between(setting: &Setting, from: &str, to: &str) -> i64 {
    let postgres = format!(
        "SELECT CAST(round(extract(epoch FROM ({to} - {from})) * 1000) AS BIGINT) \
         FROM agent.idempotency_keys"
    );
    let sqlite = format!("SELECT {to} - {from} FROM agent_idempotency_keys");
    setting.store.number(&postgres, &sqlite).await
}

async fn forget_all(setting: &Setting) {
    let store = &setting.store;
    let sqlite = "DELETE FROM agent_idempotency_keys";
    assert_eq!(
        store
            .execute("DELETE FROM agent.idempotency_keys", sqlite)
            .await,
        1
    );
}

/// R10, C17: a lease is the tool's timeout and one margin, in the unit that was meant, and retention is 30 days.
pub(crate) async fn a_lease_is_the_timeout_and_the_margin(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let add = |b: idem_tools::IdemBuilder| b.tool::<short>().tool::<middle>().tool::<long>();
    let worker = world.worker_with(add).await;
    for (tool, timeout_s) in [("short", 1), ("middle", 60), ("long", 120)] {
        let answer = worker.answer(tool, r#"{"to":"ann"}"#).await;
        assert!(answer.result.is_ok(), "{tool}: {answer:?}");
        let lease = between(&setting, "claimed_at", "lease_expires_at").await;
        assert!(
            (lease - (timeout_s + 10) * 1000).abs() <= ROUNDING_MS,
            "{tool}: {lease}"
        );
        let kept = between(&setting, "claimed_at", "retain_until").await;
        assert!((kept - 30 * DAY_MS).abs() <= ROUNDING_MS, "{tool}: {kept}");
        forget_all(&setting).await;
    }
}

/// R27, R10: a recorded look holds no lease, and is remembered as long.
pub(crate) async fn a_read_holds_no_lease_and_is_remembered_as_long(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<glance>()).await;
    assert!(
        worker
            .answer("glance", r#"{"to":"ann"}"#)
            .await
            .result
            .is_ok()
    );
    assert_eq!(between(&setting, "claimed_at", "lease_expires_at").await, 0);
    let kept = between(&setting, "claimed_at", "retain_until").await;
    assert!((kept - 30 * DAY_MS).abs() <= ROUNDING_MS, "{kept}");
}

/// R34, R9: a body has its timeout and never more, whatever the lease has left.
pub(crate) async fn a_body_has_its_timeout_and_not_its_lease(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let add = |b: idem_tools::IdemBuilder| b.tool::<middle>().tool::<long>().tool::<glance>();
    let worker = world.worker_with(add).await;
    for (tool, timeout_s) in [("middle", 60), ("long", 120), ("glance", 1)] {
        let answer = worker.answer(tool, r#"{"to":"ann"}"#).await;
        let left: u64 = answer.decode().expect("milliseconds");
        assert!(left > 0 && left <= timeout_s * 1000, "{tool}: {left}");
    }
}
