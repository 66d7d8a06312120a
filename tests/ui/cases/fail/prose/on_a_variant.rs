use idem_tools::tool_input;

#[tool_input]
enum Note {
    #[arg(prose)]
    Text { text: String },
}

fn main() {}
