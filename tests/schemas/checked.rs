//! A tool against its own schema.

use std::collections::BTreeMap;

use idem_tools::export::ToolForm;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::bench::{Bench, schemas, validator};
use crate::classes::{class_of, named};
use crate::proposals::near;

/// How many proposals each tool gets.
const PROPOSALS: usize = 600;

/// How often one is to be taken, at least: a generator of nonsense would prove nothing.
const TAKEN_MIN: usize = PROPOSALS / 10;

/// Values drawn from a schema, the same in every run.
fn drawn(schema: &Value, odds: u32) -> Vec<Value> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let values = near(schema, odds);
    (0..PROPOSALS)
        .map(|_| values.new_tree(&mut runner).expect("a value").current())
        .collect()
}

/// What a tool takes, its plain schema takes; where the schema takes more, the reason is one of the listed.
#[test]
fn what_a_tool_takes_its_plain_schema_takes() {
    let bench = Bench::new();
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut both_refuse = 0;
    for (tool, schema) in schemas(ToolForm::OpenAi) {
        let validator = validator(&schema);
        let mut taken = 0;
        for arguments in drawn(&schema, 3) {
            let text = arguments.to_string();
            let described = validator.is_valid(&arguments);
            match bench.refusal(&tool, &text) {
                None if described => taken += 1,
                None => wrong.push(format!("{tool} takes {text}, and its schema does not")),
                Some(_) if !described => both_refuse += 1,
                Some(refusal) => match class_of(&refusal) {
                    Some(class) => *found.entry(class).or_default() += 1,
                    None => wrong.push(format!(
                        "{tool}: {text} is refused in no listed class: {refusal}"
                    )),
                },
            }
        }
        assert!(taken >= TAKEN_MIN, "{tool} takes {taken} of {PROPOSALS}");
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        both_refuse > 1_000,
        "only {both_refuse} proposals were wrong for both"
    );
    let seen: Vec<_> = found.keys().copied().collect();
    assert_eq!(seen, named(), "every listed class is met: {found:?}");
}

/// What OpenAI lets a strict model write, the tool takes, but for the listed classes.
#[test]
fn what_the_strict_form_lets_a_model_write_the_tool_takes() {
    let bench = Bench::new();
    let mut wrong = Vec::new();
    for (tool, schema) in schemas(ToolForm::OpenAiStrict) {
        let validator = validator(&schema);
        for arguments in drawn(&schema, 0) {
            assert!(validator.is_valid(&arguments), "{tool}: {arguments}");
            let text = arguments.to_string();
            if let Some(refusal) = bench.refusal(&tool, &text) {
                // The strict subset has no words for the length of a text.
                let is_length = refusal.contains("characters, and at")
                    || refusal.contains("expected a character");
                if !is_length && class_of(&refusal).is_none() {
                    wrong.push(format!("{tool}: {text} is refused: {refusal}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// R67: which tools each form can express is no accident. The others are refused, with a way out.
#[test]
fn the_forms_take_these_tools_and_refuse_those() {
    let all = schemas(ToolForm::OpenAi).len();
    assert_eq!(all, 25);
    for form in [ToolForm::Anthropic, ToolForm::Mcp] {
        assert_eq!(schemas(form).len(), all, "{form}");
    }
    let refused = |form| {
        let taken: Vec<_> = schemas(form).into_iter().map(|(name, _)| name).collect();
        let tools = schemas(ToolForm::OpenAi).into_iter().map(|(name, _)| name);
        tools
            .filter(|name| !taken.contains(name))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        refused(ToolForm::OpenAiStrict),
        [
            "deep",
            "defaults",
            "free_form",
            "maps",
            "not_zero",
            "patched",
            "places",
            "tagged"
        ]
    );
    assert_eq!(
        refused(ToolForm::Gemini),
        ["deep", "free_form", "maps", "not_zero", "tree", "waits"]
    );
}
