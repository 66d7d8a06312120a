//! `#[arg(…)]`: the path of the library on a type, and on a field the words of later versions.

use crate::args::option::{self, Opt};
use crate::args::value;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use syn::{Attribute, Meta, Path};

/// Words that a later version gives a meaning. Accepting one without it would change what a repeat
/// is.
const LATER: [&str; 13] = [
    "prose",
    "checked",
    "identity",
    "with",
    "sensitive",
    "local_path",
    "trim",
    "lowercase",
    "lf",
    "nfc",
    "url",
    "amount",
    "set",
];

/// Reads the `crate` of a type's `#[arg(crate = path)]`, and refuses every other word.
pub(crate) fn container(attrs: &[Attribute], errors: &mut Errors) -> Option<Path> {
    let mut krate = None;
    for word in words(attrs, errors) {
        if word.name == "crate" {
            krate = value::krate(&word, errors);
        } else {
            refuse(&word, errors);
        }
    }
    krate
}

/// Refuses every word on a field or a variant.
pub(crate) fn inner(attrs: &[Attribute], errors: &mut Errors) {
    for word in words(attrs, errors) {
        refuse(&word, errors);
    }
}

fn words(attrs: &[Attribute], errors: &mut Errors) -> Vec<Opt> {
    let mut words = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("arg")) {
        let tokens = match &attr.meta {
            Meta::List(list) => list.tokens.clone(),
            Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
        };
        words.extend(option::parse(tokens, "#[arg(crate = agent_once)]", errors));
    }
    words
}

fn refuse(word: &Opt, errors: &mut Errors) {
    let name = &word.name;
    if LATER.iter().any(|later| name == later) {
        errors.at(
            name,
            format!(
                "`{name}` is not supported yet: every argument is identity; remove `#[arg({name})]`"
            ),
        );
    } else {
        errors.at(
            name,
            format!("unknown word `{name}`: an argument needs no `#[arg(…)]`; remove it"),
        );
    }
}
