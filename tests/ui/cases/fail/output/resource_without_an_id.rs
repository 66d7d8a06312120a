use idem_tools::tool_output;

#[tool_output(resource = "crm.company")]
struct Company {
    number: u64,
}

fn main() {}
