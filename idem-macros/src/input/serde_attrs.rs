//! What `#[serde(…)]` says about names and defaults, and which of its forms an input cannot have.
//!
//! A form that is malformed is left to serde's own derive, which runs on the same item and reports
//! it.

use super::rename::Rule;
use crate::errors::Errors;
use proc_macro2::Group;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, ExprPath, LitStr, Path, Token};

/// What a missing argument becomes.
#[derive(Clone, Debug)]
pub(crate) enum Preset {
    /// `#[serde(default)]`
    Default,
    /// `#[serde(default = "path")]`
    Function(ExprPath),
}

/// What the attributes of one container, variant or field say.
#[derive(Debug, Default)]
pub(crate) struct SerdeAttrs {
    pub(crate) rename: Option<LitStr>,
    pub(crate) rename_all: Rule,
    pub(crate) rename_all_fields: Rule,
    pub(crate) preset: Option<Preset>,
    pub(crate) transparent: bool,
    pub(crate) deny_unknown_fields: bool,
    /// A field that is read by a function of the user's.
    pub(crate) reads_with: bool,
    /// The word `crate`, where it was written.
    pub(crate) krate: Option<Path>,
    /// `tag`, and whether `content` goes with it.
    tag: Option<Path>,
    content: bool,
}

/// Where an attribute stands, because some words mean different things in different places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Container,
    Variant,
    Field,
}

impl SerdeAttrs {
    /// Reads every `#[serde(…)]` among the attributes.
    pub(crate) fn parse(attrs: &[Attribute], place: Place, errors: &mut Errors) -> Self {
        let mut read = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
            // What does not parse here does not parse in serde's derive either, and one message is
            // enough.
            let _ = attr.parse_nested_meta(|meta| read.word(&meta, place, errors));
        }
        if let Some(tag) = read.tag.take_if(|_| !read.content) {
            errors.at(
                tag,
                "an unknown field could pass unseen through `tag` alone: leave it out, or write \
                 `#[serde(tag = \"kind\", content = \"value\")]`",
            );
        }
        read
    }

    fn word(
        &mut self,
        meta: &ParseNestedMeta<'_>,
        place: Place,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        let name = meta
            .path
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default();
        if let Some(reason) = refusal(&name, place) {
            errors.at(&meta.path, reason);
            return skip_value(meta);
        }
        match name.as_str() {
            "rename" => self.rename = deserialize_name(meta)?.or(self.rename.take()),
            "rename_all" => self.rename_all = rule(meta)?.unwrap_or(self.rename_all),
            "rename_all_fields" => {
                self.rename_all_fields = rule(meta)?.unwrap_or(self.rename_all_fields)
            }
            "default" => self.preset = Some(preset(meta)?),
            "crate" => {
                self.krate = Some(meta.path.clone());
                return skip_value(meta);
            }
            "tag" => {
                self.tag = Some(meta.path.clone());
                return skip_value(meta);
            }
            "content" => {
                self.content = true;
                return skip_value(meta);
            }
            "with" | "deserialize_with" => {
                self.reads_with = true;
                return skip_value(meta);
            }
            "transparent" => self.transparent = true,
            "deny_unknown_fields" => self.deny_unknown_fields = true,
            _ => return skip_value(meta),
        }
        Ok(())
    }
}

/// Why a word cannot stand on an input, and what to write instead.
fn refusal(name: &str, place: Place) -> Option<&'static str> {
    Some(match name {
        "untagged" => {
            "an unknown field could pass unseen through `untagged`: leave it out, so that each \
             variant is written under its name, or write `#[serde(tag = \"kind\", content = \"value\")]`"
        }
        "flatten" => {
            "an unknown field could pass unseen through `flatten`: write the fields out, or keep the \
             struct under its own name"
        }
        "other" => {
            "two different proposals would become one value through `other`: name each variant, or take \
             the text as a `String`"
        }
        "skip" | "skip_deserializing" if place == Place::Field => {
            "the function would see what nobody proposed: take the field out of the input, or give it \
             a default with `#[serde(default)]`"
        }
        "from" | "try_from" => {
            "the input is hashed as it is declared, and this reads another type: take that type as \
             the argument, and convert it in the function"
        }
        "remote" | "getter" => {
            "an input is declared where its type is: wrap the foreign type in one of your own"
        }
        "field_identifier" | "variant_identifier" => {
            "this is a name and no argument: take a `String`"
        }
        _ => return None,
    })
}

/// `= "name"`, or the reading half of `(serialize = "…", deserialize = "…")`.
fn deserialize_name(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<LitStr>> {
    if meta.input.peek(Token![=]) {
        return meta.value()?.parse().map(Some);
    }
    let mut found = None;
    meta.parse_nested_meta(|half| {
        let name: LitStr = half.value()?.parse()?;
        if half.path.is_ident("deserialize") {
            found = Some(name);
        }
        Ok(())
    })?;
    Ok(found)
}

fn rule(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<Rule>> {
    Ok(deserialize_name(meta)?.and_then(|text| Rule::parse(&text)))
}

fn preset(meta: &ParseNestedMeta<'_>) -> syn::Result<Preset> {
    if !meta.input.peek(Token![=]) {
        return Ok(Preset::Default);
    }
    // `parse` gives the path the place of the literal, so that a wrong one is reported there.
    meta.value()?
        .parse::<LitStr>()?
        .parse()
        .map(Preset::Function)
}

/// Steps over whatever belongs to a word that is not ours to read.
fn skip_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        meta.input.parse::<Group>()?;
    }
    Ok(())
}
