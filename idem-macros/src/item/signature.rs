//! What a signature may not be, and what it must answer.

use super::form;
use crate::errors::Errors;
use crate::types;
use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::{ReturnType, Safety, Signature, Type};

/// Refuses the words in front of `fn`, generics and the rest that no tool can have.
pub(super) fn check_modifiers(sig: &Signature, errors: &mut Errors) {
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

/// Checks the answer, and gives its type.
pub(super) fn check_output(sig: &Signature, errors: &mut Errors) -> Option<Type> {
    let form = form(&sig.ident);
    let ty = match &sig.output {
        ReturnType::Default => {
            errors.at_span(
                sig.paren_token.span.close(),
                format!("a tool answers `Result<Output, ToolError>`: `{form}`"),
            );
            return None;
        }
        ReturnType::Type(_, ty) => ty,
    };
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

/// Refuses what has no meaning outside the signature it was written in: `impl Trait`, lifetimes and
/// `Self`.
pub(super) fn check_named_only(ty: &Type, what: &str, form: &str, errors: &mut Errors) {
    let find =
        |wanted: &dyn Fn(&TokenTree) -> bool| types::find_token(ty.to_token_stream(), wanted);
    let word = |wanted: &'static str| {
        find(&move |token| matches!(token, TokenTree::Ident(word) if word == wanted))
    };
    if let Some(span) = word("impl") {
        errors.at_span(
            span,
            format!("{what} is written out, without `impl`: `{form}`"),
        );
    }
    if let Some(span) = word("Self") {
        errors.at_span(
            span,
            format!("{what} is written by its name, since `Self` is the tool outside this block: `{form}`"),
        );
    }
    let lifetime =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '\'');
    if let Some(span) = find(&lifetime) {
        errors.at_span(
            span,
            format!("{what} owns what it holds, and has no lifetime: `{form}`"),
        );
    }
}
