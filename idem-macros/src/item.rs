//! The shape of the annotated function. Types are left to the compiler; this looks at the form
//! only.

use crate::errors::Errors;
use crate::types;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, Generics, Ident, Item, ItemFn, Pat, ReturnType, Safety, Signature, Type};

/// A function that has the shape of a tool.
#[derive(Debug)]
pub(crate) struct ToolFn {
    pub(crate) func: ItemFn,
    /// The context's type, without its reference.
    pub(crate) context: Type,
    pub(crate) input: Type,
    pub(crate) output: Type,
}

/// The accepted form, with the user's own name in it.
fn form(name: &Ident) -> String {
    format!("async fn {name}(ctx: &ToolContext, input: Input) -> Result<Output, ToolError>")
}

impl ToolFn {
    /// Takes the item apart; `None` where it is no tool, and then the reasons are in `errors`.
    pub(crate) fn parse(item: &TokenStream, errors: &mut Errors) -> Option<Self> {
        let func = match syn::parse2::<Item>(item.clone()) {
            Ok(Item::Fn(func)) => func,
            Ok(other) => {
                errors.at(
                    keyword(&other),
                    "`#[tool]` goes on a function: \
                     `async fn name(ctx: &ToolContext, input: Input) -> Result<Output, ToolError>`",
                );
                return None;
            }
            Err(error) => {
                errors.add(error);
                return None;
            }
        };
        check_modifiers(&func.sig, errors);
        let inputs = check_inputs(&func.sig, errors);
        let output = check_output(&func.sig, errors);
        let (context, input) = inputs?;
        Some(Self {
            context,
            input,
            output: output?,
            func,
        })
    }
}

/// The word that says what kind of item it is.
fn keyword(item: &Item) -> TokenStream {
    match item {
        Item::Struct(item) => item.struct_token.to_token_stream(),
        Item::Enum(item) => item.enum_token.to_token_stream(),
        Item::Union(item) => item.union_token.to_token_stream(),
        Item::Impl(item) => item.impl_token.to_token_stream(),
        Item::Trait(item) => item.trait_token.to_token_stream(),
        Item::Mod(item) => item.mod_token.to_token_stream(),
        other => other.to_token_stream(),
    }
}

fn check_modifiers(sig: &Signature, errors: &mut Errors) {
    let form = form(&sig.ident);
    let mut refuse =
        |tokens: &dyn ToTokens, what: &str| errors.at(tokens, format!("{what}: `{form}`"));
    if let Some(token) = &sig.constness {
        refuse(token, "a tool is not `const`");
    }
    match &sig.safety {
        Safety::Unsafe(token) => refuse(
            token,
            "a tool is not `unsafe`: the model's call is no proof of anything",
        ),
        Safety::Safe(token) => refuse(token, "a tool has no `safe`"),
        Safety::Default => {}
    }
    if let Some(abi) = &sig.abi {
        refuse(abi, "a tool is not `extern`");
    }
    if let Some(variadic) = &sig.variadic {
        refuse(variadic, "a tool takes no `...`");
    }
    if sig.asyncness.is_none() && sig.constness.is_none() {
        refuse(&sig.fn_token, "a tool is `async`");
    }
    if !sig.generics.params.is_empty() {
        refuse(
            &sig.generics,
            "a tool has no generics and no lifetimes, because the model calls one function",
        );
    }
    if let Some(clause) = &sig.generics.where_clause {
        refuse(clause, "a tool has no `where` clause");
    }
}

/// Checks the two arguments and answers with their types, the context's without its reference.
fn check_inputs(sig: &Signature, errors: &mut Errors) -> Option<(Type, Type)> {
    let form = form(&sig.ident);
    if let Some(receiver) = sig.receiver() {
        errors.at(
            receiver,
            format!("a tool has no `self`, and stands outside an `impl`: `{form}`"),
        );
        return None;
    }
    let typed: Vec<_> = sig
        .inputs
        .iter()
        .filter_map(|arg| {
            if let FnArg::Typed(arg) = arg {
                Some(arg)
            } else {
                None
            }
        })
        .collect();
    match typed.as_slice() {
        [] => errors.at_span(
            sig.paren_token.span.join(),
            format!("a tool takes the context and one input: `{form}`"),
        ),
        [only] => {
            let missing = if types::is_reference(&only.ty) {
                "the input"
            } else {
                "the context"
            };
            errors.at(only, format!("{missing} is missing: `{form}`"));
        }
        [ctx, input] => {
            let context = check_context(&ctx.ty, &sig.generics, &form, errors);
            return context.zip(check_input(&input.pat, &input.ty, &form, errors));
        }
        [_, _, third, ..] => errors.at(
            third,
            format!(
                "a tool takes the context and one input, so this belongs in the input's struct: \
                 `{form}`"
            ),
        ),
    }
    None
}

