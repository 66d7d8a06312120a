use idem_tools::tool_output;

#[tool_output(resource = "", id = number)]
struct Company {
    number: u64,
}

fn main() {}
