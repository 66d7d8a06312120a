//! `#[tool_input]` and `#[tool_output]`: the derives that a type needs, reached through our own
//! re-exports, so that the user's crate depends on neither serde nor schemars.

use crate::args::{default_crate, option, value};
use crate::errors::Errors;
use crate::input::serde_attrs::{Place, SerdeAttrs};
use crate::input::{Input, fallback};
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
    let krate = krate(side, args, &mut errors);
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
    if errors.count() == 0 {
        let derives = derives(side, &krate);
        let helpers = helpers(side, &krate, written.deny_unknown_fields);
        return quote!(#derives #helpers #item);
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

fn krate(side: Side, args: TokenStream, errors: &mut Errors) -> Path {
    let form = format!("#[{}(crate = agent_once)]", side.word());
    let mut krate = None;
    for option in option::parse(args, &form, errors) {
        if option.name == "crate" {
            krate = value::krate(&option, errors);
        } else {
            errors.at(
                &option.name,
                format!(
                    "unknown option `{}`: there is only `crate`, `{form}`",
                    option.name
                ),
            );
        }
    }
    krate.unwrap_or_else(default_crate)
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
