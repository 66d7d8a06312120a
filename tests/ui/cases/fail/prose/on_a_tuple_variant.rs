use idem_tools::tool_input;

#[tool_input]
enum Note {
    Text(#[arg(prose)] String),
    Code { code: u32 },
}

fn main() {}
