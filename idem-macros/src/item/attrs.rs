//! What may be said of an argument beside its type: a doc comment, and the attributes of the field
//! that it becomes. The compiler knows none of them on an argument, so they are taken off it.

use crate::args::option;
use crate::errors::Errors;
use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Expr, FnArg, Meta, Signature};

/// The attributes that speak of a field.
const DESCRIPTIONS: [&str; 4] = ["doc", "arg", "serde", "schemars"];

/// Whether the attribute speaks of the field that an argument becomes.
pub(super) fn describes(attr: &Attribute) -> bool {
    DESCRIPTIONS.iter().any(|name| attr.path().is_ident(name))
}

/// The attributes of an argument, whichever kind it is.
fn of(arg: &mut FnArg) -> &mut Vec<Attribute> {
    match arg {
        FnArg::Receiver(receiver) => &mut receiver.attrs,
        FnArg::Typed(typed) => &mut typed.attrs,
    }
}

/// Takes them off the function, which is then one that the compiler knows. What stands in a `cfg_attr`, which was refused,
/// may be one of them.
pub(super) fn take_descriptions(sig: &mut Signature) {
    for arg in &mut sig.inputs {
        of(arg).retain(|attr| !describes(attr) && !attr.path().is_ident("cfg_attr"));
    }
}

/// A call has all its arguments or does not compile, and an attribute sees no conditions.
pub(super) fn refuse_conditions(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs {
        let path = attr.path();
        if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            errors.at(
                path,
                "an argument is there in every build, since the call names it: put the condition on the \
                 function, or on a field of a `#[tool_input]` struct",
            );
        }
    }
}

/// What stands behind `default` in an argument's `#[arg(…)]`.
#[derive(Debug)]
pub(crate) enum Preset {
    /// `#[arg(default)]`
    OfType,
    /// `#[arg(default = expression)]`
    Is(Box<Expr>),
}

/// Takes `default` out of the `#[arg(…)]` of an argument. The other words are the derive's to read.
pub(super) fn take_preset(attrs: &mut Vec<Attribute>, errors: &mut Errors) -> Option<Preset> {
    let mut preset = None;
    for attr in attrs.iter_mut().filter(|attr| attr.path().is_ident("arg")) {
        let Meta::List(list) = &mut attr.meta else {
            continue;
        };
        let mut kept = TokenStream::new();
        for word in words(&list.tokens) {
            if !is_default(&word) {
                kept.extend(word);
                kept.extend([TokenTree::Punct(proc_macro2::Punct::new(
                    ',',
                    proc_macro2::Spacing::Alone,
                ))]);
                continue;
            }
            for option in option::parse(word, FORM, errors) {
                read(option, &mut preset, errors);
            }
        }
        list.tokens = kept;
    }
    attrs.retain(|attr| !says_nothing(attr));
    preset
}

/// Whether nothing but `default` stood in the parentheses.
fn says_nothing(attr: &Attribute) -> bool {
    let Meta::List(list) = &attr.meta else {
        return false;
    };
    attr.path().is_ident("arg") && list.tokens.is_empty()
}

const FORM: &str = "#[arg(default = 3)]";

fn read(option: option::Opt, preset: &mut Option<Preset>, errors: &mut Errors) {
    if preset.is_some() {
        errors.at(&option.name, "`default` is given twice: keep one");
        return;
    }
    match option.value {
        option::Value::Nothing => *preset = Some(Preset::OfType),
        option::Value::Is(value) => *preset = Some(Preset::Is(value)),
        option::Value::List(group) => errors.at(
            TokenTree::Group(group),
            format!("a default is a value behind `=`: `{FORM}`"),
        ),
        option::Value::Broken => {}
    }
}

fn is_default(word: &TokenStream) -> bool {
    let first = word.clone().into_iter().next();
    matches!(first, Some(TokenTree::Ident(word)) if word == "default")
}

/// The parts between the commas.
fn words(tokens: &TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
    let parts = tokens.split(is_comma).filter(|part| !part.is_empty());
    parts.map(|part| part.iter().cloned().collect()).collect()
}