fn check_context(ty: &Type, generics: &Generics, form: &str, errors: &mut Errors) -> Option<Type> {
    let message = format!(
        "the first argument is the context by shared reference, `ctx: &ToolContext`: `{form}`"
    );
    let Type::Reference(reference) = types::ungroup(ty) else {
        errors.at(ty, message);
        return None;
    };
    // A lifetime that the function declares itself was refused there.
    let lifetime = reference
        .lifetime
        .as_ref()
        .filter(|_| generics.params.is_empty());
    if let Some(token) = &reference.mutability {
        errors.at(token, message);
    } else if let Some(lifetime) = lifetime {
        errors.at(
            lifetime,
            format!("the context is lent for one call and has no lifetime to name: `{form}`"),
        );
    }
    Some((*reference.elem).clone())
}

fn check_input(pat: &Pat, ty: &Type, form: &str, errors: &mut Errors) -> Option<Type> {
    let faults = errors.count();
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {}
        Pat::Wild(_) => errors.at(
            pat,
            format!("the input has a name; for one that is not read write `_input`: `{form}`"),
        ),
        _ => errors.at(
            pat,
            format!("the input has a plain name; take it apart in the body with `let`: `{form}`"),
        ),
    }
    match types::ungroup(ty) {
        Type::Reference(reference) => errors.at(
            reference,
            format!(
                "the input is taken by value, `input: {}`: `{form}`",
                reference.elem.to_token_stream()
            ),
        ),
        named if types::names_serde_json_value(named) => errors.at(
            named,
            "a bare `serde_json::Value` loses digits and repeated keys: free-form JSON uses \
             `idem_tools::Json` inside a `#[tool_input]` struct",
        ),
        _ => check_named_only(ty, "the input's type", form, errors),
    }
    (errors.count() == faults).then(|| ty.clone())
}

fn check_output(sig: &Signature, errors: &mut Errors) -> Option<Type> {
    let form = form(&sig.ident);
    match &sig.output {
        ReturnType::Default => {
            errors.at_span(
                sig.paren_token.span.close(),
                format!("a tool answers `Result<Output, ToolError>`: `{form}`"),
            );
            None
        }
        ReturnType::Type(_, ty) => {
            let faults = errors.count();
            check_named_only(ty, "the answer's type", &form, errors);
            if errors.count() == faults && types::is_no_result(ty) {
                errors.at(
                    ty,
                    format!(
                        "a tool answers `Result<{}, ToolError>`: `{form}`",
                        ty.to_token_stream()
                    ),
                );
            }
            (errors.count() == faults).then(|| (**ty).clone())
        }
    }
}

/// Refuses what has no meaning outside the signature it was written in: `impl Trait` and lifetimes.
fn check_named_only(ty: &Type, what: &str, form: &str, errors: &mut Errors) {
    if let Some(span) = types::find_token(
        ty.to_token_stream(),
        &|token| matches!(token, TokenTree::Ident(word) if word == "impl"),
    ) {
        errors.at_span(
            span,
            format!("{what} is written out, without `impl`: `{form}`"),
        );
    }
    let lifetime =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '\'');
    if let Some(span) = types::find_token(ty.to_token_stream(), &lifetime) {
        errors.at_span(
            span,
            format!("{what} owns what it holds, and has no lifetime: `{form}`"),
        );
    }
}

/// The name of the function without the raw marker, which is what the model and the key see.
pub(crate) fn plain_name(ident: &Ident) -> String {
    use syn::ext::IdentExt;
    ident.unraw().to_string()
}
