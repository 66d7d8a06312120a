use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    to: String,
    #[arg(checked)]
    priority: u8,
}

fn main() {}
