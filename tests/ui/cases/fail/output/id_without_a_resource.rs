use idem_tools::tool_output;

#[tool_output(id = number)]
struct Company {
    number: u64,
}

fn main() {}
