//! What a policy is shown of the tools when the parts are put together, so that a misspelt guard is found at start-up
//! and not by the call that it lets pass.

use crate::Effect;
use crate::tool_set::AnyTool;
use idem_core::json::Json;
use idem_core::json::ser::to_json;

/// Keywords of a schema beside which its `properties` are not the whole of it.
const OPEN_KEYWORDS: [&str; 6] = [
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "patternProperties",
    "unevaluatedProperties",
];

/// A registered tool, as [`Policy::check`](crate::Policy::check) sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownTool {
    /// The name that the model calls.
    pub name: String,
    /// What kind of effect it makes.
    pub scope: String,
    /// What it promises.
    pub effect: Effect,
    /// The names of its arguments; `None` where its input's schema does not name them all.
    pub arguments: Option<Vec<String>>,
}

/// A rule of a policy that says nothing about any registered tool, although it names one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("the policy's rule `{rule}` matches no call: {why}")]
pub struct Misfit {
    /// The rule.
    pub rule: String,
    /// The name that fits nothing.
    pub word: String,
    /// What it fits not, and what may have been meant.
    pub why: String,
}

impl Misfit {
    /// A rule, the word of it that fits nothing, and why.
    #[must_use]
    pub fn new(rule: impl Into<String>, word: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            rule: rule.into(),
            word: word.into(),
            why: why.into(),
        }
    }
}

impl KnownTool {
    pub(crate) fn of(tool: &dyn AnyTool) -> Self {
        Self {
            name: tool.spec().name().to_owned(),
            scope: tool.scope().as_str().to_owned(),
            effect: tool.spec().effect_class(),
            arguments: to_json(&tool.input_schema())
                .ok()
                .and_then(|schema| arguments(&schema)),
        }
    }
}

/// The names of all arguments; `None` where the schema leaves others open.
fn arguments(schema: &Json) -> Option<Vec<String>> {
    let is_object = schema.get("type").and_then(Json::as_str) == Some("object");
    let more = match schema.get("additionalProperties") {
        None | Some(Json::Bool(false)) => false,
        Some(_) => true,
    };
    let open = OPEN_KEYWORDS.iter().any(|word| schema.get(word).is_some());
    if !is_object || more || open {
        return None;
    }
    Some(match schema.get("properties") {
        Some(Json::Object(properties)) => {
            properties.iter().map(|(name, _)| name.to_owned()).collect()
        }
        _ => Vec::new(),
    })
}
