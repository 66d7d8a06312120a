use idem_tools::tool_input;

#[tool_input]
#[serde(crate = "other")]
struct SendEmail {
    to: String,
}

fn main() {}
