use idem_tools::tool_input;

#[tool_input]
union Target {
    id: u64,
    number: i64,
}

fn main() {}
