use idem_tools::tool_input;

#[tool_input]
struct Change {
    #[serde(default)]
    due: Vec<time::Date>,
}

fn main() {}
