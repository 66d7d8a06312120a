use idem_tools::tool_input;

#[tool_input]
#[serde(try_from = "String")]
struct Address {
    text: String,
}

fn main() {}
