//! How the texts of a value are written by their policies: each by one call, with its tokens at the
//! policy's word, so that a type which is no text is reported there.

use super::Body;
use super::arg::Marks;
use super::fields::{Part, Shape, Variant};
use crate::types;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Index, Type};

/// Types that declare nothing inside of them, as they are nearly always written: their calls would do
/// nothing, and be compiled for every field.
const PLAIN: [&str; 16] = [
    "String", "bool", "char", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
    "u64", "u128", "usize", "f64",
];

/// `Canonical::normalize`; nothing where nothing could be done.
pub(super) fn function(body: &Body, module: &TokenStream) -> Option<TokenStream> {
    let calls = match body {
        Body::Struct(shape) => structure(shape, module),
        Body::Enum(variants) => enumeration(variants, module),
    };
    (!calls.is_empty()).then(|| {
        quote! {
            fn normalize(&mut self) -> ::core::result::Result<(), #module::CanonicalError> {
                #calls
                ::core::result::Result::Ok(())
            }
        }
    })
}

fn structure(shape: &Shape, module: &TokenStream) -> TokenStream {
    match shape {
        Shape::Unit => TokenStream::new(),
        Shape::Newtype(part) => calls(part, (&quote!(()), &quote!(&mut self.0)), module),
        Shape::Tuple(parts) => {
            let parts = parts.iter().enumerate().map(|(at, part)| {
                let index = Index::from(at);
                calls(part, (&quote!(#at), &quote!(&mut self.#index)), module)
            });
            parts.collect()
        }
        Shape::Object(fields) => {
            let fields = fields.iter().map(|field| {
                let (name, member) = (&field.name, &field.member);
                let value = quote!(&mut self.#member);
                of(&field.ty, &field.marks, (&quote!(#name), &value), module)
            });
            fields.collect()
        }
    }
}

fn enumeration(variants: &[Variant], module: &TokenStream) -> TokenStream {
    let arms: Vec<_> = variants
        .iter()
        .filter_map(|variant| arm(variant, module))
        .collect();
    if arms.is_empty() {
        return TokenStream::new();
    }
    let others = (arms.len() < variants.len()).then(|| quote!(_ => {}));
    quote!(match self { #(#arms)* #others })
}

fn arm(variant: &Variant, module: &TokenStream) -> Option<TokenStream> {
    let Variant { ident, name, shape } = variant;
    let (pattern, calls): (TokenStream, TokenStream) = match shape {
        Shape::Unit => return None,
        Shape::Newtype(part) => {
            let value = binding(0);
            let calls = calls(part, (&quote!(#name), &quote!(#value)), module);
            (quote!((#value)), calls)
        }
        Shape::Tuple(parts) => {
            let values: Vec<_> = (0..parts.len()).map(binding).collect();
            let calls = parts.iter().enumerate().map(|(at, part)| {
                let value = &values[at];
                calls(part, (&quote!(#at), &quote!(#value)), module)
            });
            let calls = calls.collect();
            (quote!((#(#values),*)), calls)
        }
        Shape::Object(fields) => {
            let members = fields.iter().map(|field| &field.member);
            let values: Vec<_> = (0..fields.len()).map(binding).collect();
            let calls = fields.iter().zip(&values).map(|(field, value)| {
                let name = &field.name;
                of(
                    &field.ty,
                    &field.marks,
                    (&quote!(#name), &quote!(#value)),
                    module,
                )
            });
            let calls = calls.collect();
            (quote!({ #(#members: #values),* }), calls)
        }
    };
    if calls.is_empty() {
        return None;
    }
    // A part without a call of its own is bound all the same.
    Some(quote! {
        #[allow(unused_variables)]
        Self::#ident #pattern => { #calls }
    })
}

fn binding(at: usize) -> Ident {
    format_ident!("value_{at}")
}

fn calls(part: &Part, at: (&TokenStream, &TokenStream), module: &TokenStream) -> TokenStream {
    of(&part.ty, &part.marks, at, module)
}

/// The calls for one part: what its type declares inside of itself, and then its own policies.
fn of(
    ty: &Type,
    marks: &Marks,
    (place, value): (&TokenStream, &TokenStream),
    module: &TokenStream,
) -> TokenStream {
    // A type that does not know its own form knows no policies either.
    if marks.with.is_some() {
        return TokenStream::new();
    }
    if !marks.policies.is_empty() {
        let apply = policies(marks, place, value, module);
        return quote!(#(#apply?;)*);
    }
    if is_plain(ty) {
        return TokenStream::new();
    }
    // At the type, where a type without a form is reported anyway.
    let value = types::respanned(value.clone(), types::span(ty));
    quote_spanned!(types::span(ty)=> #module::policy::normalize(#place, #value)?;)
}

fn is_plain(ty: &Type) -> bool {
    let holds = ["Option", "Vec"]
        .iter()
        .find_map(|holder| types::argument_of(ty, holder));
    match holds {
        Some(inner) => is_plain(inner),
        None => PLAIN.iter().any(|plain| types::is_just(ty, plain)),
    }
}

/// One call a policy, in their order; `nfc` once more behind `lowercase`.
fn policies(
    marks: &Marks,
    place: &TokenStream,
    value: &TokenStream,
    module: &TokenStream,
) -> Vec<TokenStream> {
    let mut calls = Vec::new();
    let nfc = marks.policies.iter().find(|policy| policy.name == "Nfc");
    for policy in &marks.policies {
        let again = nfc.filter(|_| policy.name == "Lowercase");
        for policy in [Some(policy), again].into_iter().flatten() {
            let span = policy.word.span();
            let name = Ident::new(policy.name, span);
            // All of it stands at the word: what is no text, or needs a feature, is reported there.
            let policy = types::respanned(quote!(#module::policy), span);
            let value = types::respanned(value.clone(), span);
            calls.push(quote_spanned!(span=> #policy::apply::<#policy::#name, _>(#place, #value)));
        }
    }
    calls
}

/// A default as the field's policies write it, to be compared with what was proposed.
pub(super) fn default(marks: &Marks, function: TokenStream, module: &TokenStream) -> TokenStream {
    if marks.policies.is_empty() {
        return function;
    }
    let apply = policies(marks, &quote!(()), &quote!(value), module);
    let mut written = quote!(::core::result::Result::Ok(()));
    for call in apply.into_iter().rev() {
        written = quote!(#call.and_then(|()| #written));
    }
    quote!(|| #module::policy::written_default((#function)(), |value| #written))
}
