use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    #[arg(prose, lf)]
    to: Option<bool>,
}

fn main() {}
