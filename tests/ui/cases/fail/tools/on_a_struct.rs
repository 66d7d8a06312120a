use idem_tools::{tools};

#[tools]
struct Office;

fn main() {}
