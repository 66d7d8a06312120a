//! A type that has its other derives already takes ours alone.

use idem_tools::__private::{schemars, serde};
use idem_tools::{ToolContext, ToolError, ToolInput, tool};

#[derive(Debug, serde::Deserialize, schemars::JsonSchema, ToolInput)]
#[serde(crate = "serde")]
#[schemars(crate = "schemars")]
struct SendEmail {
    to: String,
    score: f64,
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<f64, ToolError> {
    Ok(input.score)
}

fn main() {}
