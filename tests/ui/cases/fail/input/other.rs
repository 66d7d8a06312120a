use idem_tools::tool_input;

#[tool_input]
enum Priority {
    High,
    #[serde(other)]
    Normal,
}

fn main() {}
