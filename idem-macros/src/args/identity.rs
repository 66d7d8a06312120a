//! What tells one call from another: `key(…)`, `natural_key(…)`, `intent = …`, `on_repeat = "…"`. Whether the fields
//! are there is asked by the compiler, of the input's table of fields.

use super::Effect;
use super::option::{Opt, Value};
use super::value;
use crate::errors::Errors;
use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Ident, Token};

const KEY_FORM: &str = "key(to, template.id)";
const NATURAL_FORM: &str = "natural_key(resource_id, revision)";
const INTENT_FORM: &str = "intent = occasion";
const REPEAT_FORM: &str = "on_repeat = \"merge\"` or `on_repeat = \"count\"";

/// One argument that is named: the words that lead to it, and where they stand.
#[derive(Debug)]
pub(crate) struct FieldPath {
    pub(crate) words: Vec<String>,
    tokens: Vec<TokenTree>,
}

impl FieldPath {
    /// The place of each word, for code that must be reported there.
    pub(crate) fn spans(&self) -> impl Iterator<Item = Span> {
        let words = self
            .tokens
            .iter()
            .filter(|token| matches!(token, TokenTree::Ident(_)));
        words.map(TokenTree::span)
    }
}

impl ToTokens for FieldPath {
    fn to_tokens(&self, out: &mut proc_macro2::TokenStream) {
        out.extend(self.tokens.iter().cloned());
    }
}

