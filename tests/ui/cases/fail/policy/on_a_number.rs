use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(trim)]
    to: u32,
}

fn main() {}
