use idem_tools::tool_input;

#[tool_input]
#[serde(tag = "kind")]
enum Target {
    Id { id: u64 },
    Email { email: String },
}

fn main() {}
