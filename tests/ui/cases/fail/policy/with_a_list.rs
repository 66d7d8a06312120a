use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(lowercase(ascii))]
    to: String,
}

fn main() {}
