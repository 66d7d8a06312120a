use idem_tools::tool_input;

#[tool_input]
struct Target {
    id: u64,
}

#[tool_input]
struct SendEmail {
    #[serde(flatten)]
    target: Target,
}

fn main() {}
