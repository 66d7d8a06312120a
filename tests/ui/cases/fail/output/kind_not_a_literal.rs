use idem_tools::tool_output;

#[tool_output(resource = KIND, id = number)]
struct Company {
    number: u64,
}

fn main() {}
