//! How a value is written: each field by one call, with its tokens at the field's type, so that a
//! type without a canonical form is reported there.

use super::arg::Marks;
use super::expand::default_of;
use super::fields::{NamedField, Part, Shape, Variant};
use super::serde_attrs::Preset;
use crate::types;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Index, Type};

/// Where a part of the value is found.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// In `self`.
    Receiver,
    /// In the binding of a match arm, numbered by position.
    Bound,
}

impl Value {
    fn named(self, at: usize, field: &NamedField) -> TokenStream {
        let member = &field.member;
        match self {
            Self::Receiver => quote_spanned!(types::span(&field.ty)=> &self.#member),
            Self::Bound => binding(at),
        }
    }

    fn position(self, at: usize, part: &Part) -> TokenStream {
        match self {
            Self::Receiver => {
                let at = Index::from(at);
                quote_spanned!(types::span(&part.ty)=> &self.#at)
            }
            Self::Bound => binding(at),
        }
    }
}

fn binding(at: usize) -> TokenStream {
    let name = format_ident!("value_{at}");
    quote!(#name)
}

/// What a field is for. The tool may narrow identity down to some of the fields.
pub(super) fn role(field: &NamedField, module: &TokenStream) -> TokenStream {
    if field.marks.prose.is_some() {
        quote!(#module::Role::Prose)
    } else {
        quote!(#module::Role::Identity)
    }
}

/// The one value of a type that is written as its field is.
pub(super) fn single(ty: &Type, marks: &Marks, value: &TokenStream) -> TokenStream {
    match &marks.with {
        Some(form) => quote_spanned!(types::span_of(form)=> #form(#value, out)),
        None => quote_spanned!(types::span(ty)=> out.value(#value)),
    }
}

/// An object of named fields.
pub(super) fn object(
    fields: &[NamedField],
    container: Option<&Preset>,
    from: Value,
    module: &TokenStream,
) -> TokenStream {
    if fields.is_empty() {
        return quote!(out.object().end());
    }
    let calls = fields.iter().enumerate().map(|(at, field)| {
        let name = &field.name;
        let value = from.named(at, field);
        let span = types::span(&field.ty);
        let role = role(field, module);
        match (&field.marks.with, default_of(field, container, module)) {
            (Some(form), Some(default)) => quote_spanned! {types::span_of(form)=>
                object.field_as_or(#name, #role, (#value, #form), #default)?;
            },
            (Some(form), None) => quote_spanned! {types::span_of(form)=>
                object.field_as(#name, #role, #value, #form)?;
            },
            (None, Some(default)) => quote_spanned! {span=>
                object.field_or(#name, #role, #value, #default)?;
            },
            (None, None) => quote_spanned! {span=>
                object.field(#name, #role, #value)?;
            },
        }
    });
    quote! {
        let mut object = out.object();
        #(#calls)*
        object.end()
    }
}

/// A sequence of unnamed fields.
pub(super) fn sequence(parts: &[Part], from: Value) -> TokenStream {
    if parts.is_empty() {
        return quote!(out.sequence().end());
    }
    let calls = parts.iter().enumerate().map(|(at, part)| {
        let value = from.position(at, part);
        match &part.marks.with {
            Some(form) => quote_spanned! {types::span_of(form)=>
                sequence.element_with(|out| #form(#value, out))?;
            },
            None => quote_spanned!(types::span(&part.ty)=> sequence.element(#value)?;),
        }
    });
    quote! {
        let mut sequence = out.sequence();
        #(#calls)*
        sequence.end()
    }
}

/// An enum: a unit variant is its name, any other an object with the name as its only key.
pub(super) fn enumeration(variants: &[Variant], module: &TokenStream) -> TokenStream {
    if variants.is_empty() {
        return quote! {
            let _ = out;
            match *self {}
        };
    }
    let arms = variants.iter().map(|variant| arm(variant, module));
    quote!(match self { #(#arms)* })
}

fn arm(variant: &Variant, module: &TokenStream) -> TokenStream {
    let Variant { ident, name, shape } = variant;
    let (pattern, write) = match shape {
        Shape::Unit => return quote!(Self::#ident => out.str(#name),),
        Shape::Newtype(part) => {
            let value = binding(0);
            (quote!((#value)), single(&part.ty, &part.marks, &value))
        }
        Shape::Tuple(parts) => {
            let values = (0..parts.len()).map(binding);
            (quote!((#(#values),*)), sequence(parts, Value::Bound))
        }
        Shape::Object(fields) => {
            let members = fields.iter().map(|field| &field.member);
            let values = (0..fields.len()).map(binding);
            (
                quote!({ #(#members: #values),* }),
                object(fields, None, Value::Bound, module),
            )
        }
    };
    quote! {
        Self::#ident #pattern => {
            let mut object = out.object();
            // By a function: a variant stays in the text even where its value may be absent.
            object.field_with(#name, #module::Role::Identity, |out| { #write })?;
            object.end()
        }
    }
}
