//! `#[arg(…)]`: the path of the library on a type, and on a field `prose` and the words of later
//! versions.

use crate::args::option::{self, Opt, Value};
use crate::args::value;
use crate::errors::Errors;
use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Ident, Meta, Path};

/// Where the word has a meaning.
pub(super) const PROSE: &str = "`prose` goes on a field with a name, of a struct or of a variant: `#[arg(prose)] note: String`";
const BARE: &str = "`prose` is a bare word, without a value: `#[arg(prose)]`";

/// Words that a later version gives a meaning. Accepting one without it would change what a repeat
/// is.
const LATER: [&str; 10] = [
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

/// Reads the `prose` of a named field, and refuses every other word.
pub(crate) fn field(attrs: &[Attribute], errors: &mut Errors) -> Option<Ident> {
    let mut prose = None;
    for word in words(attrs, errors) {
        if word.name != "prose" {
            refuse(&word, errors);
            continue;
        }
        match &word.value {
            Value::Nothing if prose.is_some() => {
                errors.at(&word.name, "`prose` is given twice: keep one");
            }
            Value::Nothing => prose = Some(word.name),
            Value::Broken => {}
            Value::Is(value) => errors.at(value, BARE),
            Value::List(group) => errors.at(TokenTree::Group(group.clone()), BARE),
        }
    }
    prose
}

/// Refuses every word on a variant, or on a field without a name.
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
    if name == "prose" {
        errors.at(name, PROSE);
    } else if name == "checked" || name == "identity" {
        errors.at(
            name,
            format!(
                "there is no `{name}`: the tool names its identity arguments, \
                 `#[tool(key(to, template.id))]`, and the others are checked"
            ),
        );
    } else if LATER.iter().any(|later| name == later) {
        errors.at(
            name,
            format!(
                "`{name}` is not supported yet: an argument is taken as it is; remove `#[arg({name})]`"
            ),
        );
    } else {
        errors.at(
            name,
            format!("unknown word `{name}`: on a field there is `#[arg(prose)]`; remove it"),
        );
    }
}
