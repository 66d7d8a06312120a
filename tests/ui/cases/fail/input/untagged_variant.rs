use idem_tools::tool_input;

#[tool_input]
enum Target {
    Id(u64),
    #[serde(untagged)]
    Email(String),
}

fn main() {}
