//! A tool that the model gives nothing, with and without the context.

use idem_core::canonical::{Canonical, Form, text_of};
use idem_core::json::{Json, Map, de::from_json};
use idem_tools::{Tool, ToolContext, ToolError, block_on, tool};

#[tool(scope = "tool.airport.list", timeout_s = 5, effect = "read")]
async fn airports(ctx: &ToolContext) -> Result<u32, ToolError> {
    Ok(ctx.attempt())
}

#[tool(scope = "tool.clock.wind", timeout_s = 5)]
async fn wind() -> Result<String, ToolError> {
    Ok("wound".to_owned())
}

#[tool(scope = "tool.clock.strike", timeout_s = 5)]
fn strike() -> Result<(), ToolError> {
    Ok(())
}

fn empty<T: Tool>() {
    let input: T::Input = from_json(&Json::Object(Map::new())).unwrap();
    assert_eq!(text_of(&input, Form::Shown).unwrap(), "{}");
    assert!(<T::Input as Canonical>::FIELDS.is_empty());
}

fn main() {
    empty::<airports>();
    empty::<strike>();
    block_on(wind()).unwrap();
    strike().unwrap();
}
