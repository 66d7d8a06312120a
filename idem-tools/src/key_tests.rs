//! The keys of calls are those of the golden vectors, kind by kind (R20, R26).

use crate::call::ToolFailure;
use crate::context::{Caller, Said};
use crate::fingerprint::Fingerprint;
use crate::input::Forms;
use crate::tool_set::{AnyTool, Prepared, SetupError};
use crate::{Effect, OnRepeat, ToolSpec};
use idem_core::canonical::{Form, text_of};
use idem_core::identity::{Intent, LogicalTurn, MessageId, RunId, ToolName};
use idem_core::json::{Json, Limits};
use idem_core::{OrganizationId, Principal, Scope, Store};
use std::num::NonZeroU32;

const VECTORS: &str = include_str!("../../idem-core/vectors/vectors.json");

/// A tool that is only asked for its facts.
struct Named {
    name: ToolName,
    scope: Scope,
    spec: ToolSpec,
    fingerprint: Fingerprint,
}

impl AnyTool for Named {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn name(&self) -> &ToolName {
        &self.name
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }

    fn prepare(&self, _: &Json) -> Result<Prepared, ToolFailure> {
        Err(ToolFailure::final_answer("never", "it is not prepared"))
    }

    fn input_schema(&self) -> schemars::Schema {
        schemars::Schema::default()
    }

    fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    fn state(&self) -> &'static [crate::StateNeed] {
        &[]
    }

    fn check_store(&self, _: &dyn Store) -> Result<(), SetupError> {
        Ok(())
    }
}

fn tool(vector: &Json, spec: ToolSpec) -> Named {
    let name = text(vector, "tool");
    Named {
        name: ToolName::new(name).unwrap(),
        scope: Scope::new(spec.scope()).unwrap(),
        fingerprint: Fingerprint::of(name, spec.effect_class(), &schemars::Schema::default()),
        spec,
    }
}

fn text<'v>(vector: &'v Json, name: &str) -> &'v str {
    vector.get(name).and_then(Json::as_str).unwrap()
}

fn number(vector: &Json, name: &str) -> Option<u32> {
    let number = vector.get(name).and_then(Json::as_u64)?;
    Some(u32::try_from(number).unwrap())
}

fn caller(vector: &Json) -> Caller {
    let run = vector
        .get("run")
        .and_then(Json::as_str)
        .unwrap_or("another");
    let run = RunId::new(run).unwrap();
    let turn = match vector.get("messages").and_then(Json::as_array) {
        None => LogicalTurn::numbered(&run, number(vector, "number").unwrap()),
        Some(ids) => {
            let ids = ids.iter().map(|id| MessageId::new(id.as_str().unwrap()));
            let ids: Result<Vec<_>, _> = ids.collect();
            LogicalTurn::of_messages(&ids.unwrap()).unwrap()
        }
    };
    Caller {
        organization: OrganizationId::random(),
        principal: Principal::new("ann").unwrap(),
        run,
        turn,
        step: number(vector, "step").unwrap_or_default(),
    }
}

fn forms(vector: &Json, intent: Option<Intent>) -> Forms {
    let arguments = Json::parse(text(vector, "arguments"), Limits::ARGUMENTS).unwrap();
    let written = |form| text_of(&arguments, form).unwrap();
    Forms {
        identity: written(Form::Key),
        content: written(Form::Hash),
        shown: written(Form::Shown),
        prose: Vec::new(),
        intent,
    }
}

/// The key of the vector's call by a tool of these facts, whose arguments or whose harness say this.
fn key(vector: &Json, spec: ToolSpec, (argument, harness): (Option<&str>, Option<&str>)) -> String {
    let intent = |text: &str| Intent::new(text).unwrap();
    let said = Said {
        ordinal: number(vector, "ordinal").map_or(NonZeroU32::MIN, |n| NonZeroU32::new(n).unwrap()),
        intent: harness.map(intent),
    };
    let forms = forms(vector, argument.map(intent));
    let key = caller(vector).key_of(&tool(vector, spec), &forms, &said);
    key.to_string()
}

#[test]
fn every_call_has_the_key_of_its_vector() {
    let spec = ToolSpec::new("named", "tool.test.named", 30);
    let counting = spec.on_repeat(OnRepeat::Count);
    let mut checked = 0;
    let vectors = Json::parse(VECTORS, Limits::ANSWER).unwrap();
    for vector in vectors.get("keys").and_then(Json::as_array).unwrap() {
        let expected = text(vector, "key");
        let keys = match text(vector, "kind") {
            // A tool that counts gives its first call the key that it had before it counted.
            "turn" => vec![
                key(vector, spec, (None, None)),
                key(vector, counting, (None, None)),
            ],
            "read" => vec![key(
                vector,
                spec.effect(Effect::Read),
                (None, Some("no use")),
            )],
            "count" => vec![key(vector, counting, (None, None))],
            "intent" => {
                let intent = Some(text(vector, "intent"));
                vec![
                    key(vector, spec, (intent, None)),
                    key(vector, counting, (Some("the model's"), intent)),
                ]
            }
            _ => continue,
        };
        for key in keys {
            assert_eq!(key, expected);
            checked += 1;
        }
    }
    assert!(checked >= 8, "the vectors hold every kind: {checked}");
}

/// Only a tool that says so counts: the place of an equal call is nothing to any other.
#[test]
fn a_tool_that_merges_gives_equal_calls_one_key() {
    let spec = ToolSpec::new("named", "tool.test.named", 30);
    let vector = r#"{"tool":"named","run":"run-1","number":1,"arguments":"{}"}"#;
    let first = Json::parse(vector, Limits::ANSWER).unwrap();
    let second = vector.replace("{\"tool\"", "{\"ordinal\":2,\"tool\"");
    let second = Json::parse(&second, Limits::ANSWER).unwrap();
    let [merged, counted] = [spec, spec.on_repeat(OnRepeat::Count)]
        .map(|spec| [&first, &second].map(|vector| key(vector, spec, (None, None))));
    assert_eq!(merged[0], merged[1]);
    assert_ne!(counted[0], counted[1]);
    assert_eq!(counted[0], merged[0]);
}
