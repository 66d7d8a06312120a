//! The one call of the function, the types that it names, and what it takes beside the arguments.

use crate::args::{Effect, ToolArgs};
use crate::item::{InputForm, Pass, Takes, ToolFn};
use crate::types;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// The one call. The tokens of what it hands over stand at the type that takes it, so that a type which
/// does not fit is reported there.
pub(super) fn call(tool: &ToolFn, args: &ToolArgs) -> TokenStream {
    let krate = &args.krate;
    let sig = &tool.func.sig;
    let span = match &tool.input {
        InputForm::Whole(ty) => types::span(ty),
        InputForm::Arguments(_) => sig.ident.span(),
    };
    // Hygienic, because the function itself may be called `ctx` or `input`.
    let takes_context = tool
        .takes
        .iter()
        .any(|takes| matches!(takes, Takes::Context(_) | Takes::State(_) | Takes::Receiver));
    let takes_input = tool
        .takes
        .iter()
        .any(|takes| matches!(takes, Takes::Input | Takes::Argument(_)));
    let hygienic = |name: &str, is_used: bool| {
        let name = if is_used {
            name.to_owned()
        } else {
            format!("_{name}")
        };
        Ident::new(&name, Span::mixed_site().located_at(span))
    };
    let (ctx, input) = (
        hygienic("ctx", takes_context),
        hygienic("input", takes_input),
    );
    let given = tool
        .takes
        .iter()
        .map(|takes| given(takes, tool, args, &ctx, &input));
    let given: Vec<_> = given.collect();
    let deprecated = super::attributes(&tool.func, "deprecated")
        .next()
        .map(|_| quote!(#[allow(deprecated)]));
    let name = &sig.ident;
    let name = match &tool.owner {
        Some(owner) => quote!(<#owner>::#name),
        None => quote!(#name),
    };
    let waits = sig.asyncness.map(|_| quote_spanned!(span=> .await));
    let mut inner = quote_spanned!(span=> #name(#(#given),*) #waits);
    let mut store = None;
    if args.effect == Some(Effect::Transactional) {
        inner = quote!(#krate::__private::committed(#inner));
        store = Some(quote!(<Self::Store>));
    }
    quote! {
        #deprecated
        async fn call(
            #ctx: &#krate::ToolContext #store,
            #input: Self::Input,
        ) -> ::core::result::Result<Self::Output, #krate::ToolError> {
            #inner
        }
    }
}

/// What is handed over at one place of the signature.
fn given(takes: &Takes, tool: &ToolFn, args: &ToolArgs, ctx: &Ident, input: &Ident) -> TokenStream {
    let krate = &args.krate;
    let at = |ident: &Ident, span: Span| {
        let mut moved = ident.clone();
        moved.set_span(ident.span().located_at(span));
        moved
    };
    match takes {
        Takes::Receiver => {
            let owner = &tool.owner;
            quote!(#ctx.state::<#owner>()?)
        }
        Takes::Context(span) => at(ctx, *span).into_token_stream(),
        Takes::State(ty) => {
            quote_spanned!(types::span(ty)=> #krate::__private::state(#ctx)?)
        }
        Takes::Input => quote!(#input),
        Takes::Argument(number) => {
            let InputForm::Arguments(arguments) = &tool.input else {
                return TokenStream::new();
            };
            let argument = &arguments[*number];
            let (name, span) = (&argument.name, argument.span());
            let input = at(input, span);
            match argument.pass {
                Pass::Owned => quote_spanned!(span=> #input.#name),
                Pass::Text => quote_spanned!(span=> &#input.#name),
                Pass::MaybeText => quote_spanned!(span=> #input.#name.as_deref()),
            }
        }
    }
}

/// The values of the application that the function takes, for the check at start-up.
pub(super) fn state(tool: &ToolFn, args: &ToolArgs) -> Option<TokenStream> {
    let krate = &args.krate;
    let types = tool.takes.iter().filter_map(|takes| match takes {
        Takes::Receiver => tool.owner.as_ref(),
        Takes::State(ty) => Some(&**ty),
        Takes::Context(_) | Takes::Input | Takes::Argument(_) => None,
    });
    let needs: Vec<_> = types
        .map(|ty| quote_spanned!(types::span(ty)=> #krate::StateNeed::of::<#ty>()))
        .collect();
    (!needs.is_empty()).then(|| quote!(const STATE: &'static [#krate::StateNeed] = &[#(#needs),*];))
}

/// The one call of the look-up. Its tokens stand at the path, so that a function of another type is
/// reported there.
pub(super) fn reconcile(args: &ToolArgs) -> Option<TokenStream> {
    let krate = &args.krate;
    let path = args.reconcile.as_ref()?;
    let span = types::span_of(path);
    let ctx = Ident::new("ctx", Span::mixed_site().located_at(span));
    let input = Ident::new("input", Span::mixed_site().located_at(span));
    let inner = quote_spanned!(span=> #path(#ctx, #input).await);
    Some(quote! {
        async fn reconcile(
            #ctx: &#krate::ToolContext,
            #input: &Self::Input,
        ) -> ::core::result::Result<#krate::Reconciled<Self::Output>, #krate::ToolError> {
            #inner
        }
    })
}

/// The answer's type. Where it is written inside a `Result` it is taken from there, so that a type
/// that does not fit is reported at its own name, and once; behind an alias the compiler takes it
/// out.
pub(super) fn answer(tool: &ToolFn, args: &ToolArgs) -> TokenStream {
    let (output, krate) = (&tool.output, &args.krate);
    let written = types::first_of_result(output);
    let (written, taken) = if args.effect == Some(Effect::Transactional) {
        let written = written.and_then(|written| types::argument_of(written, "Committed"));
        (written, quote!(CommittedReturn))
    } else {
        (written, quote!(ToolReturn))
    };
    if let Some(written) = written {
        return quote!(#written);
    }
    quote_spanned! {types::span(output)=>
        <#output as #krate::__private::#taken>::Output
    }
}

/// The store that a transactional tool names in its context's type.
pub(super) fn store(tool: &ToolFn, args: &ToolArgs) -> TokenStream {
    let krate = &args.krate;
    let context = tool.context.as_ref();
    let Some(context) = context.filter(|_| args.effect == Some(Effect::Transactional)) else {
        return quote!(#krate::AnyStore);
    };
    if let Some(written) = types::argument_of(context, "ToolContext") {
        return quote!(#written);
    }
    quote_spanned! {types::span(context)=>
        <#context as #krate::__private::ContextOf>::Store
    }
}
