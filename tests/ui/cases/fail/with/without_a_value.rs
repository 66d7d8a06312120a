use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(with)]
    to: String,
}

fn main() {}
