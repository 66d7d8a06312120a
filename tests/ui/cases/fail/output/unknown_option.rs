use idem_tools::tool_output;

#[tool_output(resource = "crm.company", ident = number)]
struct Company {
    number: u64,
}

fn main() {}
