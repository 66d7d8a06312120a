use idem_tools::tool_input;

#[tool_input]
struct SendEmail {
    to: String,
    from: std::path::PathBuf,
}

fn main() {}
