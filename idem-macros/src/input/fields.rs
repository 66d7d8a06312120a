//! The parts of an input type, under the names that a model writes.

use super::arg::{self, Marks};
use super::rename::Rule;
use super::serde_attrs::{Place, Preset, SerdeAttrs};
use crate::errors::Errors;
use crate::item;
use crate::types;
use std::collections::HashSet;
use syn::punctuated::Punctuated;
use syn::{Attribute, Field, Fields, Ident, Token, Type};

/// The fields of a struct or of one variant.
#[derive(Debug)]
pub(crate) enum Shape {
    Unit,
    Newtype(Box<Part>),
    Tuple(Vec<Part>),
    Object(Vec<NamedField>),
}

/// One field without a name.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) ty: Type,
    pub(crate) marks: Marks,
}

/// One named argument.
#[derive(Debug)]
pub(crate) struct NamedField {
    pub(crate) member: Ident,
    /// The name in a proposal and in the canonical form.
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) preset: Option<Preset>,
    pub(crate) marks: Marks,
}

/// One variant of an enum.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) shape: Shape,
}

impl Shape {
    /// Reads the fields, each name by its own attribute or by the rule.
    pub(crate) fn parse(fields: &Fields, rule: Rule, errors: &mut Errors) -> Self {
        match fields {
            Fields::Unit => Self::Unit,
            Fields::Unnamed(fields) => {
                let mut parts: Vec<_> = fields
                    .unnamed
                    .iter()
                    .map(|field| position(field, errors))
                    .collect();
                match parts.pop() {
                    Some(only) if parts.is_empty() => Self::Newtype(Box::new(only)),
                    last => Self::Tuple(parts.into_iter().chain(last).collect()),
                }
            }
            Fields::Named(fields) => {
                let read = |field| named(field, rule, errors);
                let named: Vec<_> = fields.named.iter().filter_map(read).collect();
                let attrs = fields.named.iter().map(|field| &field.attrs);
                let names = named
                    .iter()
                    .map(|field| (&field.member, field.name.as_str()));
                refuse_twice(attrs.zip(names), "fields", errors);
                Self::Object(named)
            }
        }
    }
}

/// Reads the variants of an enum.
pub(crate) fn variants(
    variants: &Punctuated<syn::Variant, Token![,]>,
    container: &SerdeAttrs,
    errors: &mut Errors,
) -> Vec<Variant> {
    let read: Vec<_> = variants
        .iter()
        .map(|variant| {
            arg::inner(&variant.attrs, errors);
            let attrs = SerdeAttrs::parse(&variant.attrs, Place::Variant, errors);
            let rule = if attrs.rename_all == Rule::AsWritten {
                container.rename_all_fields
            } else {
                attrs.rename_all
            };
            let written = container
                .rename_all
                .variant(&item::plain_name(&variant.ident));
            Variant {
                ident: variant.ident.clone(),
                name: attrs.rename.map_or(written, |name| name.value()),
                shape: Shape::parse(&variant.fields, rule, errors),
            }
        })
        .collect();
    let attrs = variants.iter().map(|variant| &variant.attrs);
    let names = read
        .iter()
        .map(|variant| (&variant.ident, variant.name.as_str()));
    refuse_twice(attrs.zip(names), "variants", errors);
    read
}

fn named(field: &Field, rule: Rule, errors: &mut Errors) -> Option<NamedField> {
    let member = field.ident.clone()?;
    let marks = arg::field(&field.attrs, true, errors);
    let attrs = read(field, errors);
    let written = rule.field(&item::plain_name(&member));
    Some(NamedField {
        member,
        name: attrs.rename.map_or(written, |name| name.value()),
        ty: field.ty.clone(),
        preset: attrs.preset,
        marks,
    })
}

fn position(field: &Field, errors: &mut Errors) -> Part {
    let marks = arg::field(&field.attrs, false, errors);
    read(field, errors);
    let ty = field.ty.clone();
    Part { ty, marks }
}

fn read(field: &Field, errors: &mut Errors) -> SerdeAttrs {
    if types::names_serde_json_value(&field.ty) {
        errors.at(
            &field.ty,
            "`serde_json::Value` loses digits and repeated keys: free-form JSON is \
             `idem_tools::Json`",
        );
    }
    if types::argument_of(&field.ty, "Option").is_some_and(|inner| types::is_named(inner, "Option"))
    {
        errors.at(
            &field.ty,
            "null and a missing field would be one value in two options: `#[serde(default)]` on a `Patch<…>` tells a \
             missing field, null and a value apart",
        );
    }
    let attrs = SerdeAttrs::parse(&field.attrs, Place::Field, errors);
    if !attrs.reads_with
        && let Some(ours) = types::names_time(&field.ty)
    {
        errors.at(
            &field.ty,
            format!("a type of `time` has no one text and no schema: take `idem_tools::{ours}`, which is read as RFC 3339"),
        );
    }
    attrs
}

/// A type that is written as its one field is has no name that a role could belong to.
pub(crate) fn refuse_prose_of_transparent(shape: &Shape, errors: &mut Errors) {
    let Shape::Object(fields) = shape else { return };
    for word in fields.iter().filter_map(|field| field.marks.prose.as_ref()) {
        errors.at(
            word,
            "a transparent type is written as its one field is: put `#[arg(prose)]` on the field \
             that holds this type, as in `#[arg(prose)] note: Note`",
        );
    }
}

/// serde reads a missing field of such a type as null unless it has a default, and so would turn
/// "leave it" into "clear it".
pub(crate) fn refuse_patch_without_default(shape: &Shape, errors: &mut Errors) {
    let Shape::Object(fields) = shape else { return };
    for field in fields.iter().filter(|field| field.preset.is_none()) {
        if types::is_patch(&field.ty) {
            errors.at(
                &field.ty,
                "a missing `Patch` would be read as null: put `#[serde(default)]` on the field",
            );
        }
    }
}

/// Two parts of one name would be one part of the hash. A part under a condition may be the other of
/// the two, and is looked at again by the derive, which sees no conditions any more.
fn refuse_twice<'a>(
    parts: impl Iterator<Item = (&'a Vec<Attribute>, (&'a Ident, &'a str))>,
    what: &str,
    errors: &mut Errors,
) {
    let mut seen = HashSet::new();
    let is_conditional = |attr: &Attribute| attr.path().is_ident("cfg");
    for (_, (ident, name)) in parts.filter(|(attrs, _)| !attrs.iter().any(is_conditional)) {
        if !seen.insert(name) {
            errors.at(
                ident,
                format!(
                    "two {what} are named `{name}`: rename one with `#[serde(rename = \"…\")]`"
                ),
            );
        }
    }
}
