use idem_tools::tool_output;

#[tool_output(resource = "crm.company", id = number)]
struct Company {
    number: Option<u64>,
}

fn main() {}
