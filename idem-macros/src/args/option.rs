//! The grammar of the options, before any of them has a meaning: `word`, `word = value`, `word(…)`.

use crate::errors::Errors;
use proc_macro2::{Group, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Expr, Ident, Token};

/// One option as it was written, with the tokens that an error points at.
#[derive(Debug)]
pub(crate) struct Opt {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

/// What stands behind an option's name.
#[derive(Debug)]
pub(crate) enum Value {
    /// `word`
    Nothing,
    /// `word = expression`
    Is(Box<Expr>),
    /// `word(…)`
    List(Group),
    /// Something that did not parse and that was already reported.
    Broken,
}

/// Reads all the options. One that does not parse is reported and stepped over.
pub(crate) fn parse(tokens: TokenStream, form: &str, errors: &mut Errors) -> Vec<Opt> {
    let parser = |input: ParseStream<'_>| {
        let mut options = Vec::new();
        while !input.is_empty() {
            options.extend(parse_one(input, form, errors));
            if input.is_empty() {
                break;
            }
            if !input.peek(Token![,]) {
                errors.add(input.error(format!("expected `,` between two options: `{form}`")));
                // What follows may well be the next option.
                if !input.peek(Ident::peek_any) {
                    skip_to_comma(input)?;
                }
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(options)
    };
    match parser.parse2(tokens) {
        Ok(options) => options,
        Err(error) => {
            errors.add(error);
            Vec::new()
        }
    }
}

fn parse_one(input: ParseStream<'_>, form: &str, errors: &mut Errors) -> Option<Opt> {
    let Ok(name) = input.call(Ident::parse_any) else {
        errors.add(input.error(format!("expected an option's name: `{form}`")));
        // The comma may be missing too, and one message is enough for one place.
        let _ = skip_to_comma(input);
        return None;
    };
    if input.peek(syn::token::Paren) {
        let group = input.parse::<Group>().ok()?;
        return Some(Opt {
            name,
            value: Value::List(group),
        });
    }
    if !input.peek(Token![=]) {
        return Some(Opt {
            name,
            value: Value::Nothing,
        });
    }
    let equals = input.span();
    let value = match input.parse::<Assigned>() {
        Ok(Assigned(value)) => Value::Is(Box::new(value)),
        Err(_) => {
            errors.at_span(
                equals,
                format!("`{name}` has no value that can be read: `{form}`"),
            );
            let _ = skip_to_comma(input);
            Value::Broken
        }
    };
    Some(Opt { name, value })
}

/// `= expression`, out of the invisible group that a macro's fragment puts around it.
struct Assigned(Expr);

impl Parse for Assigned {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![=]>()?;
        let mut value = input.parse::<Expr>()?;
        while let Expr::Group(group) = value {
            value = *group.expr;
        }
        Ok(Self(value))
    }
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}
