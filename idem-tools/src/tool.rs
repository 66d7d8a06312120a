//! The tool: what `#[tool]` implements and the runtime calls.

use crate::{
    IdemBuilder, OutputFacts, Reconciled, StateNeed, StoreType, ToolContext, ToolError, ToolSpec,
};
use idem_core::canonical::Canonical;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// A function that a model may call, with the facts it declared. Written by [`#[tool]`](crate::tool).
///
/// A hand-written implementation gets the same checks: [`ToolSpec::new`] is constant and refuses what the attribute
/// refuses.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    note = "annotate an async function: `#[tool(scope = \"tool.email.send\", timeout_s = 60)] async fn send_email(ctx: &ToolContext, input: SendEmail) -> Result<Sent, ToolError>`"
)]
pub trait Tool: Send + Sync + 'static {
    /// The typed arguments.
    type Input: ToolInput;
    /// What a success answers.
    type Output: ToolOutput;
    /// The store it is written for: [`AnyStore`](crate::AnyStore), and a transactional tool's own.
    type Store: StoreType;
    /// The declared facts.
    const SPEC: ToolSpec;
    /// What is known of the answer's type. The attribute asks the type; left out, an answer is stored as it was written,
    /// and names no resource.
    const OUTPUT: OutputFacts = OutputFacts::UNKNOWN;
    /// The values that it takes from the application, beside those that its body asks the context for.
    const STATE: &'static [StateNeed] = &[];

    /// Runs the tool once.
    ///
    /// # Errors
    ///
    /// A [`ToolError`] of one of three classes; the class chooses the ending (R13).
    fn call(
        ctx: &ToolContext<Self::Store>,
        input: Self::Input,
    ) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;

    /// Asks the vendor what became of an earlier attempt, which may have sent its effect and left no answer. Asked only
    /// on a takeover in doubt, of a tool that declares `reconcile = path`.
    ///
    /// # Errors
    ///
    /// Any error means that the vendor could not say.
    fn reconcile(
        ctx: &ToolContext<Self::Store>,
        input: &Self::Input,
    ) -> impl Future<Output = Result<Reconciled<Self::Output>, ToolError>> + Send {
        let _ = (ctx, input);
        std::future::ready(Ok(Reconciled::StillUnknown))
    }
}

/// The tools of one `impl` block, which share a value of its type. Written by [`#[tools]`](macro@crate::tools).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no block of tools",
    note = "write `#[tools] impl {Self} {{ #[tool(…)] async fn send_email(&self, …) -> Result<Output, ToolError> {{ … }} }}`"
)]
pub trait Tools: Sized + Send + Sync + 'static {
    /// Adds each of them.
    fn add_to(builder: IdemBuilder) -> IdemBuilder;
}

/// The typed arguments of a tool: a struct with named fields. Written by
/// [`#[tool_input]`](crate::tool_input) or `#[derive(ToolInput)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's input",
    note = "write `#[tool_input] struct {Self} {{ … }}`: a tool's input is a struct with named fields",
    note = "where this is the type of the tool's only argument, mark the argument as one: `#[arg] name: {Self}`"
)]
pub trait ToolInput: DeserializeOwned + JsonSchema + Canonical + Send + 'static {}

/// What a tool answers: anything that can be written and described. One that can also be read is read back when it is
/// first stored, so that a replay cannot fail where the first call did not (R17).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's output",
    note = "write `#[tool_output]` on the type, or answer text, a number, `()` or `idem_tools::Json`"
)]
pub trait ToolOutput: serde::Serialize + JsonSchema + Send + 'static {}

impl<T: serde::Serialize + JsonSchema + Send + 'static> ToolOutput for T {}
