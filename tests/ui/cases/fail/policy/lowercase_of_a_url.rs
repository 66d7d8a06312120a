use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(url, lowercase)]
    to: String,
}

fn main() {}
