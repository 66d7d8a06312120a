use idem_tools::{Committed, Sqlite, ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Create {
    name: String,
}

#[tool(scope = "tool.schedule.create", timeout_s = 10, effect = "transactional", marks_dispatch)]
async fn create_schedule(_ctx: &ToolContext<Sqlite>, input: Create) -> Result<Committed<String>, ToolError> {
    todo!()
}

fn main() {}
