//! What each form of a tool becomes.

use super::{adds_few_lines, pretty, tool};
use crate::tools;
use proc_macro2::TokenStream;
use quote::quote;

fn facts() -> TokenStream {
    quote!(scope = "tool.email.send", timeout_s = 60)
}

fn block(args: TokenStream, item: &TokenStream) -> String {
    pretty(tools::expand(args, item))
}

fn one_argument() -> String {
    tool(
        facts(),
        &quote! {
            /// Send an e-mail.
            async fn send_email(ctx: &ToolContext, to: String) -> Result<Sent, ToolError> {
                deliver(ctx, to).await
            }
        },
    )
}

#[test]
fn argument() {
    insta::assert_snapshot!(one_argument());
}

/// R28: with its input, and still facts and one call.
#[test]
fn a_tool_of_one_argument_adds_few_lines() {
    adds_few_lines(&one_argument());
}

#[test]
fn arguments_with_roles_and_defaults() {
    insta::assert_snapshot!(tool(
        quote!(
            scope = "tool.email.send",
            timeout_s = 60,
            key(to, type),
            intent = occasion
        ),
        &quote! {
            pub async fn send_email(
                /// Whom it goes to.
                to: &str,
                ctx: &ToolContext,
                r#type: Template,
                #[allow(unused_mut)] mut cc: Vec<String>,
                #[arg(prose, default = "Hello")] greeting: String,
                #[arg(default = 3)] copies: u8,
                #[arg(default)] tags: Vec<String>,
                reply_to: Option<&str>,
                #[serde(rename = "occasion")] _occasion: Option<String>,
            ) -> Result<Sent, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn nothing_taken() {
    insta::assert_snapshot!(tool(
        facts(),
        &quote! {
            async fn send_all() -> Result<(), ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn input_without_a_context() {
    insta::assert_snapshot!(tool(
        facts(),
        &quote! {
            fn send_email(input: SendEmail) -> Result<Sent, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn context_last() {
    insta::assert_snapshot!(tool(
        facts(),
        &quote! {
            async fn send_email(input: SendEmail, ctx: &ToolContext) -> Result<Sent, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn synchronous() {
    insta::assert_snapshot!(tool(
        facts(),
        &quote! {
            fn send_email(to: String) -> Result<Sent, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn state() {
    insta::assert_snapshot!(tool(
        facts(),
        &quote! {
            async fn send_email(http: State<Http>, to: String) -> Result<Sent, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn conditions_and_a_deprecation() {
    insta::assert_snapshot!(tool(
        facts(),
        &quote! {
            #[cfg(unix)]
            #[deprecated]
            #[tracing::instrument]
            async fn send_email(to: String) -> Result<Sent, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn look_up_of_arguments() {
    insta::assert_snapshot!(tool(
        quote!(
            scope = "tool.email.send",
            timeout_s = 60,
            reconcile = find,
            crate = ::agent_once
        ),
        &quote! {
            async fn send_email(to: String) -> Result<Sent, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn transactional_arguments() {
    insta::assert_snapshot!(tool(
        quote!(
            scope = "tool.schedule.create",
            timeout_s = 10,
            effect = "transactional"
        ),
        &quote! {
            async fn create(name: &str, ctx: &ToolContext<Sqlite>) -> Result<Committed<u8>, ToolError> {
                todo!()
            }
        },
    ));
}

#[test]
fn methods() {
    insta::assert_snapshot!(block(
        quote!(crate = ::agent_once),
        &quote! {
            #[cfg(unix)]
            impl Mailer {
                fn from(&self) -> &str {
                    &self.from
                }

                /// Send an e-mail.
                #[tool(scope = "tool.email.send", timeout_s = 60)]
                pub async fn send_email(&self, ctx: &ToolContext, to: &str) -> Result<Sent, ToolError> {
                    todo!()
                }

                #[idem_tools::tool(scope = "tool.email.check", timeout_s = 5, effect = "read")]
                #[cfg(any())]
                fn check(input: Check) -> Result<bool, ToolError> {
                    todo!()
                }
            }
        },
    ));
}

/// Every fault of every method is told, and the block is still there, without what only we know.
#[test]
fn a_refused_block_keeps_its_methods() {
    insta::assert_snapshot!(block(
        quote!(),
        &quote! {
            impl Mailer {
                #[tool(scope = "tool.email.send")]
                async fn send_email(&mut self, #[arg(prose)] note: String) -> Result<Sent, ToolError> {
                    todo!()
                }

                #[tool(scope = "tool.email.check", timeout_s = 5)]
                fn check(&self, to: &String) -> Result<bool, ToolError> {
                    todo!()
                }
            }
        },
    ));
}
