//! One tool, `pay`, as it was and as it became.
#![allow(dead_code, reason = "a version of a tool need not use all it takes")]

use crate::tools::Ledger;
use idem_tools::{ToolContext, ToolError, tool, tool_input};
use std::fmt::Debug;

fn pays(ctx: &ToolContext, to: &str, amount: u32, method: impl Debug) -> Result<String, ToolError> {
    ctx.state::<Ledger>()?
        .does(format!("pay {to} {amount} {method:?}"))
}

pub(crate) mod first {
    use super::*;

    #[tool_input]
    pub(crate) struct Payment {
        to: String,
        amount: u32,
        #[serde(default)]
        method: Method,
    }

    #[derive(Debug, Default)]
    #[tool_input]
    enum Method {
        #[default]
        Card,
        Cash,
    }

    /// Pays.
    #[tool(
        name = "pay",
        scope = "tool.money.pay",
        timeout_s = 5,
        effect = "at_most_once"
    )]
    pub(crate) async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
        pays(ctx, &input.to, input.amount, input.method)
    }
}

pub(crate) mod defaulted {
    use super::*;

    #[tool_input]
    pub(crate) struct Payment {
        to: String,
        amount: u32,
        #[serde(default)]
        method: Method,
        /// It came later, and most payments need none.
        #[serde(default)]
        memo: String,
        #[serde(default)]
        speed: Speed,
    }

    #[derive(Debug, Default)]
    #[tool_input]
    enum Method {
        #[default]
        Card,
        Cash,
    }

    #[derive(Debug, Default)]
    #[tool_input]
    enum Speed {
        #[default]
        Normal,
        Fast,
    }

    /// Pays.
    #[tool(
        name = "pay",
        scope = "tool.money.pay",
        timeout_s = 5,
        effect = "at_most_once"
    )]
    pub(crate) async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
        pays(ctx, &input.to, input.amount, input.method)
    }
}

pub(crate) mod enum_changed {
    use super::*;

    #[tool_input]
    pub(crate) struct Payment {
        to: String,
        amount: u32,
        #[serde(default)]
        method: Method,
    }

    #[derive(Debug, Default)]
    #[tool_input]
    enum Method {
        #[default]
        Card,
        Cash,
        Crypto,
    }

    /// Pays.
    #[tool(
        name = "pay",
        scope = "tool.money.pay",
        timeout_s = 5,
        effect = "at_most_once"
    )]
    pub(crate) async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
        pays(ctx, &input.to, input.amount, input.method)
    }
}

pub(crate) mod no_cash {
    use super::*;

    #[tool_input]
    pub(crate) struct Payment {
        to: String,
        amount: u32,
        #[serde(default)]
        method: Method,
    }

    #[derive(Debug, Default)]
    #[tool_input]
    enum Method {
        #[default]
        Card,
    }

    /// Pays.
    #[tool(
        name = "pay",
        scope = "tool.money.pay",
        timeout_s = 5,
        effect = "at_most_once"
    )]
    pub(crate) async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
        pays(ctx, &input.to, input.amount, input.method)
    }
}

pub(crate) mod required {
    use super::*;

    #[tool_input]
    pub(crate) struct Payment {
        to: String,
        amount: u32,
        #[serde(default)]
        method: Method,
        purpose: String,
    }

    #[derive(Debug, Default)]
    #[tool_input]
    enum Method {
        #[default]
        Card,
        Cash,
    }

    /// Pays.
    #[tool(
        name = "pay",
        scope = "tool.money.pay",
        timeout_s = 5,
        effect = "at_most_once"
    )]
    pub(crate) async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
        pays(ctx, &input.to, input.amount, input.method)
    }
}

pub(crate) mod keyed {
    use super::*;

    #[tool_input]
    pub(crate) struct Payment {
        to: String,
        amount: u32,
        #[serde(default)]
        method: Method,
    }

    #[derive(Debug, Default)]
    #[tool_input]
    enum Method {
        #[default]
        Card,
        Cash,
    }

    /// Pays.
    #[tool(
        name = "pay",
        scope = "tool.money.pay",
        timeout_s = 5,
        effect = "keyed",
        vendor_window = "24h"
    )]
    pub(crate) async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
        pays(ctx, &input.to, input.amount, input.method)
    }
}
