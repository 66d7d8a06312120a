use idem_tools::tool;

#[tool(scope = "tool.email.send", timeout_s = 60)]
struct SendEmail;

fn main() {}
