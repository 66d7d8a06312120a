use idem_tools::plane::canonical::{CanonicalError, Writer};
use idem_tools::tool_input;

fn form(text: String, out: &mut Writer) -> Result<(), CanonicalError> {
    out.str(&text)
}

#[tool_input]
struct SendEmail {
    #[arg(with = form)]
    to: String,
}

fn main() {}
