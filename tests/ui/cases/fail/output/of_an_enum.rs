use idem_tools::tool_output;

#[tool_output(resource = "crm.company", id = number)]
enum Company {
    Known { number: u64 },
    Unknown,
}

fn main() {}
