use idem_tools::{tools};

struct Mailer;

#[tools]
impl Mailer {
    fn new() -> Self {
        Self
    }
}

fn main() {}
