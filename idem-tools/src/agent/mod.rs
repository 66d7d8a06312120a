//! The agent harness: a model, tools and a policy make runs that wait for days, replay, and repeat no effect.

mod model;
pub mod providers;
#[cfg(feature = "rig")]
pub mod rig;

pub use model::{CallAnswer, Message, Model, ModelError, ModelResponse, Prompt, Usage};
