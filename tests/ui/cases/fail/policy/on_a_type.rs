use idem_tools::tool_input;

#[tool_input]
#[arg(trim)]
struct Note {
    text: String,
}

fn main() {}
