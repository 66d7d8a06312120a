use idem_tools::tool_input;

#[tool_input]
enum Target {
    #[arg(lowercase)]
    Person(String),
    Everyone,
}

fn main() {}
