//! What a function takes: the context, the application's state, and the model's arguments, each by
//! itself or all in one type.

use super::argument::Argument;
use super::attrs::{describes, refuse_conditions};
use super::signature::check_named_only;
use super::{InputForm, Takes, argument_form, form};
use crate::errors::Errors;
use crate::types;
use syn::{Attribute, FnArg, Pat, PatType, Receiver, ReceiverKind, Signature, Type, TypeReference};

/// The signature's arguments, told apart.
pub(super) struct Inputs {
    pub(super) context: Option<Type>,
    pub(super) takes: Vec<Takes>,
    pub(super) input: InputForm,
}

/// What one typed argument is.
enum Kind {
    Context(Type),
    State(Type),
    Value,
    Refused,
}

/// Tells the arguments apart; `None` where one of them cannot be one.
pub(super) fn read(sig: &Signature, owner: Option<&Type>, errors: &mut Errors) -> Option<Inputs> {
    let form = form(&sig.ident);
    let faults = errors.count();
    let (mut context, mut takes, mut values) = (None, Vec::new(), Vec::new());
    for arg in &sig.inputs {
        let typed = match arg {
            FnArg::Receiver(receiver) => {
                check_receiver(receiver, owner, &form, errors);
                takes.push(Takes::Receiver);
                continue;
            }
            FnArg::Typed(typed) => typed,
        };
        refuse_conditions(&typed.attrs, errors);
        match kind(typed, sig, errors) {
            Kind::Context(ty) => {
                refuse_descriptions(&typed.attrs, "the context", errors);
                takes.push(Takes::Context(types::span(&ty)));
                if context.replace(ty).is_some() {
                    errors.at(typed, format!("the context stands once: `{form}`"));
                }
            }
            Kind::State(ty) => {
                refuse_descriptions(&typed.attrs, "the application's state", errors);
                check_named_only(&ty, "the state's type", &form, errors);
                takes.push(Takes::State(Box::new(ty)));
            }
            Kind::Value => {
                takes.push(Takes::Argument(values.len()));
                values.push(typed);
            }
            Kind::Refused => {}
        }
    }
    let input = input(&values, &mut takes, sig, errors);
    (errors.count() == faults).then_some(Inputs {
        context,
        takes,
        input: input?,
    })
}

/// One argument of a type of the user's own, of which nothing is said, is the whole input.
fn input(
    values: &[&PatType],
    takes: &mut [Takes],
    sig: &Signature,
    errors: &mut Errors,
) -> Option<InputForm> {
    if let [only] = values
        && types::is_own(&only.ty)
        && !only.attrs.iter().any(describes)
    {
        for takes in takes.iter_mut() {
            if matches!(takes, Takes::Argument(_)) {
                *takes = Takes::Input;
            }
        }
        return check_whole(&only.pat, &only.ty, &form(&sig.ident), errors);
    }
    let form = argument_form(&sig.ident);
    let arguments: Vec<_> = values
        .iter()
        .map(|arg| Argument::read(arg, &form, errors))
        .collect();
    let arguments: Option<_> = arguments.into_iter().collect();
    arguments.map(InputForm::Arguments)
}

fn check_receiver(receiver: &Receiver, owner: Option<&Type>, form: &str, errors: &mut Errors) {
    let in_block = form.replacen("(ctx", "(&self, ctx", 1);
    if owner.is_none() {
        errors.at(
            receiver,
            format!("a tool with `self` stands in a block under `#[tools]`: `#[tools] impl Mailer {{ #[tool(…)] {in_block} }}`"),
        );
        return;
    }
    refuse_descriptions(&receiver.attrs, "the application's state", errors);
    let shared = matches!(receiver.kind, ReceiverKind::Reference(_, None, None));
    if !shared {
        errors.at(
            receiver,
            format!("a tool shares its value with the calls beside it, so it takes `&self`: `{in_block}`"),
        );
    }
}

