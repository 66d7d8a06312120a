use idem_tools::{Sqlite, ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Create {
    name: String,
}

#[tool(scope = "tool.schedule.create", timeout_s = 10, effect = "transactional")]
async fn create_schedule(_ctx: &ToolContext<Sqlite>, input: Create) -> Result<String, ToolError> {
    Ok(input.name)
}

fn main() {}
