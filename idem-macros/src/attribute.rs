//! `#[tool_input]` and `#[tool_output]`: the derives that a type needs, reached through our own
//! re-exports, so that the user's crate depends on neither serde nor schemars.

use crate::args::option::{self, Opt};
use crate::args::{default_crate, value};
use crate::errors::Errors;
use crate::input::serde_attrs::{Place, SerdeAttrs};
use crate::input::{Input, fallback};
use crate::resource::{self, Named};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Path, Token};

/// Which of the two attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Input,
    Output,
}

impl Side {
    fn word(self) -> &'static str {
        match self {
            Self::Input => "tool_input",
            Self::Output => "tool_output",
        }
    }

    /// The derives that this side adds, and that the item may therefore not have.
    fn derives(self) -> &'static [&'static str] {
        match self {
            Self::Input => &["Deserialize", "JsonSchema", "ToolInput"],
            Self::Output => &["Serialize", "Deserialize", "JsonSchema"],
        }
    }
}

/// The whole of both attributes: parse, check, emit. On a fault the type still gets its derives,
/// without what was refused, so that one mistake gives one message.
pub(crate) fn expand(side: Side, args: TokenStream, tokens: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let options = Options::parse(side, args, &mut errors);
    let krate = options.krate;
    let Ok(mut item) = syn::parse2::<DeriveInput>(tokens.clone()) else {
        let place = tokens.clone().into_iter().next();
        errors.at(
            place,
            format!("`#[{}]` goes on a struct or an enum", side.word()),
        );
        let errors = errors.into_tokens();
        return quote!(#tokens #errors);
    };
    refuse_second_derives(side, &item.attrs, &mut errors);
    let written = check(side, &item, &mut errors);
    if let Some(named) = &options.resource {
        resource::check(named, &item, &mut errors);
    }
    if errors.count() == 0 {
        let derives = derives(side, &krate);
        let helpers = helpers(side, &krate, written.deny_unknown_fields);
        let named = options
            .resource
            .map(|named| resource::implement(&named, &item, &krate));
        return quote!(#derives #helpers #item #named);
    }
    forget_refused(side, &mut item);
    let errors = errors.into_tokens();
    if side == Side::Output && fallback::has_an_implementation(&item) {
        let derives = derives(side, &krate);
        let helpers = helpers(side, &krate, true);
        return quote!(#derives #helpers #item #errors);
    }
    let stub = (side == Side::Input).then(|| fallback::all(&item, &krate));
    let stub = stub.flatten();
    quote!(#item #stub #errors)
}

/// What stands in the attribute's parentheses.
struct Options {
    krate: Path,
    resource: Option<Named>,
}

impl Options {
    fn parse(side: Side, args: TokenStream, errors: &mut Errors) -> Self {
        let form = match side {
            Side::Input => "#[tool_input(crate = agent_once)]".to_owned(),
            Side::Output => format!("#[tool_output({})]", resource::FORM),
        };
        let known: &[&str] = match side {
            Side::Input => &["crate"],
            Side::Output => &["resource", "id", "crate"],
        };
        let faults = errors.count();
        let options = option::parse(args, &form, errors);
        for (at, Opt { name, .. }) in options.iter().enumerate() {
            if options[..at].iter().any(|earlier| earlier.name == *name) {
                errors.at(name, format!("`{name}` is given twice: keep one"));
            } else if !known.iter().any(|known| name == known) {
                let there = known.join("`, `");
                let verb = if known.len() == 1 { "is only" } else { "are" };
                errors.at(
                    name,
                    format!("unknown option `{name}`: there {verb} `{there}`, `{form}`"),
                );
            }
        }
        let find = |name: &str| options.iter().find(|option| option.name == name);
        let krate = find("crate").and_then(|option| value::krate(option, errors));
        let resource = match side {
            Side::Input => None,
            // What seems to be missing may be what was misspelt.
            Side::Output if errors.count() > faults => None,
            Side::Output => resource::named(find("resource"), find("id"), errors),
        };
        Self {
            krate: krate.unwrap_or_else(default_crate),
            resource,
        }
    }
}

/// A derive that the attribute adds as well would be a second implementation of the same trait.
fn refuse_second_derives(side: Side, attrs: &[Attribute], errors: &mut Errors) {
    for path in attrs.iter().flat_map(derived) {
        let Some(last) = path.segments.last() else {
            continue;
        };
        if side.derives().iter().any(|added| last.ident == added) {
            errors.at(
                &path,
                format!(
                    "`#[{}]` adds `{}` already: remove one of the two",
                    side.word(),
                    last.ident
                ),
            );
        }
    }
}

fn derived(attr: &Attribute) -> Vec<Path> {
    if !attr.path().is_ident("derive") {
        return Vec::new();
    }
    let list = attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
    list.map(|list| list.into_iter().collect())
        .unwrap_or_default()
}

/// What the side asks of the item, and what the item says about itself.
fn check(side: Side, item: &DeriveInput, errors: &mut Errors) -> SerdeAttrs {
    if side == Side::Input {
        // The derive checks it again, after the conditions that an attribute cannot see through are
        // resolved.
        let _ = Input::parse(item, errors);
    } else if let Data::Union(data) = &item.data {
        errors.at(
            data.union_token,
            "an answer is a struct or an enum: a union does not say what it holds",
        );
    }
    let written = SerdeAttrs::parse(&item.attrs, Place::Container, &mut Errors::default());
    if let Some(word) = &written.krate {
        errors.at(
            word,
            format!(
                "`#[{}]` sets serde's path: remove `crate` here",
                side.word()
            ),
        );
    }
    written
}

/// Takes away what was refused, and what has no meaning without the derives.
fn forget_refused(side: Side, item: &mut DeriveInput) {
    let helper = |attr: &Attribute| {
        ["serde", "schemars", "arg"]
            .iter()
            .any(|helper| attr.path().is_ident(helper))
    };
    item.attrs.retain(|attr| !helper(attr));
    for attr in item
        .attrs
        .iter_mut()
        .filter(|attr| attr.path().is_ident("derive"))
    {
        let kept = derived(attr).into_iter().filter(|path| {
            path.segments
                .last()
                .is_none_or(|last| !side.derives().iter().any(|added| last.ident == added))
        });
        *attr = syn::parse_quote!(#[derive(#(#kept),*)]);
    }
    fallback::each_inner(&mut item.data, |attrs| attrs.retain(|attr| !helper(attr)));
}

fn derives(side: Side, krate: &Path) -> TokenStream {
    match side {
        Side::Input => quote! {
            #[derive(
                #krate::__private::serde::Deserialize,
                #krate::__private::schemars::JsonSchema,
                #krate::ToolInput
            )]
        },
        Side::Output => quote! {
            #[derive(
                #krate::__private::serde::Serialize,
                #krate::__private::serde::Deserialize,
                #krate::__private::schemars::JsonSchema
            )]
        },
    }
}

/// The paths for the derives. An answer may gain fields, because an older program may read it back;
/// an input may not.
fn helpers(side: Side, krate: &Path, denies_already: bool) -> TokenStream {
    let path = krate.to_token_stream().to_string().replace(' ', "");
    let serde = format!("{path}::__private::serde");
    let schemars = format!("{path}::__private::schemars");
    let deny = (side == Side::Input && !denies_already).then(|| quote!(, deny_unknown_fields));
    let arg =
        (side == Side::Input && *krate != default_crate()).then(|| quote!(#[arg(crate = #krate)]));
    quote! {
        #[serde(crate = #serde #deny)]
        #[schemars(crate = #schemars)]
        #arg
    }
}
