use idem_tools::{Committed, ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Create {
    name: String,
}

#[tool(scope = "tool.schedule.create", timeout_s = 10, effect = "at_most_once")]
async fn create_schedule(_ctx: &ToolContext, input: Create) -> Result<Committed<String>, ToolError> {
    todo!()
}

fn main() {}
