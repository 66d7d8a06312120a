use idem_tools::tool_input;

#[tool_input]
#[serde(from = "String")]
struct Address {
    text: String,
}

fn main() {}
