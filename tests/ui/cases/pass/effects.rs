//! The effects, a name of its own, and a dispatch that the tool marks itself.

use idem_tools::{
    Committed, Effect, Postgres, Reconciled, Sqlite, Tool, ToolContext, ToolError, tool, tool_input,
};
use std::any::TypeId;
use std::time::Duration;

#[tool_input]
struct Nothing {}

#[tool(
    scope = "tool.email.send",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h"
)]
async fn keyed(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

#[tool(
    scope = "tool.email.read",
    timeout_s = 1,
    effect = "read",
    name = "read-email"
)]
async fn read(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

#[tool(
    scope = "tool.email.send_all",
    timeout_s = 120,
    effect = "at_most_once",
    marks_dispatch
)]
async fn once(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

#[tool(scope = "tool.email.send", timeout_s = 60, reconcile = looks::find)]
async fn asks(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

#[tool(
    scope = "tool.email.send",
    timeout_s = 60,
    effect = "keyed",
    vendor_window = "24h",
    reconcile = looks::find
)]
async fn keyed_and_asks(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

mod looks {
    use super::{Nothing, Reconciled, ToolContext, ToolError};

    pub(super) async fn find(
        ctx: &ToolContext,
        _input: &Nothing,
    ) -> Result<Reconciled<()>, ToolError> {
        Ok(match ctx.attempt() {
            1 => Reconciled::DidNotHappen,
            2 => Reconciled::Happened(()),
            _ => Reconciled::StillUnknown,
        })
    }
}

#[tool(scope = "tool.schedule.create", timeout_s = 10, effect = "transactional")]
async fn on_sqlite(_ctx: &ToolContext<Sqlite>, _input: Nothing) -> Result<Committed<u8>, ToolError> {
    Err(ToolError::answer("full", "no room"))
}

type Context = ToolContext<Postgres>;
type Answer<T> = Result<Committed<T>, ToolError>;

#[tool(scope = "tool.schedule.create", timeout_s = 10, effect = "transactional")]
async fn on_postgres(_ctx: &Context, _input: Nothing) -> Answer<u8> {
    Err(ToolError::answer("full", "no room"))
}

fn store_of<T: Tool>() -> TypeId {
    TypeId::of::<T::Store>()
}

fn main() {
    let window = Duration::from_secs(86_400);
    assert_eq!(
        <keyed as Tool>::SPEC.effect_class(),
        Effect::Keyed { window }
    );
    assert_eq!(<read as Tool>::SPEC.effect_class(), Effect::Read);
    assert_eq!(<read as Tool>::SPEC.name(), "read-email");
    assert!(<once as Tool>::SPEC.effect_is_declared());
    assert!(<once as Tool>::SPEC.marks_its_dispatch());
    assert_eq!(<asks as Tool>::SPEC.effect_class(), Effect::Reconcile);
    assert_eq!(
        <keyed_and_asks as Tool>::SPEC.effect_class(),
        Effect::Keyed { window }
    );
    assert!(<keyed_and_asks as Tool>::SPEC.has_look_up());
    assert_eq!(
        <on_sqlite as Tool>::SPEC.effect_class(),
        Effect::Transactional
    );
    assert_eq!(store_of::<on_sqlite>(), TypeId::of::<Sqlite>());
    assert_eq!(store_of::<on_postgres>(), TypeId::of::<Postgres>());
}
