//! What the macros emit paths into. Not public API: no promise is made for it.

pub use idem_core::canonical;
pub use schemars;
pub use serde;

/// Refuses, where it is called in a constant, a path that cannot be an identity argument of an input with these fields,
/// where the fault is that of this word of it.
///
/// # Panics
///
/// In a constant this is a compile error at the word (R37).
#[track_caller]
#[allow(clippy::panic)]
pub const fn check_key(fields: &[canonical::Field], path: &[&str], word: usize) {
    if let Some(fault) = canonical::key_fault(fields, path)
        && fault.word == word
    {
        panic!("{}", fault.what);
    }
}

/// As [`check_key`], for the field that holds the call's intent.
///
/// # Panics
///
/// In a constant this is a compile error at the field's name.
#[track_caller]
#[allow(clippy::panic)]
pub const fn check_intent(fields: &[canonical::Field], name: &str) {
    if let Some(fault) = canonical::intent_fault(fields, name) {
        panic!("{}", fault);
    }
}

/// What an answer's type says when it is asked in a constant. An inherent constant stands before a trait's, so the first
/// of these blocks speaks where its bound holds, and the trait below where it does not.
#[derive(Debug)]
pub struct Asked<T>(std::marker::PhantomData<T>);

impl<T: serde::de::DeserializeOwned> Asked<T> {
    /// It can be read.
    pub const READ_BACK: Option<crate::output::ReadBack> = Some(crate::output::read_back::<T>);
}

impl<T: crate::Resource + 'static> Asked<T> {
    /// It names a resource.
    pub const RESOURCE: Option<crate::output::NameResource> = Some(crate::output::resource_of::<T>);
}

/// What is known of a type that cannot be read.
pub trait Unread {
    /// Nothing.
    const READ_BACK: Option<crate::output::ReadBack> = None;
}

/// What is known of a type that names no resource.
pub trait Unnamed {
    /// Nothing.
    const RESOURCE: Option<crate::output::NameResource> = None;
}

impl<T> Unread for Asked<T> {}
impl<T> Unnamed for Asked<T> {}

/// Asks an answer's type what is known of it.
#[doc(hidden)]
#[macro_export]
macro_rules! __output_facts {
    ($answer:ty) => {{
        #[allow(unused_imports)]
        use $crate::__private::{Asked, Unnamed as _, Unread as _};
        $crate::OutputFacts::new(<Asked<$answer>>::READ_BACK, <Asked<$answer>>::RESOURCE)
    }};
}

/// Finds a value of the application for an argument that is written `State<T>`.
///
/// # Errors
///
/// An error without effect where the application gave none.
pub fn state<T: Send + Sync + 'static, S>(
    ctx: &crate::ToolContext<S>,
) -> Result<crate::State<T>, crate::ToolError> {
    ctx.shared_state()
}

/// Takes the answer out of what a transactional tool's function gave.
///
/// # Errors
///
/// The function's own.
pub fn committed<T>(
    result: Result<crate::Committed<T>, crate::ToolError>,
) -> Result<T, crate::ToolError> {
    result.map(crate::Committed::into_answer)
}

/// Takes the answer's type out of a transactional tool's return type.
#[diagnostic::on_unimplemented(
    message = "a transactional tool answers `Result<Committed<T>, ToolError>`, and this is `{Self}`",
    note = "end with `ctx.commit(transaction, answer).await`"
)]
pub trait CommittedReturn {
    /// What a success answers.
    type Output;
}

impl<T> CommittedReturn for Result<crate::Committed<T>, crate::ToolError> {
    type Output = T;
}

/// Takes the store out of a context's type.
#[diagnostic::on_unimplemented(
    message = "a transactional tool's context names its store, and this is `{Self}`",
    note = "write `ctx: &ToolContext<Sqlite>` or `ctx: &ToolContext<Postgres>`"
)]
pub trait ContextOf {
    /// The store.
    type Store: crate::StoreType;
}

impl<S: crate::StoreType> ContextOf for crate::ToolContext<S> {
    type Store = S;
}

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
