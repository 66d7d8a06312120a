use idem_tools::tool_input;

#[tool_input]
struct Note {
    #[arg(prose, prose)]
    text: String,
}

fn main() {}
