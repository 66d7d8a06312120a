use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    to: String,
    #[serde(rename = "to")]
    cc: String,
}

fn main() {}
