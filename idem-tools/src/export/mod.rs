//! Tools as each provider is told about them: one typed source, five forms (R36, R67).
//!
//! A [`Catalogue`] is a set of tools without a store. It is exported for OpenAI (plain and strict), Anthropic, Gemini and
//! MCP; each export is checked against what the provider publishes, has the same bytes for the same tools, and a tool that
//! a form cannot express is refused by name, with the place and what to write instead. What each form says and leaves
//! unsaid is in `docs/schemas.md`.
//!
//! ```
//! use idem_tools::export::{Catalogue, ToolForm};
//! use idem_tools::{ToolContext, ToolError, tool, tool_input};
//!
//! #[tool_input]
//! struct SendEmail { to: String, note: Option<String> }
//!
//! /// Send an e-mail.
//! #[tool(scope = "tool.email.send", timeout_s = 60)]
//! async fn send_email(_ctx: &ToolContext, input: SendEmail) -> Result<String, ToolError> { Ok(input.to) }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let tools = Catalogue::new().tool::<send_email>();
//! let exported = tools.export(ToolForm::OpenAiStrict)?; // what stands under `tools` in a request
//! let function = exported.as_array().and_then(|tools| tools.first()).and_then(|tool| tool.get("function"));
//! let schema = function.and_then(|function| function.get("parameters")).expect("a function has parameters");
//! assert_eq!(schema.get("required").expect("listed").to_text(), r#"["note","to"]"#);
//! println!("{}", tools.fingerprint()?);
//! # Ok(())
//! # }
//! ```

mod annotations;
mod bounds;
mod catalogue;
mod check;
mod error;
mod gemini;
mod kinds;
mod lenience;
mod plain;
mod print;
mod read;
mod references;
mod source;
mod strict;
#[cfg(test)]
mod tests;
mod told;
mod words;

pub use catalogue::Catalogue;
pub use check::{Breach, check};
pub use error::{ExportError, ToolFault};
pub(crate) use lenience::Lenience;

use crate::ToolDefinition;
use idem_core::json::{Json, Map};
use std::fmt;

/// Whom tools are exported for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ToolForm {
    /// OpenAI's function tools, and those of all who speak like them.
    OpenAi,
    /// The same with `strict`: OpenAI holds the model to the schema. What it cannot hold is refused.
    OpenAiStrict,
    /// Anthropic's tools.
    Anthropic,
    /// Gemini's function declarations.
    Gemini,
    /// The tools that an MCP server lists, with the hints that follow from the effect class.
    Mcp,
}

impl ToolForm {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::OpenAi,
        Self::OpenAiStrict,
        Self::Anthropic,
        Self::Gemini,
        Self::Mcp,
    ];

    /// Its word on a command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiStrict => "openai-strict",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Mcp => "mcp",
        }
    }
}

impl fmt::Display for ToolForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl ToolDefinition {
    /// The tool in this form.
    ///
    /// # Errors
    ///
    /// [`ExportError::Tools`] where the form cannot express the tool, with every reason.
    pub fn export(&self, form: ToolForm) -> Result<Json, ExportError> {
        let exported = self.written(form).map_err(|fault| vec![fault]);
        let exported = exported.and_then(|json| {
            let breaches = check(form, &json).into_iter();
            let faults: Vec<_> = breaches
                .map(|breach| ToolFault::of_breach(&self.name, breach))
                .collect();
            if faults.is_empty() {
                Ok(json)
            } else {
                Err(faults)
            }
        });
        exported.map_err(|faults| ExportError::Tools { form, faults })
    }

    /// The arguments as JSON Schema 2020-12, the plain form.
    ///
    /// # Errors
    ///
    /// [`ToolFault`] where the schema of a hand-written type cannot be followed.
    #[cfg(feature = "rig")]
    pub(crate) fn plain_schema(&self) -> Result<Map, ToolFault> {
        let source = read::source(&self.input_schema);
        let source = source.map_err(|fault| ToolFault::new(&self.name, fault))?;
        Ok(plain::schema(&source))
    }

    /// The arguments with every word of their types, for what tells two sets of tools apart.
    fn whole_schema(&self) -> Result<Map, ToolFault> {
        let source = read::source(&self.input_schema);
        let source = source.map_err(|fault| ToolFault::new(&self.name, fault))?;
        Ok(plain::whole(&source))
    }

    fn written(&self, form: ToolForm) -> Result<Json, ToolFault> {
        let refused = |fault| ToolFault::new(&self.name, fault);
        let source = read::source(&self.input_schema).map_err(refused)?;
        let mut tool = Map::new();
        tool.insert("name", Json::from(self.name.as_str()));
        tool.insert("description", Json::from(self.description.as_str()));
        let plain = || Json::Object(plain::schema(&source));
        match form {
            ToolForm::OpenAi => {
                tool.insert("parameters", plain());
                return Ok(function(tool));
            }
            ToolForm::OpenAiStrict => {
                let schema = strict::schema(&source).map_err(refused)?;
                tool.insert("parameters", Json::Object(schema));
                tool.insert("strict", Json::Bool(true));
                return Ok(function(tool));
            }
            ToolForm::Anthropic => {
                tool.insert("input_schema", plain());
            }
            ToolForm::Gemini => {
                if let Some(schema) = gemini::schema(&source).map_err(refused)? {
                    tool.insert("parameters", Json::Object(schema));
                }
            }
            ToolForm::Mcp => {
                tool.insert("inputSchema", plain());
                tool.insert("annotations", annotations::of(self.effect));
            }
        }
        Ok(Json::Object(tool))
    }
}

fn function(tool: Map) -> Json {
    let mut outer = Map::new();
    outer.insert("type", Json::from("function"));
    outer.insert("function", Json::Object(tool));
    Json::Object(outer)
}
