//! `#[tool_output(resource = "crm.company", id = number)]`: which thing an answer names.

use crate::args::option::Opt;
use crate::args::value;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Data, DeriveInput, Expr, Fields, Ident, LitStr, Path};

pub(crate) const FORM: &str = "resource = \"crm.company\", id = number";

/// The longest word of a kind of resource, in bytes: the width of the column that keeps it.
const KIND_BYTES_MAX: usize = 256;

/// The kind of the thing, and the field that says which one it is.
#[derive(Debug)]
pub(crate) struct Named {
    kind: LitStr,
    field: Ident,
}

/// The two options, which only stand together.
pub(crate) fn named(kind: Option<&Opt>, id: Option<&Opt>, errors: &mut Errors) -> Option<Named> {
    match (kind, id) {
        (Some(kind), Some(id)) => {
            let kind = self::kind(kind, errors);
            Some(Named {
                field: field(id, errors)?,
                kind: kind?,
            })
        }
        (Some(alone), None) | (None, Some(alone)) => {
            errors.at(
                &alone.name,
                format!("`resource` and `id` stand together, the kind of a thing and the field that says which: `{FORM}`"),
            );
            None
        }
        (None, None) => None,
    }
}

fn kind(option: &Opt, errors: &mut Errors) -> Option<LitStr> {
    let text = value::string(option, FORM, errors)?;
    let kind = text.value();
    if kind.is_empty() || kind.len() > KIND_BYTES_MAX || kind.chars().any(char::is_control) {
        errors.at(
            &text,
            format!("a kind of resource is 1 to {KIND_BYTES_MAX} bytes without control characters: `{FORM}`"),
        );
        return None;
    }
    Some(text)
}

fn field(option: &Opt, errors: &mut Errors) -> Option<Ident> {
    let value = value::assigned(option, FORM, errors)?;
    if let Expr::Path(path) = value
        && path.qself.is_none()
        && let Some(field) = path.path.get_ident()
    {
        return Some(field.clone());
    }
    errors.at(
        value,
        format!("`id` is the name of a field, without quotes: `{FORM}`"),
    );
    None
}

/// The field has to be there, so that a wrong name is told at its place.
pub(crate) fn check(named: &Named, item: &DeriveInput, errors: &mut Errors) {
    let has_field = match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => {
                let mut fields = fields.named.iter();
                fields.any(|field| field.ident.as_ref() == Some(&named.field))
            }
            Fields::Unnamed(_) | Fields::Unit => false,
        },
        Data::Enum(_) | Data::Union(_) => false,
    };
    if !has_field {
        errors.at(
            &named.field,
            format!(
                "the answer has no field `{}`: `id` names a field of the struct as it is written; an answer of another \
                 shape implements `Resource` by hand",
                named.field
            ),
        );
    } else if !item.generics.params.is_empty() {
        errors.at(
            &item.generics,
            "an answer that names a resource has no generics: implement `Resource` by hand",
        );
    }
}

/// The implementation. Its call stands at the field's name, so that a field without a text is told there.
pub(crate) fn implement(named: &Named, item: &DeriveInput, krate: &Path) -> TokenStream {
    let (ident, Named { kind, field }) = (&item.ident, named);
    let span = field.span();
    let text = quote_spanned! {span=>
        ::std::string::ToString::to_string(&self.#field)
    };
    quote! {
        #[automatically_derived]
        impl #krate::Resource for #ident {
            const TYPE: &'static str = #kind;
            fn resource_id(&self) -> ::std::string::String {
                #text
            }
        }
    }
}
