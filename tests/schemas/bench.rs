//! The corpus at work: whether a tool takes arguments, and under which key.

use std::sync::Arc;

use idem_core::volatile::VolatileStore;
use idem_tools::export::ToolForm;
use idem_tools::{Answered, Idem, Json, OrganizationId, ProposedCall};
use jsonschema::Validator;
use serde_json::Value;
use uuid::Uuid;

use crate::corpus;

/// The agent, and a runtime to ask it in.
pub(crate) struct Bench {
    idem: Idem,
    runtime: tokio::runtime::Runtime,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let idem = runtime.block_on(async {
            let builder = Idem::with_store(Arc::new(VolatileStore::new()))
                .await
                .unwrap();
            corpus::register(builder).build().unwrap()
        });
        Self { idem, runtime }
    }

    pub(crate) fn call(&self, tool: &str, arguments: &str) -> Answered {
        let organization = OrganizationId::new(Uuid::from_u128(7)).unwrap();
        let turn = self
            .idem
            .organization(organization)
            .principal("ann")
            .unwrap();
        let turn = turn.run("one").unwrap().turn(1);
        let settled = self
            .runtime
            .block_on(turn.call(ProposedCall::new("c", tool, arguments)));
        settled.unwrap().answer().unwrap()
    }

    /// Why a tool does not take the arguments; `None` where it does.
    pub(crate) fn refusal(&self, tool: &str, arguments: &str) -> Option<String> {
        let answer = self.call(tool, arguments);
        let failure = answer.failure()?;
        assert_eq!(failure.code, "invalid_input", "{tool} {arguments}");
        Some(failure.message.clone())
    }

    /// The key under which a call is made.
    pub(crate) fn key(&self, tool: &str, arguments: &str) -> String {
        let answer = self.call(tool, arguments);
        assert!(
            answer.result.is_ok(),
            "{tool} {arguments}: {:?}",
            answer.failure()
        );
        answer.key.unwrap().to_string()
    }
}

/// The schemas of a form, by tool; those that it cannot express are left out.
pub(crate) fn schemas(form: ToolForm) -> Vec<(String, Value)> {
    let tools = corpus::catalogue().definitions().unwrap();
    let exported = tools
        .iter()
        .filter_map(|tool| Some((tool.name.clone(), tool.export(form).ok()?)));
    exported
        .map(|(name, tool)| (name, value(schema_of(form, &tool))))
        .collect()
}

/// The schema of one tool.
pub(crate) fn schema(form: ToolForm, tool: &str) -> Value {
    let mut all = schemas(form).into_iter();
    all.find(|(name, _)| name == tool)
        .expect("the form takes the tool")
        .1
}

fn schema_of(form: ToolForm, tool: &Json) -> &Json {
    let schema = match form {
        ToolForm::Anthropic => tool.get("input_schema"),
        ToolForm::Gemini => tool.get("parameters"),
        ToolForm::Mcp => tool.get("inputSchema"),
        _ => tool
            .get("function")
            .and_then(|function| function.get("parameters")),
    };
    schema.unwrap_or(&Json::Null)
}

pub(crate) fn value(json: &Json) -> Value {
    serde_json::from_str(&json.to_text()).unwrap()
}

/// A validator of the published draft: formats are remarks, as the draft has it.
pub(crate) fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).expect("a schema that the draft takes")
}
