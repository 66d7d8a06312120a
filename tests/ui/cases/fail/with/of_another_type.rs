use idem_tools::plane::canonical::{CanonicalError, Writer};
use idem_tools::tool_input;

fn form(number: &u32, out: &mut Writer) -> Result<(), CanonicalError> {
    out.u128((*number).into())
}

#[tool_input]
struct SendEmail {
    #[arg(with = form)]
    #[serde(default)]
    to: String,
}

fn main() {}
