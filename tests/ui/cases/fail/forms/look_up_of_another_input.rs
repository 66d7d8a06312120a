use idem_tools::{Reconciled, ToolContext, ToolError, tool};

async fn find(_ctx: &ToolContext, _to: &String) -> Result<Reconciled<String>, ToolError> {
    Ok(Reconciled::StillUnknown)
}

#[tool(scope = "tool.email.send", timeout_s = 60, reconcile = find)]
async fn send_email(to: String) -> Result<String, ToolError> {
    Ok(to)
}

fn main() {}
