use idem_tools::tool;

#[tool(scope = "tool.email.send", timeout_s = 60)]
mod mail {}

fn main() {}