fn kind(arg: &PatType, sig: &Signature, errors: &mut Errors) -> Kind {
    let ty = types::ungroup(&arg.ty);
    if let Type::Reference(reference) = ty {
        return borrowed(arg, reference, sig, errors);
    }
    if types::is_named(ty, "ToolContext") {
        errors.at(
            ty,
            format!(
                "the context is taken by shared reference, `ctx: &ToolContext`: `{}`",
                form(&sig.ident)
            ),
        );
        return Kind::Refused;
    }
    if let Some(state) = types::argument_of(ty, "State") {
        return Kind::State(state.clone());
    }
    Kind::Value
}

fn borrowed(
    arg: &PatType,
    reference: &TypeReference,
    sig: &Signature,
    errors: &mut Errors,
) -> Kind {
    let elem = types::ungroup(&reference.elem);
    let is_text = types::is_text_reference(&arg.ty);
    let is_context = is_context(arg, elem);
    let lent = if is_context { "the context" } else { "text" };
    let form = match is_context {
        true => form(&sig.ident),
        false => argument_form(&sig.ident),
    };
    let owned = match elem {
        Type::Slice(slice) => format!("Vec<{}>", types::written(&slice.elem)),
        _ if is_text => "String".to_owned(),
        _ => types::written(elem),
    };
    let name = name_of(arg);
    if let Some(token) = &reference.mutability {
        let message = match is_context {
            true => {
                format!("the context is taken by shared reference, `ctx: &ToolContext`: `{form}`")
            }
            false => format!("an argument is taken by value, `mut {name}: {owned}`: `{form}`"),
        };
        errors.at(token, message);
    } else if is_context || is_text {
        // A lifetime that the function declares itself was refused there.
        let lifetime = reference.lifetime.as_ref();
        if let Some(lifetime) = lifetime.filter(|_| sig.generics.params.is_empty()) {
            errors.at(
                lifetime,
                format!("{lent} is lent for one call and has no lifetime to name: `{form}`"),
            );
        }
        return match is_context {
            true => Kind::Context((*reference.elem).clone()),
            false => Kind::Value,
        };
    } else if let Some(state) = types::argument_of(elem, "State") {
        let state = types::written(state);
        errors.at(
            reference,
            format!("state is a shared reference itself: `{name}: State<{state}>`"),
        );
    } else {
        errors.at(
            reference,
            format!(
                "an argument is taken by value, `{name}: {owned}`, and only text may be borrowed, `&str`: `{form}`"
            ),
        );
    }
    Kind::Refused
}

/// An alias of the context's type is known by its name, or by the argument's.
fn is_context(arg: &PatType, ty: &Type) -> bool {
    let Type::Path(path) = types::ungroup(ty) else {
        return false;
    };
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    let last = last.unwrap_or_default();
    let names = ["ctx", "_ctx", "context", "_context"];
    last.ends_with("Context") || last.ends_with("Ctx") || names.contains(&name_of(arg).as_str())
}

fn name_of(arg: &PatType) -> String {
    match &*arg.pat {
        Pat::Ident(pat) => super::plain_name(&pat.ident),
        _ => "input".to_owned(),
    }
}

/// What the runtime gives is nothing that a model could be told of.
fn refuse_descriptions(attrs: &[Attribute], what: &str, errors: &mut Errors) {
    for attr in attrs.iter().filter(|attr| describes(attr)) {
        errors.at(
            attr,
            format!(
                "{what} is no argument of the model's, which is told nothing of it: remove this"
            ),
        );
    }
}

fn check_whole(pat: &Pat, ty: &Type, form: &str, errors: &mut Errors) -> Option<InputForm> {
    let faults = errors.count();
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {}
        Pat::Wild(_) => errors.at(
            pat,
            format!("the input has a name; for one that is not read write `_input`: `{form}`"),
        ),
        _ => errors.at(
            pat,
            format!("the input has a plain name; take it apart in the body with `let`: `{form}`"),
        ),
    }
    if types::names_serde_json_value(ty) {
        errors.at(
            ty,
            "a bare `serde_json::Value` loses digits and repeated keys: free-form JSON uses \
             `idem_tools::Json` inside a `#[tool_input]` struct",
        );
    } else {
        check_named_only(ty, "the input's type", form, errors);
    }
    (errors.count() == faults).then(|| InputForm::Whole(Box::new(ty.clone())))
}
