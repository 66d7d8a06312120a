use idem_tools::tool_input;

#[tool_input]
struct SendEmail<T> {
    to: T,
}

fn main() {}
