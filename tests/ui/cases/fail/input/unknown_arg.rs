use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(colour)]
    to: String,
}

fn main() {}
