//! The other functions of a tool name the input that the macro wrote through the tool.

use idem_tools::{
    Committed, Effect, Reconciled, Sqlite, State, Tool, ToolContext, ToolError, tool,
};

#[tool(scope = "tool.letter.send", timeout_s = 30, reconcile = find)]
async fn send_letter(to: String) -> Result<String, ToolError> {
    Ok(to)
}

async fn find(
    _ctx: &ToolContext,
    input: &<send_letter as Tool>::Input,
) -> Result<Reconciled<String>, ToolError> {
    Ok(Reconciled::Happened(input.to.clone()))
}

#[tool(scope = "tool.schedule.create", timeout_s = 10, effect = "transactional")]
async fn create(
    name: &str,
    limits: State<u8>,
    ctx: &ToolContext<Sqlite>,
) -> Result<Committed<u8>, ToolError> {
    let full = format!("no room for {name} above {} on {}", *limits, ctx.attempt());
    Err(ToolError::answer("full", full))
}

fn main() {
    assert_eq!(send_letter::SPEC.effect_class(), Effect::Reconcile);
    assert_eq!(create::SPEC.effect_class(), Effect::Transactional);
}
