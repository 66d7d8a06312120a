//! The airline example's tools, as each provider is told about them.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use crate::program::{everything, example, said};
use crate::proposals::near;

/// How many proposals each tool gets.
const PROPOSALS: usize = 300;

const FORMS: [&str; 5] = ["openai", "openai-strict", "anthropic", "gemini", "mcp"];

fn export(arguments: &[&dyn AsRef<OsStr>]) -> Command {
    let mut command = Command::new(example("airline"));
    command.args(["tools", "export"]);
    command.args(arguments.iter().map(|argument| argument.as_ref()));
    command
}

fn exported(form: &str) -> String {
    said(&mut export(&[&"--for", &form]))
}

fn ends(mut command: Command, code: i32) -> Output {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{}", everything(&output));
    output
}

/// R36, R67: every form takes all 14 tools, and the same tools have the same bytes.
#[test]
fn every_provider_is_told_about_every_tool() {
    for form in FORMS {
        let document = exported(form);
        assert_eq!(exported(form), document, "{form}");
        let tools: Value = serde_json::from_str(&document).unwrap();
        let tools = tools[0]
            .get("functionDeclarations")
            .unwrap_or(&tools)
            .clone();
        assert_eq!(tools.as_array().unwrap().len(), 14, "{form}");
    }
    let tools: Value = serde_json::from_str(&exported("mcp")).unwrap();
    for tool in tools.as_array().unwrap() {
        let reads = ["calculate", "get_", "list_", "search_", "think"];
        let name = tool["name"].as_str().unwrap();
        let reads = reads.iter().any(|word| name.starts_with(word));
        assert_eq!(tool["annotations"]["readOnlyHint"], reads, "{name}");
        assert_eq!(tool["annotations"]["destructiveHint"], !reads, "{name}");
        assert_eq!(tool["annotations"]["idempotentHint"], reads, "{name}");
    }
}

/// A file in version control is compared, and a difference says where it is and how to mend it.
#[test]
fn a_file_is_checked_and_a_wrong_line_has_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tools.json");
    std::fs::write(&file, exported("gemini")).unwrap();
    let check = |form: &str| export(&[&"--for", &form, &"--check", &file]);
    assert!(ends(check("gemini"), 0).stdout.is_empty());
    let differs = ends(check("anthropic"), 1);
    let told = everything(&differs);
    assert!(
        told.contains("line 3 differs. Write it anew with `export --for anthropic`"),
        "{told}"
    );
    std::fs::write(&file, exported("gemini") + "\n").unwrap();
    ends(check("gemini"), 1);
    let digest = said(&mut export(&[&"--fingerprint"]));
    assert!(
        digest.trim_end().len() == 64 && digest.ends_with('\n'),
        "{digest}"
    );
    std::fs::write(&file, &digest).unwrap();
    ends(export(&[&"--fingerprint", &"--check", &file]), 0);
    ends(
        export(&[&"--fingerprint", &"--check", &Path::new("/nowhere/at/all")]),
        2,
    );
    for wrong in [
        &["--for", "gemni"][..],
        &[],
        &["--for", "mcp", "--fingerprint"],
    ] {
        let wrong: Vec<&dyn AsRef<OsStr>> =
            wrong.iter().map(|word| word as &dyn AsRef<OsStr>).collect();
        ends(export(&wrong), 2);
    }
    let help = everything(&ends(export(&[&"--help"]), 0));
    assert!(
        help.contains("Example:") && help.contains("openai-strict"),
        "{help}"
    );
}

/// Proposals to each tool, the same in every run: a tool, its arguments, and whether its schema takes them.
fn proposals() -> Vec<(String, Value, bool)> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let tools: Vec<Value> = serde_json::from_str(&exported("openai")).unwrap();
    let mut all = Vec::new();
    for tool in &tools {
        let (name, schema) = (&tool["function"]["name"], &tool["function"]["parameters"]);
        let validator = jsonschema::draft202012::new(schema).unwrap();
        let values = near(schema, 3);
        for _ in 0..PROPOSALS {
            let value = values.new_tree(&mut runner).unwrap().current();
            let described = validator.is_valid(&value);
            all.push((name.as_str().unwrap().to_owned(), value, described));
        }
    }
    all
}

/// What an airline tool takes, its plain schema takes; where the schema takes more, a date or a number is out of range.
#[test]
fn what_an_airline_tool_takes_its_schema_takes() {
    let proposals = proposals();
    let calls = proposals
        .iter()
        .enumerate()
        .map(|(at, (tool, arguments, _))| {
            let function = json!({ "name": tool, "arguments": arguments.to_string() });
            json!({ "id": at.to_string(), "type": "function", "function": function })
        });
    let mut messages = vec![
        json!({ "role": "user", "content": "please" }),
        json!({ "role": "assistant", "content": null, "tool_calls": calls.collect::<Vec<_>>() }),
    ];
    for at in 0..proposals.len() {
        messages.push(json!({ "role": "tool", "tool_call_id": at.to_string(), "content": "done" }));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proposals.jsonl");
    std::fs::write(
        &path,
        json!({ "id": "all", "messages": messages }).to_string(),
    )
    .unwrap();
    let mut decode = Command::new(example("airline"));
    let report: Value =
        serde_json::from_str(&said(decode.arg("decode").arg(&path).arg("--json"))).unwrap();
    let mut reasons = vec![None; proposals.len()];
    for refused in report["refused"].as_array().unwrap() {
        let at: usize = refused["call"].as_str().unwrap().parse().unwrap();
        reasons[at] = refused["reason"].as_str();
    }
    assert!(
        report["decoded"].as_u64().unwrap() > 1_000
            && report["refused"].as_array().unwrap().len() > 500
    );
    for ((tool, arguments, described), reason) in proposals.iter().zip(reasons) {
        match reason {
            None => assert!(
                described,
                "{tool} takes {arguments}, and its schema does not"
            ),
            Some(reason) if *described => {
                let listed = [
                    "expected a date",
                    "expected u32",
                    "an amount of at most 28 digits",
                ];
                assert!(
                    listed.iter().any(|class| reason.contains(class)),
                    "{tool} {arguments}: {reason}"
                );
            }
            Some(_) => {}
        }
    }
}
