//! One tool, `pay`, as it was and as it became.
#![allow(dead_code, reason = "a version of a tool need not use all it takes")]

use crate::tools::Ledger;
use idem_tools::{ToolContext, ToolError, tool, tool_input};
use std::fmt::Debug;

fn pays(ctx: &ToolContext, to: &str, amount: u32, method: impl Debug) -> Result<String, ToolError> {
    ctx.state::<Ledger>()?
        .does(format!("pay {to} {amount} {method:?}"))
}

/// A version of the tool: what it says of its effect, how one can pay beside by card, and what it takes where that is
/// more than at first.
macro_rules! version {
    ($name:ident($($effect:tt)+), [$($method:ident),*]) => {
        version!($name($($effect)+), [$($method),*], {
            #[tool_input]
            pub(crate) struct Payment {
                to: String,
                amount: u32,
                #[serde(default)]
                method: Method,
            }
        });
    };
    ($name:ident($($effect:tt)+), [$($method:ident),*], {$($payment:tt)+}) => {
        pub(crate) mod $name {
            use super::*;

            $($payment)+

            #[derive(Debug, Default)]
            #[tool_input]
            enum Method {
                #[default]
                Card,
                $($method,)*
            }

            /// Pays.
            #[tool(name = "pay", scope = "tool.money.pay", timeout_s = 5, $($effect)+)]
            pub(crate) async fn pay(ctx: &ToolContext, input: Payment) -> Result<String, ToolError> {
                pays(ctx, &input.to, input.amount, input.method)
            }
        }
    };
}

#[derive(Debug, Default)]
#[tool_input]
enum Speed {
    #[default]
    Normal,
    Fast,
}

version!(first(effect = "at_most_once"), [Cash]);
version!(defaulted(effect = "at_most_once"), [Cash], {
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
});
version!(enum_changed(effect = "at_most_once"), [Cash, Crypto]);
version!(no_cash(effect = "at_most_once"), []);
version!(required(effect = "at_most_once"), [Cash], {
    #[tool_input]
    pub(crate) struct Payment {
        to: String,
        amount: u32,
        #[serde(default)]
        method: Method,
        purpose: String,
    }
});
version!(keyed(effect = "keyed", vendor_window = "24h"), [Cash]);
