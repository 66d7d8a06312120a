use idem_tools::tool_input;

#[tool_input]
#[serde(untagged)]
enum Target {
    Id(u64),
    Email(String),
}

fn main() {}
