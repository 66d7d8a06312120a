//! One call that a scripted model proposes, and how else it can be said.

use super::Resampling;
use crate::Json;
use std::fmt;
use std::sync::Arc;

/// One call that a [`ScriptedModel`](super::ScriptedModel) proposes: a tool, and its arguments as the model's text.
#[derive(Clone)]
pub struct Proposal {
    tool: String,
    arguments: Arguments,
    prose: Vec<String>,
}

#[derive(Clone)]
enum Arguments {
    Always(String),
    Sampled(Arc<dyn Fn(u32) -> String + Send + Sync>),
}

impl Proposal {
    /// A call whose arguments mean the same at each sampling.
    #[must_use]
    pub fn new(tool: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self::of(tool.into(), Arguments::Always(arguments.into()))
    }

    /// A call whose arguments are made anew at each sampling, by its number; 0 is the first. For what a real model does
    /// to a field such as the current time, or an id that it makes up.
    #[must_use]
    pub fn sampled(
        tool: impl Into<String>,
        arguments: impl Fn(u32) -> String + Send + Sync + 'static,
    ) -> Self {
        Self::of(tool.into(), Arguments::Sampled(Arc::new(arguments)))
    }

    fn of(tool: String, arguments: Arguments) -> Self {
        Self {
            tool,
            arguments,
            prose: Vec::new(),
        }
    }

    /// Names a text field of the arguments that a model words as it likes: [`Resampling::OtherProse`] words it anew.
    #[must_use]
    pub fn prose(mut self, field: impl Into<String>) -> Self {
        self.prose.push(field.into());
        self
    }

    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The arguments as they are said at one sampling.
    #[must_use]
    pub fn said(&self, sample: u32, ways: &[Resampling]) -> String {
        let text = match &self.arguments {
            Arguments::Always(text) => text.clone(),
            Arguments::Sampled(make) => make(sample),
        };
        if sample == 0 {
            return text;
        }
        let Ok(mut said) = text.parse::<Json>() else {
            // No JSON, on purpose: it stays what it is.
            return text;
        };
        if ways.contains(&Resampling::OtherProse) {
            for field in &self.prose {
                reword(&mut said, field, sample);
            }
        }
        if ways.contains(&Resampling::OtherSpelling) {
            spelled_otherwise(&said)
        } else {
            said.to_text()
        }
    }
}

fn reword(said: &mut Json, field: &str, sample: u32) {
    let Json::Object(members) = said else { return };
    if let Some(text) = members.get(field).and_then(Json::as_str) {
        let text = format!("{text} (in the words of sampling {sample})");
        members.insert(field, Json::from(text));
    }
}

/// The same object with its members the other way round and spaces between them.
fn spelled_otherwise(said: &Json) -> String {
    let Json::Object(members) = said else {
        return said.to_text();
    };
    let mut written: Vec<String> = members
        .iter()
        .map(|(name, value)| format!("{}: {}", Json::from(name).to_text(), value.to_text()))
        .collect();
    written.reverse();
    format!("{{ {} }}", written.join(", "))
}

impl fmt::Debug for Proposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proposal")
            .field("tool", &self.tool)
            .field("arguments", &self.said(0, &[]))
            .field("prose", &self.prose)
            .finish()
    }
}
