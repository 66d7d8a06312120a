use idem_tools::tool_input;

#[tool_input]
enum Target {
    #[arg(with = form)]
    Person(String),
    Everyone,
}

fn main() {}
