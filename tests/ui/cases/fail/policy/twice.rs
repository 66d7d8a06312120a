use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(trim, lowercase, trim)]
    to: String,
}

fn main() {}
