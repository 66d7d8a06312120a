use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    to: String,
    #[serde(skip)]
    cc: String,
}

fn main() {}
