//! What a refused type gets in place of its derives: enough to keep the code that uses it quiet.

use super::expand;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Fields, Path};

/// Our own two traits.
pub(super) fn ours(item: &DeriveInput, krate: &Path) -> Option<TokenStream> {
    has_an_implementation(item).then(|| expand::stub(&item.ident, krate))
}

/// Everything that `#[tool_input]` adds.
pub(crate) fn all(item: &DeriveInput, krate: &Path) -> Option<TokenStream> {
    let ours = ours(item, krate)?;
    let ident = &item.ident;
    let serde = quote!(#krate::__private::serde);
    let schemars = quote!(#krate::__private::schemars);
    Some(quote! {
        #ours
        impl<'de> #serde::Deserialize<'de> for #ident {
            fn deserialize<D: #serde::Deserializer<'de>>(
                _: D,
            ) -> ::core::result::Result<Self, D::Error> {
                ::core::result::Result::Err(#serde::de::Error::custom(""))
            }
        }
        impl #schemars::JsonSchema for #ident {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed("")
            }
            fn json_schema(_: &mut #schemars::SchemaGenerator) -> #schemars::Schema {
                ::core::default::Default::default()
            }
        }
    })
}

/// A type with parameters cannot be implemented for in general, and a union has no form at all.
pub(crate) fn has_an_implementation(item: &DeriveInput) -> bool {
    item.generics.params.is_empty() && !matches!(item.data, Data::Union(_))
}

/// Visits the attributes of every variant and every field.
pub(crate) fn each_inner(data: &mut Data, mut visit: impl FnMut(&mut Vec<Attribute>)) {
    let visit_fields = |fields: &mut Fields, visit: &mut dyn FnMut(&mut Vec<Attribute>)| {
        fields.iter_mut().for_each(|field| visit(&mut field.attrs));
    };
    match data {
        Data::Struct(data) => visit_fields(&mut data.fields, &mut visit),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                visit(&mut variant.attrs);
                visit_fields(&mut variant.fields, &mut visit);
            }
        }
        Data::Union(data) => data
            .fields
            .named
            .iter_mut()
            .for_each(|field| visit(&mut field.attrs)),
    }
}
