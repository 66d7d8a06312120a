use idem_tools::tool_input;

#[tool_input(strict)]
struct SendEmail {
    to: String,
}

fn main() {}
