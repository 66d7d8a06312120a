use idem_tools::tool;

struct Mailer;

#[tool(scope = "tool.email.send", timeout_s = 60)]
impl Mailer {}

fn main() {}
