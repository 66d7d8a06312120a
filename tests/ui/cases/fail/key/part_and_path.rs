use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Template {
    id: String,
}

#[tool_input]
struct SendEmail {
    to: String,
    template: Template,
}

#[tool(scope = "tool.email.send", timeout_s = 60, key(template.id, template))]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> {
    Ok(format!("{}{}", input.to, input.template.id))
}

fn main() {}
