use idem_tools::tool_input;

#[tool_input]
#[arg(prose)]
struct Note {
    text: String,
}

fn main() {}
