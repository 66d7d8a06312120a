//! `#[arg(…)]`: the path of the library on a type; on a field `prose`, the policies of its text, and
//! the form of a foreign type.

use crate::args::option::{self, Opt, Value};
use crate::args::value;
use crate::errors::Errors;
use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Expr, ExprPath, Ident, Meta, Path};

/// Where the word has a meaning.
pub(super) const PROSE: &str = "`prose` goes on a field with a name, of a struct or of a variant: `#[arg(prose)] note: String`";
const WITH: &str = "`with` is the path of a function that writes the form, without quotes: `#[arg(with = form)]` for \
                    `fn form(value: &Foreign, out: &mut Writer) -> Result<(), CanonicalError>`";

/// Words that a later version gives a meaning. Accepting one without it would change what a repeat
/// is.
const LATER: [&str; 4] = ["sensitive", "local_path", "amount", "set"];

/// What is done to a text before anybody sees it, in the order in which it is done.
const POLICIES: [(&str, &str); 5] = [
    ("lf", "Lf"),
    ("nfc", "Nfc"),
    ("lowercase", "Lowercase"),
    ("trim", "Trim"),
    ("url", "Url"),
];

/// What a field says of itself.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// The word that says that it tells no effect from another.
    pub(crate) prose: Option<Ident>,
    /// The policies, in the order in which they are applied.
    pub(crate) policies: Vec<Policy>,
    /// The function that writes the form of its type.
    pub(crate) with: Option<ExprPath>,
}

/// One policy: the word as it was written, and the type that stands for it.
#[derive(Debug)]
pub(crate) struct Policy {
    pub(crate) word: Ident,
    pub(crate) name: &'static str,
}

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

/// Reads what a field says of itself. `prose` needs the name of the field.
pub(crate) fn field(attrs: &[Attribute], is_named: bool, errors: &mut Errors) -> Marks {
    let mut marks = Marks::default();
    let mut seen: Vec<Ident> = Vec::new();
    for word in words(attrs, errors) {
        if let Some(earlier) = seen.iter().find(|earlier| **earlier == word.name) {
            errors.at(&word.name, format!("`{earlier}` is given twice: keep one"));
            continue;
        }
        seen.push(word.name.clone());
        if word.name == "prose" && is_named {
            if bare(&word, errors) {
                marks.prose = Some(word.name);
            }
        } else if word.name == "with" {
            marks.with = with(&word, errors);
        } else if let Some((_, name)) = POLICIES.iter().find(|(policy, _)| word.name == policy) {
            if bare(&word, errors) {
                let word = word.name;
                marks.policies.push(Policy { word, name });
            }
        } else {
            refuse(&word, errors);
        }
    }
    let place = |policy: &Policy| POLICIES.iter().position(|(_, name)| *name == policy.name);
    marks.policies.sort_by_key(place);
    refuse_together(&marks, errors);
    marks
}

/// A word that stands alone.
fn bare(word: &Opt, errors: &mut Errors) -> bool {
    let name = &word.name;
    let message = format!("`{name}` is a bare word, without a value: `#[arg({name})]`");
    match &word.value {
        Value::Nothing => return true,
        Value::Broken => {}
        Value::Is(value) => errors.at(value, message),
        Value::List(group) => errors.at(TokenTree::Group(group.clone()), message),
    }
    false
}

fn with(word: &Opt, errors: &mut Errors) -> Option<ExprPath> {
    match &word.value {
        Value::Is(value) => match &**value {
            Expr::Path(path) => return Some(path.clone()),
            other => errors.at(other, WITH),
        },
        Value::Nothing => errors.at(&word.name, WITH),
        Value::List(group) => errors.at(TokenTree::Group(group.clone()), WITH),
        Value::Broken => {}
    }
    None
}

/// Words that say two things of one text.
fn refuse_together(marks: &Marks, errors: &mut Errors) {
    let has_url = marks.policies.iter().any(|policy| policy.word == "url");
    for Policy { word, .. } in &marks.policies {
        if marks.with.is_some() {
            errors.at(
                word,
                format!("`with` names the whole form of a type that is not text, and `{word}` is for text: keep one of the two"),
            );
        } else if has_url && (word == "lowercase" || word == "lf") {
            errors.at(
                word,
                format!(
                    "`{word}` does not go with `url`, which takes line ends out and lowers scheme and host itself; a \
                     path in capitals is another address: remove `{word}`, as in `#[arg(trim, url)]`"
                ),
            );
        }
    }
}

/// Refuses every word on a variant.
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
    } else if name == "with" || POLICIES.iter().any(|(policy, _)| name == policy) {
        errors.at(
            name,
            match name == "with" {
                true => "`with` goes on a field, which holds the value: `#[arg(with = form)] region: Region`".to_owned(),
                false => format!("`{name}` goes on a field, which holds the text: `#[arg({name})] to: String`"),
            },
        );
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
            format!(
                "unknown word `{name}`: on a field there are `prose`, `with = path` and the policies `lf`, `nfc`, \
                 `lowercase`, `trim` and `url`; remove it"
            ),
        );
    }
}
