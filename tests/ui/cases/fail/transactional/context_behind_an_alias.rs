use idem_tools::{Committed, ToolError, tool, tool_input};

#[tool_input]
struct Create {
    name: String,
}

type Context = String;

#[tool(scope = "tool.schedule.create", timeout_s = 10, effect = "transactional")]
async fn create_schedule(_ctx: &Context, input: Create) -> Result<Committed<String>, ToolError> {
    todo!()
}

fn main() {}
