use idem_tools::tool_input;

#[tool_input]
fn send_email() {}

fn main() {}
