//! AI agent tool calls that happen once.
//!
//! Annotate a function with [`#[tool]`](macro@tool), put it into an [`Idem`], and let a model call it through a
//! [`Turn`]. A repeat of the same call, from a retry, a restart, a second worker or a model that proposes it once more
//! with a new id, gets the first answer and makes no second effect.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod agent;
mod backoff;
mod block_on;
#[cfg(feature = "http")]
pub mod boundary;
mod call;
mod call_error;
mod cards;
mod checkpoint;
#[cfg(feature = "cli")]
pub mod cli;
mod commit_ending;
mod commit_gate;
mod context;
mod decoded;
mod ending;
mod envelope;
mod error;
mod execute;
pub mod export;
mod fingerprint;
mod flights;
mod gate;
#[cfg(feature = "reqwest")]
pub mod http;
mod idem;
mod input;
#[cfg(test)]
mod key_tests;
mod look;
mod output;
#[cfg(feature = "planted-bugs")]
pub mod planted;
#[cfg(not(feature = "planted-bugs"))]
mod planted;
mod policy;
mod policy_check;
#[cfg(feature = "policy-file")]
pub mod policy_file;
mod ready_policy;
mod reconcile;
mod retry_plan;
mod rows;
mod runtime;
mod spec;
mod state;
mod store_ending;
mod store_type;
#[cfg(feature = "testing")]
pub mod testing;
mod tool;
mod tool_set;
mod transaction;
mod turn;
mod turn_error;

pub use block_on::block_on;
pub use call::{Answered, DecodeError, ProposedCall, Settled, ToolFailure, Waiting, codes};
pub use call_error::CallError;
pub use context::ToolContext;
pub use error::{ErrorClass, ToolError};
pub use idem::{Idem, IdemBuilder, LEASE_MARGIN};
/// The plane below the tools.
pub use idem_core as plane;
pub use idem_core::approval;
#[cfg(feature = "decimal")]
pub use idem_core::canonical::Decimal;
pub use idem_core::canonical::Patch;
#[cfg(feature = "url")]
pub use idem_core::canonical::Url;
pub use idem_core::identity::Intent;
pub use idem_core::json::Json;
pub use idem_core::{Date, DateTime, Time, Uuid};
pub use idem_core::{OrganizationId, OrganizationIdError, Principal};
#[doc = include_str!("docs/derive.md")]
pub use idem_macros::ToolInput;
#[doc = include_str!("docs/tool.md")]
pub use idem_macros::tool;
#[doc = include_str!("docs/tool_input.md")]
pub use idem_macros::tool_input;
#[doc = include_str!("docs/tool_output.md")]
pub use idem_macros::tool_output;
#[doc = include_str!("docs/tools.md")]
pub use idem_macros::tools;
pub use output::{OutputFacts, Resource};
pub use policy::{Asking, Checkpoint, Decision, Policy, PolicyError};
pub use policy_check::{KnownTool, Misfit};
#[cfg(feature = "policy-file")]
pub use policy_file::PolicyFile;
pub use ready_policy::{Ask, NeverAsks};
pub use reconcile::{RECONCILE_TIME_MAX, RECONCILE_TRIES_MAX, Reconciled};
pub use retry_plan::{RetryPlan, RetryPlanError};
pub use spec::{ApprovalRule, Effect, OnRepeat, TIMEOUT_S_MAX, ToolSpec};
pub use state::{State, StateNeed};
pub use store_type::{AnyStore, Postgres, Sqlite, StoreType, TransactionalStore};
pub use tool::{Tool, ToolInput, ToolOutput, Tools};
pub use tool_set::{SetupError, ToolDefinition};
pub use transaction::{Committed, Transaction};
pub use turn::{
    Actor, CALLS_A_RESPONSE_MAX, PARALLEL_CALLS_MAX, Run, TURN_REPLAY_MAX, Tenant, Turn,
};
pub use turn_error::TurnError;

/// The README's program compiles.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The program of the page on providers compiles and holds.
#[cfg(doctest)]
#[doc = include_str!("../../docs/providers.md")]
pub struct Providers;
/// The program of the page on schemas compiles and holds.
#[cfg(doctest)]
#[doc = include_str!("../../docs/schemas.md")]
pub struct Schemas;
/// The program of the page on agents runs.
#[cfg(doctest)]
#[doc = include_str!("../../docs/agents.md")]
pub struct Agents;
