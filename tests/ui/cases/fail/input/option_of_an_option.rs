use idem_tools::tool_input;

#[tool_input]
struct Change {
    #[serde(default)]
    note: Option<Option<String>>,
}

fn main() {}
