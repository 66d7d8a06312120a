//! What the macros emit paths into. Not public API: no promise is made for it.

pub use idem_core::canonical;
pub use schemars;
pub use serde;

/// Takes the two types out of a tool's return type.
#[diagnostic::on_unimplemented(
    message = "a tool answers `Result<T, ToolError>`, and this is `{Self}`",
    note = "write `async fn name(ctx: &ToolContext, input: Input) -> Result<Output, ToolError>`"
)]
pub trait ToolReturn {
    /// What a success answers.
    type Output;
}

impl<T> ToolReturn for Result<T, crate::ToolError> {
    type Output = T;
}
