use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(trim = true)]
    to: String,
}

fn main() {}
