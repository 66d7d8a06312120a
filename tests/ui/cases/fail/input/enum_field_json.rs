use idem_tools::tool_input;

#[tool_input]
enum Target {
    Free(serde_json::Value),
}

fn main() {}
