use idem_tools::tool_output;

#[tool_output(resource = "crm.company", id = "number")]
struct Company {
    number: u64,
}

fn main() {}
