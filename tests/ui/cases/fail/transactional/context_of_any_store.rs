use idem_tools::{AnyStore, Committed, ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Create {
    name: String,
}

#[tool(scope = "tool.schedule.create", timeout_s = 10, effect = "transactional")]
async fn create_schedule(_ctx: &ToolContext<AnyStore>, input: Create) -> Result<Committed<String>, ToolError> {
    todo!()
}

fn main() {}
