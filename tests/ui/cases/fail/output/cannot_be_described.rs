use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Ask {
    about: String,
}

struct Told(String);

#[tool(scope = "tool.word.tell", timeout_s = 60)]
async fn tell(_ctx: &ToolContext, input: Ask) -> Result<Told, ToolError> {
    Ok(Told(input.about))
}

fn main() {}
