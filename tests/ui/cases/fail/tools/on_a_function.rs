use idem_tools::{tools};

#[tools]
fn send_email() {}

fn main() {}
