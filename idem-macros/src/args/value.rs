//! What each value must look like. Every refusal shows the accepted form.

use super::Approval;
use super::option::{Opt, Value};
use crate::errors::Errors;
use quote::ToTokens;
use syn::{Expr, ExprPath, Lit, LitInt, LitStr, Path};

/// The longest scope, in bytes: the width of the column that keeps it.
const SCOPE_BYTES_MAX: usize = 128;
/// The longest name of a tool, in bytes: what the model vendors accept for a function's name.
const NAME_BYTES_MAX: usize = 64;
/// The longest timeout, in seconds: the budget of one step.
const TIMEOUT_S_MAX: u64 = 120;
/// The shortest vendor window, in seconds. A shorter one would end before a second attempt could
/// begin.
const WINDOW_S_MIN: u64 = 60;
/// The longest vendor window, in seconds: a year.
const WINDOW_S_MAX: u64 = 365 * 86_400;

pub(crate) const SCOPE_FORM: &str = "scope = \"tool.email.send\"";
pub(crate) const TIMEOUT_FORM: &str = "timeout_s = 60";
pub(crate) const NAME_FORM: &str = "name = \"send_email\"";
pub(crate) const RECONCILE_FORM: &str = "reconcile = find_email";
pub(crate) const WINDOW_FORM: &str = "vendor_window = \"24h\"";
const APPROVAL_FORM: &str =
    "approval = \"always\"`, `approval = \"never\"` or `approval = \"policy\"";

/// `scope`: `tool.<word>(.<word>)+`.
pub(super) fn scope(option: &Opt, errors: &mut Errors) -> Option<LitStr> {
    let text = string(option, SCOPE_FORM, errors)?;
    let scope = text.value();
    if scope.len() > SCOPE_BYTES_MAX {
        errors.at(
            &text,
            format!(
                "a scope has at most {SCOPE_BYTES_MAX} bytes, and this one has {}",
                scope.len()
            ),
        );
        return None;
    }
    let mut words = scope.split('.');
    let formed =
        words.next() == Some("tool") && words.clone().count() >= 2 && words.all(is_scope_word);
    if !formed {
        errors.at(
            &text,
            format!(
                "a scope is `tool.<word>(.<word>)+`, each word a lower-case letter and then \
                 `a-z 0-9 _`: `{SCOPE_FORM}`"
            ),
        );
        return None;
    }
    Some(text)
}

fn is_scope_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// `timeout_s`: whole seconds within a step's budget.
pub(super) fn timeout_s(option: &Opt, errors: &mut Errors) -> Option<LitInt> {
    let whole =
        format!("`timeout_s` is a whole number of seconds, 1 to {TIMEOUT_S_MAX}: `{TIMEOUT_FORM}`");
    let expr = assigned(option, TIMEOUT_FORM, errors)?;
    let Expr::Lit(syn::ExprLit {
        lit: Lit::Int(number),
        ..
    }) = expr
    else {
        errors.at(expr, whole);
        return None;
    };
    match number.base10_parse::<u64>() {
        Ok(1..=TIMEOUT_S_MAX) if number.suffix().is_empty() => Some(number.clone()),
        Ok(seconds) if seconds > TIMEOUT_S_MAX => {
            errors.at(
                number,
                format!(
                    "`timeout_s` is at most {TIMEOUT_S_MAX}, the budget of one step: \
                     `{TIMEOUT_FORM}`"
                ),
            );
            None
        }
        _ => {
            errors.at(number, whole);
            None
        }
    }
}

/// `name`: what the model calls, and a part of the identity.
pub(super) fn name(option: &Opt, errors: &mut Errors) -> Option<LitStr> {
    let text = string(option, NAME_FORM, errors)?;
    if is_tool_name(&text.value()) {
        return Some(text);
    }
    errors.at(
        &text,
        format!("a tool's name is 1 to {NAME_BYTES_MAX} of `A-Z a-z 0-9 _ -`: `{NAME_FORM}`"),
    );
    None
}

/// Whether a text can be a tool's name.
pub(crate) fn is_tool_name(name: &str) -> bool {
    (1..=NAME_BYTES_MAX).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// `vendor_window`: `<digits><s|m|h|d>`, in seconds.
pub(super) fn window_s(option: &Opt, errors: &mut Errors) -> Option<u64> {
    let text = string(option, WINDOW_FORM, errors)?;
    let written = text.value();
    let Some(seconds) = parse_window(&written) else {
        errors.at(
            &text,
            format!("`vendor_window` is digits and one of `s m h d`: `{WINDOW_FORM}` for a day"),
        );
        return None;
    };
    if !(WINDOW_S_MIN..=WINDOW_S_MAX).contains(&seconds) {
        errors.at(
            &text,
            format!("`vendor_window` is at least one minute and at most 365 days: `{WINDOW_FORM}`"),
        );
        return None;
    }
    Some(seconds)
}

/// `approval`: one of three words.
pub(super) fn approval(option: &Opt, errors: &mut Errors) -> Option<Approval> {
    let text = string(option, APPROVAL_FORM, errors)?;
    match text.value().as_str() {
        "always" => Some(Approval::Always),
        "never" => Some(Approval::Never),
        "policy" => Some(Approval::Policy),
        _ => {
            errors.at(
                &text,
                format!("when a person is asked is one of three words: `{APPROVAL_FORM}`"),
            );
            None
        }
    }
}

/// None where the text has another form; a number too large to count saturates, so that the bound
/// refuses it.
fn parse_window(text: &str) -> Option<u64> {
    let unit_s = match text.bytes().last()? {
        b's' => 1,
        b'm' => 60,
        b'h' => 3_600,
        b'd' => 86_400,
        _ => return None,
    };
    let digits = &text[..text.len() - 1];
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(
        digits
            .parse::<u64>()
            .unwrap_or(u64::MAX)
            .saturating_mul(unit_s),
    )
}

/// `crate`: the path under which the user's crate knows the library.
pub(crate) fn krate(option: &Opt, errors: &mut Errors) -> Option<Path> {
    match assigned(option, "crate = agent_once", errors)? {
        Expr::Path(path) if path.qself.is_none() => Some(path.path.clone()),
        other => {
            errors.at(
                other,
                "`crate` is a path without quotes: `crate = agent_once`",
            );
            None
        }
    }
}

/// A value that must name a function.
pub(super) fn path(option: &Opt, form: &str, errors: &mut Errors) -> Option<ExprPath> {
    match assigned(option, form, errors)? {
        Expr::Path(path) => Some(path.clone()),
        other => {
            errors.at(
                other,
                format!(
                    "`{}` is the path of an async function, without quotes and without a call: \
                     `{form}`",
                    option.name
                ),
            );
            None
        }
    }
}

/// A value that must be a string literal.
pub(crate) fn string(option: &Opt, form: &str, errors: &mut Errors) -> Option<LitStr> {
    match assigned(option, form, errors)? {
        Expr::Lit(syn::ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.clone()),
        other => {
            errors.at(
                other,
                format!("`{}` is a string literal: `{form}`", option.name),
            );
            None
        }
    }
}

/// The expression behind `=`. The other shapes are refused here.
pub(crate) fn assigned<'a>(option: &'a Opt, form: &str, errors: &mut Errors) -> Option<&'a Expr> {
    let tokens: &dyn ToTokens = match &option.value {
        Value::Is(expr) => return Some(expr),
        Value::Broken => return None,
        Value::Nothing => &option.name,
        Value::List(group) => group,
    };
    errors.at(tokens, format!("`{}` takes a value: `{form}`", option.name));
    None
}
