//! What the derive becomes: the facts of a type, and its form.

use super::arg::Marks;
use super::fields::{NamedField, Shape};
use super::serde_attrs::Preset;
use super::write::{self, Value};
use super::{Body, Input, normalize};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Path, Type};

/// The implementations of one type.
pub(super) fn implement(input: &Input) -> TokenStream {
    let Input { ident, krate, .. } = input;
    let module = module(krate);
    let (facts, write) = match &input.body {
        Body::Struct(shape) => structure(input, shape, &module),
        Body::Enum(variants) => (kind(&module, "Enum"), write::enumeration(variants, &module)),
    };
    let normalize = normalize::function(&input.body, &module);
    let is_object = matches!(&input.body, Body::Struct(Shape::Object(_))) && !input.transparent;
    let tool_input = is_object.then(|| quote!(impl #krate::ToolInput for #ident {}));
    quote! {
        #[automatically_derived]
        impl #module::Canonical for #ident {
            #facts
            #normalize
            fn write(
                &self,
                out: &mut #module::Writer,
            ) -> ::core::result::Result<(), #module::CanonicalError> {
                #write
            }
        }
        #tool_input
    }
}

/// Stands in for the implementations of a type that was refused, so that what uses it is not
/// reported too.
pub(super) fn stub(ident: &Ident, krate: &Path) -> TokenStream {
    let module = module(krate);
    let kind = kind(&module, "Struct");
    quote! {
        impl #module::Canonical for #ident {
            #kind
            fn write(
                &self,
                out: &mut #module::Writer,
            ) -> ::core::result::Result<(), #module::CanonicalError> {
                out.null()
            }
        }
        impl #krate::ToolInput for #ident {}
    }
}

fn module(krate: &Path) -> TokenStream {
    quote!(#krate::__private::canonical)
}

fn kind(module: &TokenStream, kind: &str) -> TokenStream {
    let kind = quote::format_ident!("{kind}");
    quote!(const KIND: #module::Kind = #module::Kind::#kind;)
}

/// The constants of a struct, and how it is written.
fn structure(input: &Input, shape: &Shape, module: &TokenStream) -> (TokenStream, TokenStream) {
    match shape {
        Shape::Object(fields) if input.transparent => match fields.as_slice() {
            [field] => {
                let member = &field.member;
                let place = quote!(self.#member);
                inner(&field.ty, &field.marks, (&place, true), module)
            }
            // serde's derive reports a transparent type with another number of fields.
            _ => (kind(module, "Opaque"), quote!(out.null())),
        },
        Shape::Object(fields) => {
            let table = fields.iter().map(|field| row(field, input, module));
            let kind = kind(module, "Struct");
            let facts = quote!(#kind const FIELDS: &'static [#module::Field] = &[#(#table),*];);
            let preset = input.preset.as_ref();
            (
                facts,
                write::object(fields, preset, Value::Receiver, module),
            )
        }
        Shape::Newtype(part) => {
            let place = quote!(self.0);
            inner(&part.ty, &part.marks, (&place, input.transparent), module)
        }
        Shape::Tuple(parts) => (
            kind(module, "Sequence"),
            write::sequence(parts, Value::Receiver),
        ),
        Shape::Unit => (kind(module, "Null"), quote!(out.null())),
    }
}

/// A struct that is written as its one field is. Only a transparent one may be missing where the
/// field may.
fn inner(
    ty: &Type,
    marks: &Marks,
    (place, transparent): (&TokenStream, bool),
    module: &TokenStream,
) -> (TokenStream, TokenStream) {
    let write = write::single(ty, marks, &quote!(&#place));
    if marks.with.is_some() {
        return (kind(module, "Opaque"), write);
    }
    let implied = transparent.then(|| {
        quote! {
            const HAS_IMPLIED_DEFAULT: bool = <#ty as #module::Canonical>::HAS_IMPLIED_DEFAULT;
            fn is_implied_default(&self) -> bool {
                #module::Canonical::is_implied_default(&#place)
            }
        }
    });
    let facts = quote! {
        const KIND: #module::Kind = <#ty as #module::Canonical>::KIND;
        const FIELDS: &'static [#module::Field] = <#ty as #module::Canonical>::FIELDS;
        #implied
    };
    (facts, write)
}

/// One row of the table of fields.
fn row(field: &NamedField, input: &Input, module: &TokenStream) -> TokenStream {
    let NamedField {
        name, ty, preset, ..
    } = field;
    let role = write::role(field, module);
    let declares = preset.is_some() || input.preset.is_some();
    // Of a type that does not know its own form, nothing is known.
    let (kind, implied, fields) = if field.marks.with.is_some() {
        (quote!(#module::Kind::Opaque), quote!(false), quote!(&[]))
    } else {
        let of = quote!(<#ty as #module::Canonical>);
        (
            quote!(#of::KIND),
            quote!(#of::HAS_IMPLIED_DEFAULT),
            quote!(#of::FIELDS),
        )
    };
    let has_default = if declares { quote!(true) } else { implied };
    quote! {
        #module::Field {
            name: #name,
            kind: #kind,
            role: #role,
            has_default: #has_default,
            fields: #fields,
        }
    }
}

/// The function that gives a field its value where a proposal leaves it out.
pub(super) fn default_of(
    field: &NamedField,
    container: Option<&Preset>,
    module: &TokenStream,
) -> Option<TokenStream> {
    let NamedField { member, ty, .. } = field;
    let written = |function: TokenStream| normalize::default(&field.marks, function, module);
    Some(written(match (&field.preset, container) {
        (Some(Preset::Default), _) => quote!(<#ty as ::core::default::Default>::default),
        (Some(Preset::Function(path)), _) => quote!(#path),
        (None, Some(Preset::Default)) => {
            quote!(|| <Self as ::core::default::Default>::default().#member)
        }
        (None, Some(Preset::Function(path))) => quote!(|| #path().#member),
        (None, None) => return None,
    }))
}
