use idem_tools::tool_output;

#[tool_output]
#[derive(Debug, serde::Serialize)]
struct Sent {
    id: String,
}

fn main() {}
