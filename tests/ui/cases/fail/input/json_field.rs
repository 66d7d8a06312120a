use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    to: String,
    extra: Option<serde_json::Value>,
}

fn main() {}
