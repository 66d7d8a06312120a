//! What `#[tool]` becomes: the function as written, a type of the same name, and the facts of the
//! tool.
//!
//! Nothing here has behaviour of its own. The runtime is ordinary code that a debugger can step
//! into.

mod call;
mod input;

use crate::args::{Approval, Effect, TOOL_FORM, ToolArgs, value};
use crate::class;
use crate::errors::Errors;
use crate::item::{self, InputForm, Read, ToolFn};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Attribute, Expr, Lit, Meta};

/// What a function becomes: itself, and what stands beside it.
pub(crate) struct Written {
    /// The function, which may stand in an `impl` block.
    pub(crate) function: TokenStream,
    /// Its type, its facts and its input; nothing where a fault was found.
    pub(crate) beside: Option<TokenStream>,
}

/// The whole of `#[tool]`: parse, check, emit. On a fault the item is emitted as it was, so that
/// one mistake gives one message.
pub(crate) fn tool(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let read = ToolFn::parse(item, &mut errors);
    let args = ToolArgs::parse(args, Span::call_site(), None, &mut errors);
    let Written { function, beside } = write(read, args.as_ref(), &[], &mut errors);
    let errors = errors.into_tokens();
    quote!(#function #beside #errors)
}

/// Checks what was read, and writes it where all of it is right. `cfgs` are the conditions of the block that
/// the function stands in.
pub(crate) fn write(
    read: Read,
    args: Option<&ToolArgs>,
    cfgs: &[&Attribute],
    errors: &mut Errors,
) -> Written {
    let Read { tool, item } = read;
    let parts = tool.as_ref().zip(args);
    let name = parts.and_then(|(tool, args)| name(tool, args, errors));
    if let Some(tool) = &tool {
        input::check(tool, errors);
    }
    if let Some((tool, args)) = parts {
        class::check(tool, args, errors);
    }
    match (parts, name) {
        (Some((tool, args)), Some(name)) if errors.count() == 0 => Written {
            function: function(tool),
            beside: Some(beside(tool, args, &name, cfgs)),
        },
        _ => Written {
            function: item,
            beside: None,
        },
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

/// The function as it was written. The form of a tool asks for what these lints advise against.
fn function(tool: &ToolFn) -> TokenStream {
    let func = &tool.func;
    let mut lints = quote!(clippy::missing_errors_doc);
    if func.sig.asyncness.is_some() {
        lints.extend(quote!(, clippy::unused_async));
    } else {
        lints.extend(quote!(, clippy::unnecessary_wraps));
    }
    if let InputForm::Arguments(arguments) = &tool.input {
        if !arguments.is_empty() {
            lints.extend(quote!(, clippy::needless_pass_by_value));
        }
        if arguments.len() > ARGUMENTS_FEW {
            lints.extend(quote!(, clippy::too_many_arguments, clippy::fn_params_excessive_bools));
        }
    }
    quote!(#[allow(#lints)] #func)
}

/// Up to this many arguments, the context and the state with them, no lint counts them.
const ARGUMENTS_FEW: usize = 3;

/// What stands beside the function: the type of its name, and what it says of itself.
fn beside(tool: &ToolFn, args: &ToolArgs, name: &str, block: &[&Attribute]) -> TokenStream {
    let func = &tool.func;
    let krate = &args.krate;
    let vis = &func.vis;
    // Located at the function, yet part of the expansion: what a lint says of a written struct is
    // not said of this.
    let ident = located(&func.sig.ident);
    let cfgs: Vec<_> = block
        .iter()
        .copied()
        .chain(attributes(func, "cfg"))
        .collect();
    let docs = attributes(func, "doc");
    let spec = spec(tool, args, name);
    let call = call::call(tool, args);
    let reconcile = call::reconcile(args);
    let answer = call::answer(tool, args);
    let store = call::store(tool, args);
    let state = call::state(tool, args);
    let input = input::of(tool);
    // At the answer's type, where one that does not fit is reported anyway.
    let output = quote_spanned! {crate::types::span(&tool.output)=>
        const OUTPUT: #krate::OutputFacts = #krate::__output_facts!(Self::Output);
    };
    let checks = checks(tool, args);
    let facts = quote! {
        impl #krate::Tool for #ident {
            type Input = #input;
            type Output = #answer;
            type Store = #store;
            const SPEC: #krate::ToolSpec = #spec;
            #state
            #output
            #call
            #reconcile
        }
    };
    // An input of the macro's own stands in a block, so that its name is nobody else's.
    let facts = match input::written(tool, krate, name) {
        None => {
            let checks = checks.iter().map(|check| quote!(#(#cfgs)* #check));
            quote!(#(#cfgs)* #facts #(#checks)*)
        }
        Some(input) => quote!(#(#cfgs)* const _: () = { #input #facts #(#checks)* };),
    };
    quote! {
        #(#cfgs)*
        #(#docs)*
        #[allow(non_camel_case_types)]
        #vis struct #ident {}

        #facts
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
    let (input, krate) = (input::of(tool), &args.krate);
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
