//! `#[tools]`: a block of methods that are tools and share the application's value of its type.

use crate::args::{ToolArgs, default_crate, option, value};
use crate::errors::Errors;
use crate::expand::{self, Written};
use crate::item::{self, ToolFn};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Ident, ImplItem, ImplItemFn, Item, ItemFn, ItemImpl, Meta, Path, Type};

const FORM: &str = "#[tools] impl Mailer { #[tool(…)] async fn send_email(&self, …) -> Result<Output, ToolError> }";

/// The whole of `#[tools]`. Each method is checked, and all their faults are told together.
pub(crate) fn expand(args: TokenStream, tokens: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let krate = krate(args, &mut errors);
    let mut block = match syn::parse2::<Item>(tokens.clone()) {
        Ok(Item::Impl(block)) => block,
        Ok(other) => {
            errors.at(
                item::keyword(&other),
                format!("`#[tools]` goes on an `impl` block: `{FORM}`"),
            );
            let errors = errors.into_tokens();
            return quote!(#tokens #errors);
        }
        Err(error) => {
            errors.add(error);
            let errors = errors.into_tokens();
            return quote!(#tokens #errors);
        }
    };
    check_block(&block, &mut errors);
    let (mut added, mut beside) = (Vec::new(), Vec::new());
    let shared = Shared {
        owner: (*block.self_ty).clone(),
        krate,
        conditions: block.attrs.iter().filter(is_condition).cloned().collect(),
    };
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        let Some(attr) = take_tool(method) else {
            continue;
        };
        let written = shared.write(&attr, method, &mut errors);
        added.push(Added::of(method));
        *item = ImplItem::Verbatim(written.function);
        beside.extend(written.beside);
    }
    if added.is_empty() {
        errors.at(
            block.impl_token,
            format!("this block has no tool: `{FORM}`"),
        );
    }
    if errors.count() > 0 {
        let errors = errors.into_tokens();
        return quote!(#block #errors);
    }
    let set = shared.set(&added);
    quote!(#block #(#beside)* #set)
}

fn krate(args: TokenStream, errors: &mut Errors) -> Path {
    let form = "#[tools(crate = agent_once)]";
    let mut krate = None;
    for option in option::parse(args, form, errors) {
        if option.name == "crate" {
            krate = value::krate(&option, errors);
        } else {
            errors.at(
                &option.name,
                format!(
                    "unknown option `{}`: there is only `crate`, `{form}`; the others go on each `#[tool(…)]`",
                    option.name
                ),
            );
        }
    }
    krate.unwrap_or_else(default_crate)
}

/// A tool has no parameters, and the value that it finds is of one type.
fn check_block(block: &ItemImpl, errors: &mut Errors) {
    if !block.generics.params.is_empty() {
        errors.at(
            &block.generics,
            format!("a block of tools has no generics and no lifetimes, because the model calls one function: `{FORM}`"),
        );
    }
    if let Some(clause) = &block.generics.where_clause {
        errors.at(
            clause,
            format!("a block of tools has no `where` clause: `{FORM}`"),
        );
    }
    if let Some((path, _)) = &block.trait_ {
        errors.at(
            path,
            format!("a tool is a method of its type's own, and of no trait: `{FORM}`"),
        );
    }
}

fn is_condition(attr: &&Attribute) -> bool {
    attr.path().is_ident("cfg")
}

/// Takes `#[tool(…)]` off a method, under whatever path it was written.
fn take_tool(method: &mut ImplItemFn) -> Option<Attribute> {
    let is_tool = |attr: &Attribute| {
        let last = attr.path().segments.last();
        last.is_some_and(|last| last.ident == "tool")
    };
    let at = method.attrs.iter().position(is_tool)?;
    Some(method.attrs.remove(at))
}

/// What the tools of a block have in common.
struct Shared {
    owner: Type,
    krate: Path,
    conditions: Vec<Attribute>,
}

impl Shared {
    /// Reads one method, and writes what it becomes.
    fn write(&self, attr: &Attribute, method: &ImplItemFn, errors: &mut Errors) -> Written {
        let function = ItemFn {
            attrs: method.attrs.clone(),
            vis: method.vis.clone(),
            modifiers: method.modifiers.clone(),
            sig: method.sig.clone(),
            block: Box::new(method.block.clone()),
        };
        // A fault of an earlier method must not hide this one's.
        let mut own = Errors::default();
        let read = ToolFn::read(function, Some(&self.owner), &mut own);
        let options = match &attr.meta {
            Meta::List(list) => list.tokens.clone(),
            Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
        };
        let place = attr.path().span();
        let args = ToolArgs::parse(options, place, Some(self.krate.clone()), &mut own);
        let conditions: Vec<_> = self.conditions.iter().collect();
        let written = expand::write(read, args.as_ref(), &conditions, &mut own);
        errors.absorb(own);
        written
    }

    /// The block as one thing that an agent takes.
    fn set(&self, added: &[Added]) -> TokenStream {
        let Self {
            owner,
            krate,
            conditions,
        } = self;
        quote! {
            #(#conditions)*
            impl #krate::Tools for #owner {
                fn add_to(builder: #krate::IdemBuilder) -> #krate::IdemBuilder {
                    #(#added)*
                    builder
                }
            }
        }
    }
}

/// A tool of the block, under its conditions.
struct Added {
    name: Ident,
    conditions: Vec<Attribute>,
}

impl Added {
    fn of(method: &ImplItemFn) -> Self {
        Self {
            name: method.sig.ident.clone(),
            conditions: method.attrs.iter().filter(is_condition).cloned().collect(),
        }
    }
}

impl ToTokens for Added {
    fn to_tokens(&self, out: &mut TokenStream) {
        let Self { name, conditions } = self;
        out.extend(quote!(#(#conditions)* let builder = builder.tool::<#name>();));
    }
}
