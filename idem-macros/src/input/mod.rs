//! The input type: names and defaults as serde reads them, and nothing that an unknown field could
//! pass through.

mod arg;
mod expand;
pub(crate) mod fallback;
mod fields;
mod normalize;
mod rename;
pub(crate) mod serde_attrs;
mod write;

use self::fields::{Shape, Variant};
use self::serde_attrs::{Place, Preset, SerdeAttrs};
use crate::args::default_crate;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Ident, Path};

/// A type that can be an argument, taken apart.
#[derive(Debug)]
pub(crate) struct Input {
    ident: Ident,
    krate: Path,
    body: Body,
    /// What a missing field becomes when it says nothing itself.
    preset: Option<Preset>,
    /// Written as its one field is.
    transparent: bool,
}

#[derive(Debug)]
enum Body {
    Struct(Shape),
    Enum(Vec<Variant>),
}

impl Input {
    /// Reads and checks a type; `None` where it cannot be an argument at all.
    pub(crate) fn parse(item: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let container = SerdeAttrs::parse(&item.attrs, Place::Container, errors);
        let krate = arg::container(&item.attrs, errors).unwrap_or_else(default_crate);
        if !item.generics.params.is_empty() {
            errors.at(
                &item.generics,
                "an argument's type has no generics and no lifetimes: write the types out, text as \
                 `String`",
            );
        }
        if let Some(clause) = &item.generics.where_clause {
            errors.at(clause, "an argument's type has no `where` clause");
        }
        let body = match &item.data {
            Data::Struct(data) => {
                Body::Struct(Shape::parse(&data.fields, container.rename_all, errors))
            }
            Data::Enum(data) => Body::Enum(fields::variants(&data.variants, &container, errors)),
            Data::Union(data) => {
                errors.at(
                    data.union_token,
                    "an argument's type is a struct or an enum: a union does not say what it holds",
                );
                return None;
            }
        };
        if let (Body::Struct(shape), true) = (&body, container.transparent) {
            fields::refuse_prose_of_transparent(shape, errors);
        }
        match &body {
            Body::Struct(shape) if container.preset.is_none() => {
                fields::refuse_patch_without_default(shape, errors);
            }
            Body::Struct(_) => {}
            Body::Enum(variants) => variants
                .iter()
                .for_each(|variant| fields::refuse_patch_without_default(&variant.shape, errors)),
        }
        Some(Self {
            ident: item.ident.clone(),
            krate,
            body,
            preset: container.preset,
            transparent: container.transparent,
        })
    }
}

/// The whole of `#[derive(ToolInput)]`.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let item = match syn::parse2::<DeriveInput>(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    match Input::parse(&item, &mut errors) {
        Some(input) if errors.count() == 0 => expand::implement(&input),
        _ => {
            let krate =
                arg::container(&item.attrs, &mut Errors::default()).unwrap_or_else(default_crate);
            let stub = fallback::ours(&item, &krate);
            let errors = errors.into_tokens();
            quote!(#stub #errors)
        }
    }
}
