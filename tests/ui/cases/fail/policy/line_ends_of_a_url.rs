use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(trim, lf, url)]
    to: String,
}

fn main() {}
