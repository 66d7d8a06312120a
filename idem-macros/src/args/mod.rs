//! The options of `#[tool(…)]`: grammar, values, and what they mean together.

pub(crate) mod identity;
pub(crate) mod option;
mod unknown;
pub(crate) mod value;

use self::identity::FieldPath;
use self::option::{Opt, Value};
use crate::errors::Errors;
use proc_macro2::{Span, TokenStream};
use syn::{ExprPath, Ident, LitInt, LitStr, Path};

/// Written in every message that is about the attribute as a whole.
pub(crate) const TOOL_FORM: &str = "#[tool(scope = \"tool.email.send\", timeout_s = 60)]";

/// The effect class that was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Read,
    Transactional,
    Keyed { window_s: u64 },
    AtMostOnce,
}

/// When a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Approval {
    Always,
    Never,
    Policy,
}

/// The options of one tool, each with the literal it came from.
#[derive(Debug)]
pub(crate) struct ToolArgs {
    pub(crate) scope: LitStr,
    pub(crate) timeout_s: LitInt,
    pub(crate) name: Option<LitStr>,
    pub(crate) effect: Option<Effect>,
    pub(crate) marks_dispatch: bool,
    pub(crate) approval: Option<Approval>,
    pub(crate) reconcile: Option<ExprPath>,
    pub(crate) key: Option<Vec<FieldPath>>,
    /// The key is natural: it holds no turn.
    pub(crate) natural: bool,
    pub(crate) intent: Option<Ident>,
    pub(crate) counts_repeats: bool,
    pub(crate) serial: bool,
    pub(crate) krate: Path,
}

impl ToolArgs {
    /// Reads the options; `None` where one that everything needs is missing or wrong. A missing one is
    /// reported at the attribute, which stands at `place`.
    pub(crate) fn parse(
        tokens: TokenStream,
        place: Span,
        krate: Option<Path>,
        errors: &mut Errors,
    ) -> Option<Self> {
        let faults = errors.count();
        let options = option::parse(tokens, TOOL_FORM, errors);
        // What seems to be missing may stand in the part that could not be read.
        let readable = errors.count() == faults;
        refuse_unknown_and_twice(&options, errors);
        let find = |name: &str| options.iter().find(|option| option.name == name);

        if readable {
            refuse_missing(&options, "scope", value::SCOPE_FORM, place, errors);
            refuse_missing(&options, "timeout_s", value::TIMEOUT_FORM, place, errors);
        }
        let scope = find("scope").and_then(|option| value::scope(option, errors));
        let timeout_s = find("timeout_s").and_then(|option| value::timeout_s(option, errors));
        let name = find("name").and_then(|option| value::name(option, errors));
        let effect = effect(find("effect"), find("vendor_window"), errors);
        let marks_dispatch = marks_dispatch(find("marks_dispatch"), effect, errors);
        let approval = find("approval").and_then(|option| value::approval(option, errors));
        let reconcile = reconcile(find("reconcile"), effect, errors);
        let natural_key = find("natural_key");
        let natural = natural_key.is_some();
        let key = identity::key(find("key"), errors);
        let key = identity::key(natural_key, errors).or(key);
        let intent = identity::intent(find("intent"), effect, errors);
        identity::refuse_beside_natural(&options, effect, errors);
        identity::refuse_intent_in_key(key.as_deref(), intent.as_ref(), errors);
        let counts_repeats = identity::counts(find("on_repeat"), effect, errors);
        let serial = find("serial").is_some_and(|option| bare(option, errors));
        let own = find("crate").and_then(|option| value::krate(option, errors));

        Some(Self {
            scope: scope?,
            timeout_s: timeout_s?,
            name,
            effect,
            marks_dispatch,
            approval,
            reconcile,
            key,
            natural,
            intent,
            counts_repeats,
            serial,
            krate: own.or(krate).unwrap_or_else(default_crate),
        })
    }
}

/// Where the library is found when nothing else is said.
pub(crate) fn default_crate() -> Path {
    syn::parse_quote!(::idem_tools)
}

fn refuse_unknown_and_twice(options: &[Opt], errors: &mut Errors) {
    for (at, option) in options.iter().enumerate() {
        let name = &option.name;
        if !unknown::KNOWN.iter().any(|known| name == known) {
            errors.at(name, unknown::message(name));
        } else if options[..at].iter().any(|earlier| earlier.name == *name) {
            errors.at(name, format!("`{name}` is given twice: keep one"));
        }
    }
}

