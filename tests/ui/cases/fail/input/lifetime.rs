use idem_tools::tool_input;

#[tool_input]
struct SendEmail<'a> {
    to: &'a str,
}

fn main() {}
