use idem_tools::tool_input;

#[tool_input]
#[derive(Debug, idem_tools::ToolInput)]
struct SendEmail {
    to: String,
}

fn main() {}
