use idem_tools::tool_output;

#[tool_output]
fn sent() {}

fn main() {}
