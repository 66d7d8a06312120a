//! The agent harness: a model, tools and a policy make runs that wait for days, replay, and repeat no effect.

mod asking;
mod calls;
mod conversation;
mod driver;
mod error;
mod events;
mod harness;
mod journal;
mod limits;
mod model;
mod news;
mod orchestrator;
mod outcome;
mod owned;
mod proposal;
pub mod providers;
mod replayed;
#[cfg(feature = "rig")]
pub mod rig;
mod segment;
mod step;
#[cfg(test)]
mod step_tests;
mod steps;
mod turns;

pub use conversation::TracedStep;
pub use driver::{Driver, POLL_MAX};
pub use error::HarnessError;
pub use events::{Happened, RunEvent};
pub use harness::{AgentBuilder, AgentHarness};
pub use idem_core::identity::{MessageId, RunId};
pub use idem_core::runs::{
    Admitted, MessageKind, NewMessage, NewRun, OnMessage, Posted, RUN_DURATION_MAX, RunError,
    RunRecord, RunStatus, StartKey,
};
pub use limits::{Retries, RunLimits};
pub use model::{CallAnswer, Message, Model, ModelError, ModelResponse, Prompt, Usage};
pub use news::tell_settled;
pub use orchestrator::{Orchestrator, SegmentStep, StepReport};
pub use outcome::SegmentOutcome;
