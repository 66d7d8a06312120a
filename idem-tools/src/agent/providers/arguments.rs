//! A call's arguments, as text or as a value: kept as they came, and written as each form takes them.

use crate::call::Arguments;
use idem_core::json::{Json, Limits, Map};

/// What stands for arguments that no form's object can hold. The runtime refused them already, and the model is shown what
/// it wrote.
const UNREADABLE: &str = "unreadable_arguments";

/// Whatever stands there. Nothing, blanks and `null` are arguments of a tool that takes none; the runtime reads them so.
pub(in crate::agent) fn read(value: Option<&Json>) -> Arguments {
    match value {
        None => Arguments::Text(String::new()),
        Some(Json::String(text)) => Arguments::Text(text.clone()),
        Some(json) => Arguments::Json(json.clone()),
    }
}

/// The text: the model's own, where it wrote text. What means no arguments is written as an empty object, because some
/// servers decode the history they are given.
pub(in crate::agent) fn text(arguments: &Arguments) -> String {
    match arguments {
        Arguments::Text(text) if is_nothing(text) => "{}".to_owned(),
        Arguments::Text(text) => text.clone(),
        Arguments::Json(Json::Null) => "{}".to_owned(),
        Arguments::Json(json) => json.to_text(),
    }
}

/// The object that Anthropic and Gemini take and nothing else.
pub(in crate::agent) fn object(arguments: &Arguments) -> Json {
    let json = match arguments {
        Arguments::Text(text) if is_nothing(text) => Json::Null,
        Arguments::Text(text) => {
            let wrong = |_| Json::from(text.as_str());
            Json::parse(text, Limits::ARGUMENTS).unwrap_or_else(wrong)
        }
        Arguments::Json(json) => json.clone(),
    };
    match json {
        Json::Null => Json::Object(Map::new()),
        Json::Object(_) => json,
        other => {
            let mut object = Map::new();
            object.insert(UNREADABLE, other);
            Json::Object(object)
        }
    }
}

fn is_nothing(text: &str) -> bool {
    matches!(text.trim(), "" | "null")
}
