//! The shape of the annotated function. Types are left to the compiler; this looks at the form
//! only.

mod argument;
mod attrs;
mod inputs;
mod signature;

pub(crate) use self::argument::{Argument, Pass, Preset};
use crate::errors::Errors;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Ident, Item, ItemFn, Type};

/// A function that has the shape of a tool.
#[derive(Debug)]
pub(crate) struct ToolFn {
    /// The function without what its arguments say to the model, which the compiler knows nothing of.
    pub(crate) func: ItemFn,
    /// The type of the `impl` block that the function stands in.
    pub(crate) owner: Option<Type>,
    /// The context's type, without its reference; none where the function takes no context.
    pub(crate) context: Option<Type>,
    /// What the function takes, in the order of its signature.
    pub(crate) takes: Vec<Takes>,
    pub(crate) input: InputForm,
    pub(crate) output: Type,
}

/// What stands at one place of the signature.
#[derive(Debug)]
pub(crate) enum Takes {
    /// `&self`: the application's value of the block's type.
    Receiver,
    /// The context, with the place of its type.
    Context(Span),
    /// `State<T>`: the application's value of this type.
    State(Box<Type>),
    /// The whole input.
    Input,
    /// The argument of this number.
    Argument(usize),
}

/// How the model's arguments reach the function.
#[derive(Debug)]
pub(crate) enum InputForm {
    /// As one value of a type that the user wrote.
    Whole(Box<Type>),
    /// Each by itself; the input's type is written by the macro.
    Arguments(Vec<Argument>),
}

/// What was read: the tool, where it is one, and what remains of the item in any case.
pub(crate) struct Read {
    pub(crate) tool: Option<ToolFn>,
    pub(crate) item: TokenStream,
}

/// The accepted form, with the user's own name in it.
fn form(name: &Ident) -> String {
    format!("async fn {name}(ctx: &ToolContext, input: Input) -> Result<Output, ToolError>")
}

/// The same for a function whose arguments stand by themselves.
fn argument_form(name: &Ident) -> String {
    format!("async fn {name}(ctx: &ToolContext, to: &str) -> Result<Output, ToolError>")
}

impl ToolFn {
    /// Takes the item apart. Where it is no tool, the reasons are in `errors`.
    pub(crate) fn parse(item: &TokenStream, errors: &mut Errors) -> Read {
        match syn::parse2::<Item>(item.clone()) {
            Ok(Item::Fn(func)) => return Self::read(func, None, errors),
            Ok(other) => errors.at(
                keyword(&other),
                "`#[tool]` goes on a function: \
                 `async fn name(ctx: &ToolContext, input: Input) -> Result<Output, ToolError>`",
            ),
            Err(error) => errors.add(error),
        }
        Read {
            tool: None,
            item: item.clone(),
        }
    }

    /// Takes a function apart, a method where there is an `owner`.
    pub(crate) fn read(mut func: ItemFn, owner: Option<&Type>, errors: &mut Errors) -> Read {
        signature::check_modifiers(&func.sig, errors);
        let inputs = inputs::read(&func.sig, owner, errors);
        let output = signature::check_output(&func.sig, errors);
        attrs::take_descriptions(&mut func.sig);
        let item = func.to_token_stream();
        let tool = inputs.zip(output).map(|(inputs, output)| Self {
            func,
            owner: owner.cloned(),
            context: inputs.context,
            takes: inputs.takes,
            input: inputs.input,
            output,
        });
        Read { tool, item }
    }
}

/// The word that says what kind of item it is.
pub(crate) fn keyword(item: &Item) -> TokenStream {
    match item {
        Item::Fn(item) => item.sig.fn_token.to_token_stream(),
        Item::Struct(item) => item.struct_token.to_token_stream(),
        Item::Enum(item) => item.enum_token.to_token_stream(),
        Item::Union(item) => item.union_token.to_token_stream(),
        Item::Impl(item) => item.impl_token.to_token_stream(),
        Item::Trait(item) => item.trait_token.to_token_stream(),
        Item::Mod(item) => item.mod_token.to_token_stream(),
        other => other.to_token_stream(),
    }
}

/// The name of the function without the raw marker, which is what the model and the key see.
pub(crate) fn plain_name(ident: &Ident) -> String {
    use syn::ext::IdentExt;
    ident.unraw().to_string()
}
