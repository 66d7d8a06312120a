use idem_tools::{Committed, ToolError, tool};

#[tool(scope = "tool.schedule.create", timeout_s = 10, effect = "transactional")]
async fn send_email(name: String) -> Result<Committed<String>, ToolError> {
    todo!("{name}")
}

fn main() {}
