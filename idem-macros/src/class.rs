//! What the effect class asks of the signature: a transactional tool names its store in the
//! context's type and its commit in the answer's, and no other tool does either.

use crate::args::{Effect, ToolArgs};
use crate::errors::Errors;
use crate::item::ToolFn;
use crate::types;
use quote::ToTokens;

const CONTEXTS: &str = "`ctx: &ToolContext<Sqlite>` or `ctx: &ToolContext<Postgres>`";

/// Checks the two types as they are written. An alias passes here, and the compiler takes it apart.
pub(crate) fn check(tool: &ToolFn, args: &ToolArgs, errors: &mut Errors) {
    let context = tool.context.as_ref();
    let store = context.and_then(|context| types::argument_of(context, "ToolContext"));
    let answer = types::first_of_result(&tool.output);
    let committed = answer.and_then(|answer| types::argument_of(answer, "Committed"));
    if args.effect == Some(Effect::Transactional) {
        let any = store.filter(|store| types::is_named(store, "AnyStore"));
        if let Some(any) = any {
            errors.at(
                any,
                format!("a transactional tool names its store: {CONTEXTS}"),
            );
        } else if let Some(context) = context {
            if store.is_none() && types::is_named(context, "ToolContext") {
                errors.at(
                    context,
                    format!("a transactional tool names its store: {CONTEXTS}"),
                );
            }
        } else {
            errors.at(
                &tool.func.sig.ident,
                format!("a transactional tool takes its context, which names its store and commits: {CONTEXTS}"),
            );
        }
        if let Some(answer) = answer.filter(|_| committed.is_none()) {
            errors.at(
                answer,
                format!(
                    "a transactional tool answers `Result<Committed<{}>, ToolError>`, which \
                     `ctx.commit(transaction, answer).await` makes",
                    answer.to_token_stream()
                ),
            );
        }
        return;
    }
    if let Some(store) = store.filter(|store| !types::is_named(store, "AnyStore")) {
        errors.at(
            store,
            "only a transactional tool names its store: add `effect = \"transactional\"`, or write \
             `ctx: &ToolContext`",
        );
    }
    if let Some(answer) = answer.filter(|_| committed.is_some()) {
        errors.at(
            answer,
            "only a transactional tool answers `Committed`: add `effect = \"transactional\"`, or \
             answer the value itself",
        );
    }
}
