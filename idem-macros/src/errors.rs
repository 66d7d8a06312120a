//! Gathers every fault of one item, so that a reader mends them in one go.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::fmt::Display;

/// The faults found so far. Checking goes on after one, because a fault in the options must not
/// hide one in the signature.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    all: Option<syn::Error>,
    count: usize,
}

impl Errors {
    /// Adds a fault that covers `tokens`.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    /// Adds a fault at a place that has no tokens of its own.
    pub(crate) fn at_span(&mut self, span: Span, message: impl Display) {
        self.add(syn::Error::new(span, message));
    }

    /// Adds a fault that a parser reported.
    pub(crate) fn add(&mut self, error: syn::Error) {
        self.count += 1;
        match &mut self.all {
            Some(all) => all.combine(error),
            None => self.all = Some(error),
        }
    }

    /// Adds the faults of a part of the item.
    pub(crate) fn absorb(&mut self, part: Self) {
        self.count += part.count;
        match (&mut self.all, part.all) {
            (Some(all), Some(more)) => all.combine(more),
            (None, more) => self.all = more,
            (Some(_), None) => {}
        }
    }

    /// How many were added, so that a check can tell whether it found one itself.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// What the compiler prints: one message for each fault, and nothing where there is none.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.all
            .map(syn::Error::into_compile_error)
            .unwrap_or_default()
    }
}
