use idem_core::canonical::Patch;
use idem_tools::tool_input;

#[tool_input]
struct Note {
    text: Patch<String>,
}

fn main() {}
