use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Template {
    id: String,
}

#[tool_input]
struct SendEmail {
    to: String,
    template: Option<Template>,
}

#[tool(scope = "tool.email.send", timeout_s = 60, key(template.id))]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(format!("{}{:?}", input.to, input.template.map(|template| template.id)))
}

fn main() {}
