use idem_tools::tool_output;

#[tool_output(resource = "a", resource = "b", id = number)]
struct Company {
    number: u64,
}

fn main() {}
