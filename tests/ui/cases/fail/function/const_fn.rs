use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Nothing;

#[tool(scope = "tool.email.send", timeout_s = 60)]
const fn send_email(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

fn main() {}
