use idem_tools::tool_input;

fn two() -> u8 {
    2
}

#[tool_input]
struct SendEmail {
    #[serde(default = "two")]
    priority: String,
}

fn main() {}
