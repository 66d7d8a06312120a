//! The whole text of what the attributes write, so that a change of it is read in review.

mod forms;

use crate::attribute::{self, Side};
use crate::{expand, input};
use proc_macro2::TokenStream;
use quote::quote;

/// The most that a tool of one input may add to a crate, pretty-printed, without the function.
const TOOL_LINES_MAX: usize = 30;

fn pretty(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

fn tool(args: TokenStream, item: &TokenStream) -> String {
    pretty(expand::tool(args, item))
}

/// A tool's declaration and its derive, which the compiler expands after it.
fn tool_input(item: TokenStream) -> String {
    let attribute = pretty(attribute::expand(Side::Input, TokenStream::new(), &item));
    format!("{attribute}\n{}", pretty(input::derive(item)))
}

/// The function itself, which comes first, is not counted.
fn adds_few_lines(written: &str) {
    let (_, added) = written.split_once("\n}\n").unwrap();
    let lines = added.lines().count();
    assert!(lines <= TOOL_LINES_MAX, "{lines} lines:\n{added}");
}

fn plain() -> String {
    tool(
        quote!(scope = "tool.email.send", timeout_s = 60),
        &quote! {
            /// Send an e-mail.
            async fn send_email(
                ctx: &ToolContext,
                input: SendEmail,
            ) -> Result<Sent, ToolError> {
                deliver(ctx, input).await
            }
        },
    )
}

#[test]
fn plain_tool() {
    insta::assert_snapshot!(plain());
}

/// R28: the attribute states facts and one call; behaviour is in ordinary code.
#[test]
fn a_plain_tool_adds_few_lines() {
    adds_few_lines(&plain());
}

#[test]
fn keyed_tool() {
    insta::assert_snapshot!(tool(
        quote!(
            scope = "tool.email.send",
            timeout_s = 60,
            effect = "keyed",
            vendor_window = "24h"
        ),
        &quote! {
            #[cfg(unix)]
            #[deprecated]
            pub(crate) async fn send_email(ctx: &ToolContext, input: SendEmail) -> Answer<Sent> {
                todo!()
            }
        },
    ));
}

#[test]
fn transactional_tool() {
    insta::assert_snapshot!(tool(
        quote!(
            scope = "tool.schedule.create",
            timeout_s = 10,
            effect = "transactional"
        ),
        &quote! {
            /// Create a schedule.
            async fn create_schedule(
                ctx: &ToolContext<Sqlite>,
                input: CreateSchedule,
            ) -> Result<Committed<Schedule>, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn tool_with_a_look_up() {
    insta::assert_snapshot!(tool(
        quote!(
            scope = "tool.email.send",
            timeout_s = 60,
            reconcile = mail::find
        ),
        &quote! {
            async fn send_email(ctx: &ToolContext, input: SendEmail) -> Result<Sent, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn read_tool_with_a_name() {
    insta::assert_snapshot!(tool(
        quote!(
            scope = "tool.email.read",
            timeout_s = 5,
            effect = "read",
            name = "read-email",
            crate = ::agent_once
        ),
        &quote! {
            pub async fn r#read(_: &ToolContext, mut input: ReadEmail) -> Result<Email, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn tool_that_marks_its_dispatch() {
    insta::assert_snapshot!(tool(
        quote!(
            scope = "tool.card.charge",
            timeout_s = 120,
            effect = "at_most_once",
            marks_dispatch
        ),
        &quote! {
            /// Charge a card.
            ///
            /// Only once.
            #[doc = include_str!("charge.md")]
            async fn charge(ctx: &ToolContext, input: Charge) -> Result<(), ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn tool_that_always_asks() {
    insta::assert_snapshot!(tool(
        quote!(
            scope = "tool.card.charge",
            timeout_s = 30,
            approval = "always",
            crate = ::agent_once
        ),
        &quote! {
            async fn charge(ctx: &ToolContext, input: Charge) -> Result<(), ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn tool_that_names_its_identity() {
    insta::assert_snapshot!(tool(
        quote!(
            scope = "tool.email.send",
            timeout_s = 60,
            key(to, template.id),
            intent = occasion,
            on_repeat = "count",
            serial
        ),
        &quote! {
            #[cfg(unix)]
            async fn send_email(ctx: &ToolContext, input: SendEmail) -> Result<Sent, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn input_with_prose() {
    insta::assert_snapshot!(tool_input(quote! {
        struct SendEmail {
            to: String,
            #[arg(prose)]
            note: String,
            #[arg(prose)]
            #[serde(default)]
            greeting: String,
        }
    }));
}

#[test]
fn input_with_defaults() {
    insta::assert_snapshot!(tool_input(quote! {
        #[derive(Debug)]
        #[serde(rename_all = "camelCase")]
        struct SendEmail {
            reply_to: String,
            cc: Option<String>,
            #[serde(default)]
            tags: Vec<String>,
            #[serde(default = "normal")]
            r#priority: Priority,
        }
    }));
}

#[test]
fn enum_input() {
    insta::assert_snapshot!(tool_input(quote! {
        enum Target {
            Everyone,
            Id(u64),
            Between(u8, u8),
            #[serde(rename = "email")]
            ByEmail { address: String },
        }
    }));
}

/// On a fault the function is still there, and nothing else that could be reported.
#[test]
fn a_refused_tool_keeps_its_function() {
    insta::assert_snapshot!(tool(
        quote!(scope = "email"),
        &quote! {
            async fn send_email(ctx: &ToolContext, input: SendEmail) -> Result<Sent, ToolError> {
                todo!()
            }
        },
    ));
}

/// Variadic functions have further messages of the compiler's own, so the case is not a UI test.
#[test]
fn a_variadic_tool_is_refused() {
    let written = tool(
        quote!(scope = "tool.email.send", timeout_s = 60),
        &quote! {
            async fn send_email(ctx: &ToolContext, input: SendEmail, ...) -> Result<(), ToolError> {
                todo!()
            }
        },
    );
    assert!(written.contains("a tool takes no `...`"), "{written}");
}

#[test]
fn an_output_has_no_canonical_form() {
    let item = quote!(
        struct Sent(String);
    );
    insta::assert_snapshot!(pretty(attribute::expand(
        Side::Output,
        TokenStream::new(),
        &item
    )));
}
