use idem_tools::tool_input;

#[tool_input]
struct Address {
    city: String,
}

#[tool_input]
struct SendLetter {
    #[arg(trim)]
    to: Address,
}

fn main() {}
