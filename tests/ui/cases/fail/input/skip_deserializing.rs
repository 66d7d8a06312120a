use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    to: String,
    #[serde(default, skip_deserializing)]
    cc: String,
}

fn main() {}
