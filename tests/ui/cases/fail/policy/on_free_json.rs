use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(lowercase)]
    to: idem_tools::Json,
}

fn main() {}
