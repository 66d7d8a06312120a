use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(with = form, trim)]
    to: String,
}

fn main() {}