/// `key(…)` or `natural_key(…)`: names of arguments, each a word or words with dots between.
pub(super) fn key(option: Option<&Opt>, errors: &mut Errors) -> Option<Vec<FieldPath>> {
    let option = option?;
    let word = option.name.to_string();
    let form = if word == "key" {
        KEY_FORM
    } else {
        NATURAL_FORM
    };
    let group = match &option.value {
        Value::List(group) => group,
        Value::Broken => return None,
        Value::Nothing => {
            errors.at(&option.name, format!("`{word}` lists arguments: `{form}`"));
            return None;
        }
        Value::Is(value) => {
            errors.at(
                value,
                format!("`{word}` lists arguments in parentheses: `{form}`"),
            );
            return None;
        }
    };
    let faults = errors.count();
    let mut paths = Vec::new();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            paths.extend(path(input, form, errors));
            if input.is_empty() {
                break;
            }
            if !input.peek(Token![,]) {
                errors.at(
                    input.parse::<TokenTree>()?,
                    format!("expected `,` between two arguments: `{form}`"),
                );
                skip_to_comma(input)?;
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(group.stream()) {
        errors.add(error);
    }
    if paths.is_empty() && errors.count() == faults {
        let calls = if word == "key" {
            "every call of a turn"
        } else {
            "every call of the tool"
        };
        errors.at(
            TokenTree::Group(group.clone()),
            format!(
                "without an argument {calls} would be one effect: `{form}`, or leave `{word}` out, and every argument \
                 is identity"
            ),
        );
    }
    refuse_overlaps(&paths, form, errors);
    (errors.count() == faults).then_some(paths)
}

fn path(input: ParseStream<'_>, form: &str, errors: &mut Errors) -> Option<FieldPath> {
    let (mut words, mut tokens) = (Vec::new(), Vec::new());
    loop {
        match input.call(Ident::parse_any) {
            Ok(word) => {
                words.push(word.unraw().to_string());
                tokens.push(TokenTree::Ident(word));
            }
            Err(_) => {
                let message = format!(
                    "an argument is named without quotes, as the model writes it: `{form}`"
                );
                match input.parse::<TokenTree>() {
                    Ok(token) => errors.at(token, message),
                    // A dot was the last token.
                    Err(_) => errors.at(tokens.last(), message),
                }
                let _ = skip_to_comma(input);
                return None;
            }
        }
        if !input.peek(Token![.]) {
            return Some(FieldPath { words, tokens });
        }
        tokens.push(input.parse::<TokenTree>().ok()?);
    }
}

fn refuse_overlaps(paths: &[FieldPath], form: &str, errors: &mut Errors) {
    for (at, path) in paths.iter().enumerate() {
        for earlier in &paths[..at] {
            let (own, other) = (path.words.join("."), earlier.words.join("."));
            if own == other {
                errors.at(
                    path,
                    format!("`{own}` is named twice: keep one, as in `{form}`"),
                );
            } else if path.words.starts_with(&earlier.words) {
                errors.at(
                    path,
                    format!("`{other}` is named as a whole, and `{own}` is a part of it: keep one of the two"),
                );
            } else if earlier.words.starts_with(&path.words) {
                errors.at(
                    path,
                    format!("`{own}` is named as a whole, and `{other}` is a part of it: keep one of the two"),
                );
            }
        }
    }
}

/// What a natural key leaves no room for: it names one effect by its arguments alone.
pub(super) fn refuse_beside_natural(options: &[Opt], effect: Option<Effect>, errors: &mut Errors) {
    let find = |name: &str| options.iter().find(|option| option.name == name);
    let Some(natural) = find("natural_key") else {
        return;
    };
    if let Some(key) = find("key") {
        errors.at(
            &key.name,
            format!("`natural_key` names the identity arguments as `key` does, and leaves the turn out: keep one, `{NATURAL_FORM}`"),
        );
    }
    if effect == Some(Effect::Read) {
        errors.at(
            &natural.name,
            "`natural_key` has no meaning for a read, which makes no effect to name: remove it or the `effect`",
        );
    }
    for (name, why) in [
        ("intent", "an intent would make two effects of it"),
        ("on_repeat", "its repeats are one effect"),
    ] {
        if let Some(other) = find(name) {
            errors.at(
                &other.name,
                format!("`natural_key` names one effect, whoever asks and in whatever turn, and {why}: keep one of the two"),
            );
        }
    }
}

/// `intent = field`: the field whose text stands in the key in place of the arguments.
pub(super) fn intent(
    option: Option<&Opt>,
    effect: Option<Effect>,
    errors: &mut Errors,
) -> Option<Ident> {
    let option = option?;
    if effect == Some(Effect::Read) {
        errors.at(
            &option.name,
            "`intent` has no meaning for a read, which makes no effect to tell apart: remove it or the `effect`",
        );
        return None;
    }
    let field = match value::assigned(option, INTENT_FORM, errors)? {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident().cloned(),
        _ => None,
    };
    if field.is_none()
        && let Value::Is(value) = &option.value
    {
        errors.at(
            value,
            format!("`intent` is the name of one text field of the input, without quotes: `{INTENT_FORM}`"),
        );
    }
    field
}

/// An intent in the key stands there in place of the arguments, so it is not one of them as well.
pub(super) fn refuse_intent_in_key(
    key: Option<&[FieldPath]>,
    intent: Option<&Ident>,
    errors: &mut Errors,
) {
    let Some(intent) = intent else { return };
    let name = intent.unraw().to_string();
    for path in key.unwrap_or_default() {
        if path.words == [name.as_str()] {
            errors.at(
                path,
                format!("`{name}` is the intent, which stands in the key by itself: take it out of `key`"),
            );
        }
    }
}

/// `on_repeat`: whether equal calls are counted.
pub(super) fn counts(option: Option<&Opt>, effect: Option<Effect>, errors: &mut Errors) -> bool {
    let Some(option) = option else { return false };
    let Some(text) = value::string(option, REPEAT_FORM, errors) else {
        return false;
    };
    match text.value().as_str() {
        "merge" => false,
        "count" if effect == Some(Effect::Read) => {
            errors.at(
                &text,
                "a read makes no effect to count: remove `on_repeat`, and `turn.step(n)` looks afresh",
            );
            false
        }
        "count" => true,
        _ => {
            errors.at(
                &text,
                format!("what a second equal call is, is one of two words: `{REPEAT_FORM}`"),
            );
            false
        }
    }
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}
