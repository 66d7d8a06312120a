//! The input of a tool whose arguments stand by themselves: a struct of them, with the very
//! attribute that a hand-written one has.

use crate::args::default_crate;
use crate::errors::Errors;
use crate::input::Input;
use crate::item::{self, Argument, InputForm, Preset, ToolFn};
use crate::types;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, ExprLit, Lit, LitStr, Path};

/// The input's type, as the tool names it.
pub(super) fn of(tool: &ToolFn) -> TokenStream {
    match &tool.input {
        InputForm::Whole(ty) => quote!(#ty),
        InputForm::Arguments(_) => {
            let ident = ident(tool);
            quote!(#ident)
        }
    }
}

/// `send_email` is `__SendEmail`.
fn ident(tool: &ToolFn) -> Ident {
    let name = item::plain_name(&tool.func.sig.ident);
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    });
    super::located(&format_ident!(
        "__{}",
        words.collect::<String>(),
        span = tool.func.sig.ident.span()
    ))
}

/// Reports what the attribute would, so that all faults of the item are told together.
pub(super) fn check(tool: &ToolFn, errors: &mut Errors) {
    let InputForm::Arguments(arguments) = &tool.input else {
        return;
    };
    if let Ok(item) = syn::parse2(structure(tool, arguments)) {
        let _ = Input::parse(&item, errors);
    }
}

/// The struct and the defaults of its fields; `None` where the user wrote the input.
pub(super) fn written(tool: &ToolFn, krate: &Path, name: &str) -> Option<TokenStream> {
    let InputForm::Arguments(arguments) = &tool.input else {
        return None;
    };
    let own = (*krate != default_crate()).then(|| quote!((crate = #krate)));
    let structure = structure(tool, arguments);
    let defaults = arguments.iter().filter_map(default);
    Some(quote! {
        #[#krate::tool_input #own]
        #[serde(rename = #name)]
        #structure
        #(#defaults)*
    })
}

fn structure(tool: &ToolFn, arguments: &[Argument]) -> TokenStream {
    let (ident, vis) = (ident(tool), &tool.func.vis);
    let fields = arguments.iter().map(|argument| {
        let Argument {
            attrs, name, ty, ..
        } = argument;
        let preset = preset(argument);
        quote!(#(#attrs)* #preset #vis #name: #ty)
    });
    quote!(#vis struct #ident { #(#fields),* })
}

/// The field's own word for its default.
fn preset(argument: &Argument) -> Option<TokenStream> {
    Some(match argument.preset.as_ref()? {
        Preset::OfType => quote!(#[serde(default)]),
        Preset::Is(_) => {
            let path = default_ident(argument).to_string();
            let path = LitStr::new(&path, argument.name.span());
            quote!(#[serde(default = #path)])
        }
    })
}

fn default_ident(argument: &Argument) -> Ident {
    format_ident!("__default_{}", item::plain_name(&argument.name))
}

/// The function that gives a missing argument its value.
fn default(argument: &Argument) -> Option<TokenStream> {
    let Some(Preset::Is(value)) = &argument.preset else {
        return None;
    };
    let (ident, ty) = (default_ident(argument), &argument.ty);
    let value = match &**value {
        // Text is written as it is written elsewhere, without a call.
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) if holds_text(argument) => {
            quote_spanned!(text.span()=> ::std::string::String::from(#text))
        }
        other => quote!(#other),
    };
    Some(quote!(fn #ident() -> #ty { #value }))
}

fn holds_text(argument: &Argument) -> bool {
    argument.pass == item::Pass::Text || types::is_named(&argument.ty, "String")
}
