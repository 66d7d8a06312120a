//! What `#[tool]` becomes: the function as written, a type of the same name, and the facts of the
//! tool.
//!
//! Nothing here has behaviour of its own. The runtime is ordinary code that a debugger can step
//! into.

use crate::args::{Approval, Effect, TOOL_FORM, ToolArgs, value};
use crate::class;
use crate::errors::Errors;
use crate::item::{self, ToolFn};
use crate::types;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Attribute, Expr, Lit, Meta};

/// The whole of `#[tool]`: parse, check, emit. On a fault the item is emitted as it was, so that
/// one mistake gives one message.
pub(crate) fn tool(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let tool = ToolFn::parse(item, &mut errors);
    let args = ToolArgs::parse(args, &mut errors);
    let name = tool
        .as_ref()
        .zip(args.as_ref())
        .and_then(|(tool, args)| name(tool, args, &mut errors));
    if let Some((tool, args)) = tool.as_ref().zip(args.as_ref()) {
        class::check(tool, args, &mut errors);
    }
    match (tool, args, name) {
        (Some(tool), Some(args), Some(name)) if errors.count() == 0 => emit(&tool, &args, &name),
        _ => {
            let errors = errors.into_tokens();
            quote!(#item #errors)
        }
    }
}

/// The name that the model calls: the option's, or else the function's.
fn name(tool: &ToolFn, args: &ToolArgs, errors: &mut Errors) -> Option<String> {
    if let Some(name) = &args.name {
        return Some(name.value());
    }
    let ident = &tool.func.sig.ident;
    let name = item::plain_name(ident);
    if value::is_tool_name(&name) {
        return Some(name);
    }
    errors.at(
        ident,
        format!(
            "this function's name cannot be the tool's: a tool's name is 1 to 64 of \
             `A-Z a-z 0-9 _ -`; give it one, `{}`, as in `{TOOL_FORM}`",
            value::NAME_FORM
        ),
    );
    None
}

fn emit(tool: &ToolFn, args: &ToolArgs, name: &str) -> TokenStream {
    let ToolFn { func, input, .. } = tool;
    let krate = &args.krate;
    let vis = &func.vis;
    // Located at the function, yet part of the expansion: what a lint says of a written struct is
    // not said of this.
    let ident = located(&func.sig.ident);
    let cfgs: Vec<_> = attributes(func, "cfg").collect();
    let docs = attributes(func, "doc");
    let spec = spec(tool, args, name);
    let call = call(tool, args);
    let reconcile = reconcile(args);
    let answer = answer(tool, args);
    let store = store(tool, args);
    // At the answer's type, where one that does not fit is reported anyway.
    let facts = quote_spanned! {types::span(&tool.output)=>
        const OUTPUT: #krate::OutputFacts = #krate::__output_facts!(Self::Output);
    };
    let checks = checks(tool, args);
    let checks = checks.iter().map(|check| quote!(#(#cfgs)* #check));
    quote! {
        #[allow(clippy::missing_errors_doc, clippy::unused_async)]
        #func

        #(#cfgs)*
        #(#docs)*
        #[allow(non_camel_case_types)]
        #vis struct #ident {}

        #(#cfgs)*
        impl #krate::Tool for #ident {
            type Input = #input;
            type Output = #answer;
            type Store = #store;
            const SPEC: #krate::ToolSpec = #spec;
            #facts
            #call
            #reconcile
        }

        #(#checks)*
    }
}

/// The facts, as one constant expression.
fn spec(tool: &ToolFn, args: &ToolArgs, name: &str) -> TokenStream {
    let ToolArgs {
        scope,
        timeout_s,
        krate,
        ..
    } = args;
    let mut spec = quote!(#krate::ToolSpec::new(#name, #scope, #timeout_s));
    let description = description(&tool.func.attrs);
    if !description.is_empty() {
        spec.extend(quote!(.description(#description)));
    }
    if let Some(effect) = args.effect {
        let effect = match effect {
            Effect::Read => quote!(Read),
            Effect::Transactional => quote!(Transactional),
            Effect::AtMostOnce => quote!(AtMostOnce),
            Effect::Keyed { window_s } => {
                quote!(Keyed { window: ::core::time::Duration::from_secs(#window_s) })
            }
        };
        spec.extend(quote!(.effect(#krate::Effect::#effect)));
    }
    if args.marks_dispatch {
        spec.extend(quote!(.marks_dispatch()));
    }
    if let Some(approval) = args.approval {
        let rule = match approval {
            Approval::Always => quote!(Always),
            Approval::Never => quote!(Never),
            Approval::Policy => quote!(Policy),
        };
        spec.extend(quote!(.approval(#krate::ApprovalRule::#rule)));
    }
    if args.reconcile.is_some() {
        spec.extend(quote!(.reconciles()));
    }
    if let Some(paths) = &args.key {
        let paths = paths.iter().map(|path| {
            let words = &path.words;
            quote!(&[#(#words),*])
        });
        let method = Ident::new(
            if args.natural { "natural_key" } else { "key" },
            Span::call_site(),
        );
        spec.extend(quote!(.#method(&[#(#paths),*])));
    }
    if let Some(field) = &args.intent {
        let field = item::plain_name(field);
        spec.extend(quote!(.intent(#field)));
    }
    if args.counts_repeats {
        spec.extend(quote!(.on_repeat(#krate::OnRepeat::Count)));
    }
    if args.serial {
        spec.extend(quote!(.serial()));
    }
    spec
}

/// What is asked of the input's table of fields, one constant each. The call's own tokens stand at the
/// name that it asks about.
fn checks(tool: &ToolFn, args: &ToolArgs) -> Vec<TokenStream> {
    let (input, krate) = (&tool.input, &args.krate);
    let fields = quote!(<#input as #krate::__private::canonical::Canonical>::FIELDS);
    let check = |name: &str, span: Span, what: TokenStream| {
        let name = Ident::new(name, span);
        let call = quote_spanned!(span=> #name(#fields, #what));
        quote! {
            const _: () = {
                use #krate::__private::#name;
                #call
            };
        }
    };
    let named = args.key.iter().flatten().flat_map(|path| {
        let words = &path.words;
        let places = path.spans().enumerate();
        places.map(move |(at, span)| {
            let words = words.iter();
            check("check_key", span, quote!(&[#(#words),*], #at))
        })
    });
    let intent = args.intent.iter().map(|field| {
        let name = item::plain_name(field);
        check("check_intent", field.span(), quote!(#name))
    });
    named.chain(intent).collect()
}

/// The one call. Its tokens stand at the input's type, so that a type that does not fit is reported
/// there.
fn call(tool: &ToolFn, args: &ToolArgs) -> TokenStream {
    let krate = &args.krate;
    let name = &tool.func.sig.ident;
    let span = types::span(&tool.input);
    // Hygienic, because the function itself may be called `ctx` or `input`.
    let ctx = Ident::new("ctx", Span::mixed_site().located_at(span));
    let input = Ident::new("input", Span::mixed_site().located_at(span));
    let deprecated = attributes(&tool.func, "deprecated")
        .next()
        .map(|_| quote!(#[allow(deprecated)]));
    let mut inner = quote_spanned!(span=> #name(#ctx, #input).await);
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

/// The one call of the look-up. Its tokens stand at the path, so that a function of another type is
/// reported there.
fn reconcile(args: &ToolArgs) -> Option<TokenStream> {
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
fn answer(tool: &ToolFn, args: &ToolArgs) -> TokenStream {
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
fn store(tool: &ToolFn, args: &ToolArgs) -> TokenStream {
    let (context, krate) = (&tool.context, &args.krate);
    if args.effect != Some(Effect::Transactional) {
        return quote!(#krate::AnyStore);
    }
    if let Some(written) = types::argument_of(context, "ToolContext") {
        return quote!(#written);
    }
    quote_spanned! {types::span(context)=>
        <#context as #krate::__private::ContextOf>::Store
    }
}

fn located(ident: &Ident) -> Ident {
    let mut moved = ident.clone();
    moved.set_span(Span::call_site().located_at(ident.span()));
    moved
}

fn attributes<'a>(func: &'a syn::ItemFn, name: &'a str) -> impl Iterator<Item = &'a Attribute> {
    func.attrs
        .iter()
        .filter(move |attr| attr.path().is_ident(name))
}

/// The doc comment as one text. A line that is no literal, such as an included file, has no text to
/// take.
fn description(attrs: &[Attribute]) -> String {
    let lines: Vec<String> = attrs.iter().filter_map(doc_line).collect();
    lines.join("\n").trim().to_owned()
}

fn doc_line(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attr.meta else {
        return None;
    };
    if !meta.path.is_ident("doc") {
        return None;
    }
    match &meta.value {
        Expr::Lit(syn::ExprLit {
            lit: Lit::Str(text),
            ..
        }) => {
            // The one space that stands behind the slashes; more of them mean something.
            let line = text.value();
            Some(
                line.strip_prefix(' ')
                    .unwrap_or(&line)
                    .trim_end()
                    .to_owned(),
            )
        }
        _ => None,
    }
}
