use idem_tools::{Reconciled, ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct SendEmail {
    to: String,
}

#[tool(scope = "tool.email.send", timeout_s = 60, effect = "at_most_once", reconcile = find)]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(input.to)
}

async fn find(_ctx: &ToolContext, _input: &SendEmail) -> Result<Reconciled<String>, ToolError> {
    Ok(Reconciled::StillUnknown)
}

fn main() {}
