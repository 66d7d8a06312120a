use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Publish {
    page: String,
    revision: u64,
    weight: f64,
    occasion: Option<String>,
}

#[tool(scope = "tool.page.publish", timeout_s = 60, natural_key(page), on_repeat = "count")]
async fn publish(_ctx: &ToolContext, input: Publish) -> Result<String, ToolError> {
    Ok(format!("{}{}{}{:?}", input.page, input.revision, input.weight, input.occasion))
}

fn main() {}
