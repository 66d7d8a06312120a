use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    to: String,
    #[arg(prose)]
    note: String,
}

fn main() {}