fn refuse_missing(options: &[Opt], name: &str, form: &str, place: Span, errors: &mut Errors) {
    let written = options.iter().any(|option| {
        // One that was meant and misspelt has its message already.
        option.name == name || unknown::nearest(&option.name.to_string()) == Some(name)
    });
    if !written {
        // There is no token to point at but the attribute's own.
        errors.at_span(
            place,
            format!("`{name}` is missing: `{form}`, as in `{TOOL_FORM}`"),
        );
    }
}

const EFFECT_FORM: &str = "effect = \"read\"`, `effect = \"transactional\"`, \
                           `effect = \"at_most_once\"` or \
                           `effect = \"keyed\", vendor_window = \"24h\"";

/// The class and its window, which only stand together.
fn effect(effect: Option<&Opt>, window: Option<&Opt>, errors: &mut Errors) -> Option<Effect> {
    let written = effect.and_then(|option| value::string(option, EFFECT_FORM, errors));
    let word = written.as_ref().map(LitStr::value);
    let class = match (word.as_deref(), window) {
        (Some("keyed"), Some(window)) => {
            return value::window_s(window, errors).map(|window_s| Effect::Keyed { window_s });
        }
        (Some("keyed"), None) => {
            errors.at(
                &written,
                format!(
                    "`keyed` needs the time for which the vendor remembers a key: \
                     `effect = \"keyed\", {}`",
                    value::WINDOW_FORM
                ),
            );
            return None;
        }
        (Some("read"), _) => Some(Effect::Read),
        (Some("transactional"), _) => Some(Effect::Transactional),
        (Some("at_most_once"), _) => Some(Effect::AtMostOnce),
        (Some("reconcile"), _) => {
            errors.at(
                &written,
                format!(
                    "this effect is written by its look-up alone, without `effect`: `{}`",
                    value::RECONCILE_FORM
                ),
            );
            return None;
        }
        (Some(_), _) => {
            errors.at(&written, format!("an effect is `{EFFECT_FORM}`"));
            return None;
        }
        // A value that is not a string was reported, and says nothing about the window.
        (None, _) if effect.is_some() => return None,
        (None, _) => None,
    };
    if let Some(window) = window {
        errors.at(
            &window.name,
            format!(
                "`vendor_window` goes with the keyed effect only: \
                 `effect = \"keyed\", {}`, or remove it",
                value::WINDOW_FORM
            ),
        );
    }
    class
}

/// A word that stands alone.
fn bare(option: &Opt, errors: &mut Errors) -> bool {
    let name = &option.name;
    let message = format!("`{name}` is a bare word, without a value: `{name}`");
    match &option.value {
        Value::Nothing => return true,
        Value::Broken => {}
        Value::Is(value) => errors.at(value, message),
        Value::List(group) => errors.at(proc_macro2::TokenTree::Group(group.clone()), message),
    }
    false
}

fn marks_dispatch(option: Option<&Opt>, effect: Option<Effect>, errors: &mut Errors) -> bool {
    let Some(option) = option else { return false };
    match &option.value {
        Value::Nothing if effect == Some(Effect::Read) => errors.at(
            &option.name,
            "`marks_dispatch` has no meaning for a read, which may always run again: \
             remove it or the `effect`",
        ),
        Value::Nothing if effect == Some(Effect::Transactional) => errors.at(
            &option.name,
            "`marks_dispatch` has no meaning for a transaction, which is committed or not: \
             remove it or the `effect`",
        ),
        _ => return bare(option, errors),
    }
    false
}

/// The look-up, which is an effect class of its own, or stands beside the keyed one.
fn reconcile(
    option: Option<&Opt>,
    effect: Option<Effect>,
    errors: &mut Errors,
) -> Option<ExprPath> {
    let option = option?;
    let path = value::path(option, value::RECONCILE_FORM, errors);
    let against = match effect {
        Some(Effect::Read) => "a read has no outcome to look up, since it may always run again",
        Some(Effect::Transactional) => {
            "a transaction has no outcome to look up, since it is committed or not"
        }
        Some(Effect::AtMostOnce) => {
            "`at_most_once` says that nothing is asked and nothing is sent again"
        }
        Some(Effect::Keyed { .. }) | None => return path,
    };
    errors.at(
        &option.name,
        format!("{against}: remove the `effect`, or the `{}`", option.name),
    );
    None
}
