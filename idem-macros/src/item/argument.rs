//! One argument of its own: a field of the input that the macro writes.

pub(crate) use super::attrs::Preset;
use super::attrs::{self, describes};
use super::signature::check_named_only;
use crate::errors::Errors;
use crate::types;
use proc_macro2::Span;
use quote::{ToTokens, quote_spanned};
use syn::{Attribute, Ident, Pat, PatType, Type};

/// An argument that the model gives by its name.
#[derive(Debug)]
pub(crate) struct Argument {
    /// What the field of the input says of itself.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) preset: Option<Preset>,
    pub(crate) name: Ident,
    /// The type of the field, which owns its text.
    pub(crate) ty: Type,
    pub(crate) pass: Pass,
}

/// How the field's value is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// As it is.
    Owned,
    /// `&str`
    Text,
    /// `Option<&str>`
    MaybeText,
}

impl Argument {
    /// Where its type stands.
    pub(crate) fn span(&self) -> Span {
        types::span(&self.ty)
    }

    /// Reads one argument that is no context and no state.
    pub(super) fn read(arg: &PatType, form: &str, errors: &mut Errors) -> Option<Self> {
        let faults = errors.count();
        let mut described: Vec<Attribute> = arg.attrs.clone();
        described.retain(describes);
        let preset = attrs::take_preset(&mut described, errors);
        let name = name(&arg.pat, &arg.ty, form, errors);
        if let Some(name) = &name {
            refuse_hidden_name(name, &described, errors);
        }
        let (ty, pass) = owned(&arg.ty);
        check_named_only(&ty, "an argument's type", form, errors);
        let name = name.filter(|_| errors.count() == faults)?;
        Some(Self {
            attrs: described,
            preset,
            name,
            ty,
            pass,
        })
    }
}

/// The field's type. Text that the function borrows is owned by the input.
fn owned(ty: &Type) -> (Type, Pass) {
    let span = types::span(ty);
    if types::is_text_reference(ty) {
        let text = quote_spanned!(span=> ::std::string::String);
        return (Type::Verbatim(text), Pass::Text);
    }
    if types::argument_of(ty, "Option").is_some_and(types::is_text_reference) {
        let text = quote_spanned!(span=> ::core::option::Option<::std::string::String>);
        return (Type::Verbatim(text), Pass::MaybeText);
    }
    (ty.clone(), Pass::Owned)
}

fn name(pat: &Pat, ty: &Type, form: &str, errors: &mut Errors) -> Option<Ident> {
    let ty = types::written(ty);
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
            return Some(pat.ident.clone());
        }
        Pat::Wild(_) => errors.at(
            pat,
            format!("an argument has the name that the model writes, `to: {ty}`: `{form}`"),
        ),
        _ => errors.at(
            pat,
            format!(
                "an argument has a plain name, `to: {ty}`; take it apart in the body with `let`: `{form}`"
            ),
        ),
    }
    None
}

/// The identity goes by the name, so one that changes as soon as the body reads the argument would
/// change what a repeat is.
fn refuse_hidden_name(name: &Ident, attrs: &[Attribute], errors: &mut Errors) {
    let plain = super::plain_name(name);
    let bare = plain.trim_start_matches('_');
    if bare == plain || renamed(attrs) {
        return;
    }
    errors.at(
        name,
        format!(
            "the model would have to write `{plain}`: name it `{bare}`, or keep the two apart with \
             `#[serde(rename = \"{bare}\")] {plain}`"
        ),
    );
}

fn renamed(attrs: &[Attribute]) -> bool {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("serde"))
        .any(|attr| {
            let renames = |token: &proc_macro2::TokenTree| {
                matches!(token, proc_macro2::TokenTree::Ident(word) if word == "rename")
            };
            types::find_token(attr.meta.to_token_stream(), &renames).is_some()
        })
}
