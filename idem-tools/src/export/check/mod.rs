//! What each provider publishes about the schemas it takes, as code.
//!
//! It knows nothing of how a form is printed: it reads an exported tool as the provider would. Every export goes through
//! it, and whoever writes tools by hand can call it too. `docs/schemas.md` names the page behind each restriction.

mod anthropic;
mod gemini;
mod mcp;
mod openai;
mod walk;

use super::ToolForm;
use idem_core::json::Json;
use std::fmt;

/// A restriction of the provider that an exported tool breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Breach {
    /// Where in the exported tool, `$.function.parameters.properties.to`.
    pub path: String,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.what)
    }
}

/// Checks one exported tool against what the provider publishes. Nothing found is nothing wrong.
///
/// ```
/// use idem_tools::Json;
/// use idem_tools::export::{ToolForm, check};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tool: Json = r#"{"name": "send", "input_schema": {"type": "object", "anyOf": []}}"#.parse()?;
/// let found = check(ToolForm::Anthropic, &tool);
/// assert_eq!(found[0].to_string(), "$.input_schema: `anyOf` does not stand at the top level");
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn check(form: ToolForm, tool: &Json) -> Vec<Breach> {
    let mut found = Found::default();
    match form {
        ToolForm::OpenAi => openai::plain(tool, &mut found),
        ToolForm::OpenAiStrict => openai::strict(tool, &mut found),
        ToolForm::Anthropic => anthropic::tool(tool, &mut found),
        ToolForm::Gemini => gemini::tool(tool, &mut found),
        ToolForm::Mcp => mcp::tool(tool, &mut found),
    }
    found.breaches
}

#[derive(Default)]
struct Found {
    breaches: Vec<Breach>,
}

impl Found {
    fn add(&mut self, path: &str, what: impl Into<String>) {
        self.breaches.push(Breach {
            path: path.to_owned(),
            what: what.into(),
        });
    }

    /// A name of these signs, of at most so many.
    fn name(&mut self, path: &str, name: Option<&Json>, signs: &str, longest: usize) {
        let fits = |name: &str| {
            let sign = |sign: char| sign.is_ascii_alphanumeric() || signs.contains(sign);
            (1..=longest).contains(&name.len()) && name.chars().all(sign)
        };
        if !name.and_then(Json::as_str).is_some_and(fits) {
            self.add(
                path,
                format!("a name is 1 to {longest} of A-Z a-z 0-9 {signs}"),
            );
        }
    }

    /// A description, where there is one, is text.
    fn description(&mut self, path: &str, holder: &Json) {
        if holder
            .get("description")
            .is_some_and(|text| text.as_str().is_none())
        {
            self.add(&format!("{path}.description"), "a description is text");
        }
    }

    /// The schema of the arguments: of an object, and of nothing else.
    fn object(&mut self, path: &str, schema: Option<&Json>, not_at_the_top: &[&str]) {
        let schema = schema.unwrap_or(&Json::Null);
        if schema.get("type").and_then(Json::as_str) != Some("object") {
            self.add(path, "the type of the arguments is `object`");
        }
        for word in not_at_the_top {
            if schema.get(word).is_some() {
                self.add(path, format!("`{word}` does not stand at the top level"));
            }
        }
    }
}
