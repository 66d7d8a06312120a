use idem_tools::tool_input;

#[tool_input]
#[serde(transparent)]
struct Note {
    #[arg(prose)]
    text: String,
}

fn main() {}
