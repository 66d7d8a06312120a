//! Decodes arguments into the tool's typed input, and takes its canonical forms (R21, R37).

use crate::ToolInput;
use crate::ToolSpec;
use crate::call::{Arguments, ToolFailure, codes};
use idem_core::canonical::{CanonicalError, FieldPath, Form, identity_of, shown, text_of};
use idem_core::identity::Intent;
use idem_core::json::de::Deserializer;
use idem_core::json::{Json, Limits, Map};

/// The forms of one decoded input.
pub(crate) struct Forms {
    /// What the key is made of.
    pub(crate) identity: String,
    /// What the request hash is made of.
    pub(crate) content: String,
    /// What a person is shown, defaults included.
    pub(crate) shown: String,
    /// Where the input may hold prose, which is in neither of the first two.
    pub(crate) prose: Vec<FieldPath>,
    /// What the call is meant to do, where an argument says it.
    pub(crate) intent: Option<Intent>,
}

/// The arguments as exact JSON. Models send nothing, blanks or `null` for a tool without arguments.
pub(crate) fn parse(arguments: &Arguments) -> Result<Json, ToolFailure> {
    let text = match arguments {
        // Read once more, so that the limits hold for them too.
        Arguments::Json(json) => &json.to_text(),
        Arguments::Text(text) => text,
    };
    if matches!(text.trim(), "" | "null") {
        return Ok(Json::Object(Map::new()));
    }
    Json::parse(text, Limits::ARGUMENTS).map_err(|error| invalid(&error.to_string()))
}

/// Decodes the arguments. Whatever the type does not know is refused with its path.
pub(crate) fn decode<T: ToolInput>(
    json: &Json,
    spec: &ToolSpec,
) -> Result<(T, Forms), ToolFailure> {
    if !matches!(json, Json::Object(_)) {
        let kind = match json {
            Json::String(_) => {
                "a string: pass the arguments themselves, not text that holds them once more"
            }
            Json::Array(_) => "an array",
            _ => "a single value",
        };
        return Err(invalid(&format!(
            "$: expected an object with the tool's arguments, and got {kind}"
        )));
    }
    let mut unknown = None;
    let mut note = |path: serde_ignored::Path<'_>| {
        let _ = unknown.get_or_insert_with(|| path.to_string());
    };
    let mut input: T = serde_ignored::deserialize(Deserializer::new(json), &mut note)
        .map_err(|error: idem_core::json::de::DeError| invalid(&error.to_string()))?;
    if let Some(path) = unknown {
        return Err(invalid(&format!(
            "$.{path}: the tool takes no such argument"
        )));
    }
    let refused = |error: CanonicalError| invalid(&error.to_string());
    // First of all: the function, the key and the person who is asked see one value (R23).
    input.normalize().map_err(refused)?;
    let shown = shown(&input).map_err(refused)?;
    let forms = Forms {
        identity: identity_of(&input, spec.key_paths()).map_err(refused)?,
        content: text_of(&input, Form::Hash).map_err(refused)?,
        intent: intent(&shown.text, spec)?,
        shown: shown.text,
        prose: shown.prose,
    };
    Ok((input, forms))
}

/// The intent that the arguments name, in the field that the tool says. Nothing and `null` name none.
fn intent(shown: &str, spec: &ToolSpec) -> Result<Option<Intent>, ToolFailure> {
    let Some(field) = spec.intent_field() else {
        return Ok(None);
    };
    let shown = Json::parse(shown, Limits::ANSWER).map_err(|error| invalid(&error.to_string()))?;
    let text = shown.get(field).and_then(Json::as_str);
    let intent = text.map(Intent::new).transpose();
    intent.map_err(|error| invalid(&format!("$.{field}: {error}")))
}

/// The answer to arguments that the tool does not take.
pub(crate) fn invalid(what: &str) -> ToolFailure {
    ToolFailure::final_answer(
        codes::INVALID_INPUT,
        format!("{what}; nothing was done. Correct the arguments and call again"),
    )
}
