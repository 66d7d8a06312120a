//! A set of tools, to be told about.

use super::error::{ExportError, ToolFault};
use super::{ToolForm, print};
use crate::fingerprint::without_prose;
use crate::tool_set::{SetupError, ToolDefinition, ToolSet};
use crate::{Idem, Tool};
use idem_core::identity::digest_hex;
use idem_core::json::{Json, Map};

/// The first line of what a fingerprint is made of: another form of it is another fingerprint.
const FINGERPRINT: &str = "idem.tools.1";

/// A set of tools without a store, to be exported. The same tools give the same bytes, in whatever order they were added.
#[derive(Clone, Default)]
pub struct Catalogue {
    tools: ToolSet,
    fault: Option<SetupError>,
}

impl Catalogue {
    /// Without tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool by its function's name: `.tool::<send_email>()`. What [`Idem`] would refuse is told by the export.
    #[must_use]
    pub fn tool<T: Tool>(mut self) -> Self {
        if let Err(fault) = self.tools.add::<T>() {
            self.fault.get_or_insert(fault);
        }
        self
    }

    /// The tools by name, with the schema of each as its type wrote it.
    ///
    /// # Errors
    ///
    /// [`ExportError::Setup`]: no tool, two of one name, or a hand-written one that declares what is not accepted.
    pub fn definitions(&self) -> Result<Vec<ToolDefinition>, ExportError> {
        match &self.fault {
            Some(fault) => Err(fault.clone().into()),
            None if self.tools.is_empty() => Err(SetupError::NoTools.into()),
            None => Ok(self
                .tools
                .iter()
                .map(|tool| ToolDefinition::of(&**tool))
                .collect()),
        }
    }

    /// What stands under `tools` in a request to this provider, or in the list of an MCP server.
    ///
    /// # Errors
    ///
    /// [`ExportError`], with every tool that the form cannot express.
    pub fn export(&self, form: ToolForm) -> Result<Json, ExportError> {
        let (mut exported, mut faults): (Vec<Json>, Vec<ToolFault>) = (Vec::new(), Vec::new());
        for tool in self.definitions()? {
            match tool.export(form) {
                Ok(tool) => exported.push(tool),
                Err(ExportError::Tools { faults: more, .. }) => faults.extend(more),
                Err(error @ ExportError::Setup(_)) => return Err(error),
            }
        }
        if !faults.is_empty() {
            return Err(ExportError::Tools { form, faults });
        }
        let exported = Json::from(exported);
        Ok(match form {
            ToolForm::Gemini => {
                let mut declarations = Map::new();
                declarations.insert("functionDeclarations", exported);
                Json::from(vec![Json::Object(declarations)])
            }
            _ => exported,
        })
    }

    /// The export as a document: the same bytes for the same tools (R67).
    ///
    /// # Errors
    ///
    /// As [`export`](Self::export).
    pub fn document(&self, form: ToolForm) -> Result<String, ExportError> {
        self.export(form).map(|json| print::document(&json))
    }

    /// What tells two catalogues apart: SHA-256 in lower-case hex over the name, the effect class and the arguments of
    /// every tool. Descriptions and examples are not in it, and listed values, constants, defaults, bounds and types are.
    ///
    /// # Errors
    ///
    /// As [`export`](Self::export) for the plain form.
    pub fn fingerprint(&self) -> Result<String, ExportError> {
        let (mut tools, mut faults) = (Vec::new(), Vec::new());
        for tool in self.definitions()? {
            match tool.whole_schema() {
                Ok(schema) => {
                    let mut entry = Map::new();
                    entry.insert("name", Json::from(tool.name.as_str()));
                    entry.insert("effect", Json::from(tool.effect.word()));
                    entry.insert("input", without_prose(&Json::Object(schema)));
                    tools.push(Json::Object(entry));
                }
                Err(fault) => faults.push(fault),
            }
        }
        if !faults.is_empty() {
            let form = ToolForm::OpenAi;
            return Err(ExportError::Tools { form, faults });
        }
        let text = format!("{FINGERPRINT}\n{}", Json::from(tools).to_text());
        Ok(digest_hex(text.as_bytes()))
    }
}

impl Idem {
    /// The tools of this agent, to be exported.
    #[must_use]
    pub fn catalogue(&self) -> Catalogue {
        Catalogue {
            tools: self.core.tools.clone(),
            fault: None,
        }
    }
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Catalogue")
            .field(&self.tools.names())
            .finish()
    }
}
