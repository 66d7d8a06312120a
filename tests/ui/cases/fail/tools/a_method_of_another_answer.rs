use idem_tools::{tools};

struct Mailer;

#[tools]
impl Mailer {
    #[tool(scope = "tool.email.check", timeout_s = 5)]
    fn check(&self, to: String) -> bool {
        to.is_empty()
    }
}

fn main() {}
