//! One tool, `pay`, as it was and as it became.
#![allow(dead_code, reason = "a version of a tool need not use all it takes")]

use crate::tools::effect;
use idem_tools::{ToolContext, ToolError, tool, tool_input};

pub(crate) mod first {
    use super::*;

    #[tool_input]
    pub(crate) struct Payment {
        to: String,
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
    #[tool(name = "pay", scope = "tool.money.pay", timeout_s = 60)]
    pub(crate) async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
        effect(ctx, format!("pay {} {:?}", input.to, input.method)).await
    }
}

pub(crate) mod defaulted {
    use super::*;

    #[tool_input]
    pub(crate) struct Payment {
        to: String,
        #[serde(default)]
        method: Method,
        /// It came later.
        #[serde(default)]
        memo: String,
    }

    #[derive(Debug, Default)]
    #[tool_input]
    enum Method {
        #[default]
        Card,
        Cash,
    }

    /// Pays.
    #[tool(name = "pay", scope = "tool.money.pay", timeout_s = 60)]
    pub(crate) async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
        let memo = input.memo;
        effect(ctx, format!("pay {} {:?} {memo:?}", input.to, input.method)).await
    }
}

pub(crate) mod cashless {
    use super::*;

    #[tool_input]
    pub(crate) struct Payment {
        to: String,
        #[serde(default)]
        method: Method,
    }

    #[derive(Debug, Default)]
    #[tool_input]
    enum Method {
        #[default]
        Card,
        Wire,
    }

    /// Pays.
    #[tool(name = "pay", scope = "tool.money.pay", timeout_s = 60)]
    pub(crate) async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
        effect(ctx, format!("pay {} {:?}", input.to, input.method)).await
    }
}
