use idem_tools::tool_input;

#[tool_input]
#[serde(remote = "std::time::Duration")]
struct Duration {
    secs: u64,
}

fn main() {}
