//! What is known of a tool's answer beside how it is written: whether its text reads back as its type, and which resource
//! it names. The macro asks the type itself, in a constant; a hand-written tool may do the same.

use crate::ToolOutput;
use crate::envelope::{self, Encoded};
use crate::error::shorten;
use idem_core::json::de::{DeError, from_json};
use idem_core::json::ser::to_json_within;
use idem_core::json::{Json, Limits};
use serde::de::DeserializeOwned;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A thing that an answer is, or names: kept beside the answer in the journal, where a person finds it by `idem show`.
///
/// [`#[tool_output(resource = "crm.company", id = number)]`](macro@crate::tool_output) writes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no resource",
    note = "write `#[tool_output(resource = \"crm.company\", id = number)]` on the type"
)]
pub trait Resource {
    /// What kind of thing it is, `crm.company`: 1 to 256 bytes without control characters.
    const TYPE: &'static str;

    /// Which one it is: 1 to 256 bytes without control characters. Of any other text nothing is kept, and the answer
    /// stands.
    fn resource_id(&self) -> String;
}

/// Reads a stored answer as the type that wrote it.
pub(crate) type ReadBack = fn(&Json) -> Result<(), DeError>;

/// Says which resource an answer names.
pub(crate) type NameResource = fn(&dyn Any) -> Option<(&'static str, String)>;

/// What is known of an answer's type.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputFacts {
    read_back: Option<ReadBack>,
    resource: Option<NameResource>,
}

impl OutputFacts {
    /// Nothing is known: what was written is stored.
    pub const UNKNOWN: Self = Self::new(None, None);

    /// What the type was asked.
    #[must_use]
    pub const fn new(read_back: Option<ReadBack>, resource: Option<NameResource>) -> Self {
        Self {
            read_back,
            resource,
        }
    }
}

/// Reads a value as a `T`; the macro names it where the type can be read.
///
/// # Errors
///
/// The value does not read back.
pub(crate) fn read_back<T: DeserializeOwned>(value: &Json) -> Result<(), DeError> {
    from_json::<T>(value).map(drop)
}

/// Names the resource of a `T`; the macro names it where the type has one.
pub(crate) fn resource_of<T: Resource + 'static>(
    answer: &dyn Any,
) -> Option<(&'static str, String)> {
    let answer = answer.downcast_ref::<T>()?;
    Some((T::TYPE, answer.resource_id()))
}

/// An answer as it is stored. One that cannot be written, or that its own type could not read back, is found here and not
/// at the replay: the first caller and every later one are told that it was done and that its answer was not stored (R17).
pub(crate) fn encode<T: ToolOutput>(answer: &T, facts: OutputFacts, limits: Limits) -> Encoded {
    let value = match to_json_within(answer, limits) {
        Ok(value) => value,
        Err(error) => return envelope::not_stored(&shorten(&error.to_string()), None),
    };
    if let Err(why) = check(&value, facts) {
        let reason = format!(
            "it does not read back as the type that wrote it: {}",
            shorten(&why)
        );
        return envelope::not_stored(&reason, Some(&value.to_text()));
    }
    let encoded = envelope::success(value);
    match facts.resource.and_then(|name| named(name, answer)) {
        Some(resource) => encoded.naming(resource),
        None => encoded,
    }
}

fn check(value: &Json, facts: OutputFacts) -> Result<(), String> {
    let Some(read) = facts.read_back else {
        return Ok(());
    };
    // The user's own code, after the effect: its panic says only that the value does not read back.
    let read = catch_unwind(AssertUnwindSafe(|| read(value)));
    let read = read.map_err(|_| "its `Deserialize` panicked".to_owned())?;
    read.map_err(|error| error.to_string())
}

fn named(name: NameResource, answer: &dyn Any) -> Option<idem_core::Resource> {
    let name = catch_unwind(AssertUnwindSafe(|| name(answer)))
        .ok()
        .flatten();
    let Some((kind, id)) = name else {
        tracing::warn!("an answer could not name its resource; it is stored without");
        return None;
    };
    let resource = idem_core::Resource::new(kind, id);
    let warn = |error: &idem_core::AnswerError| {
        tracing::warn!(%error, kind, "an answer is stored without its resource");
    };
    resource.inspect_err(warn).ok()
}
