//! The tools at a vendor of this process, through Idem.

use std::collections::BTreeSet;
use std::sync::Arc;

use idem_tools::plane::volatile::VolatileStore;
use idem_tools::{Answered, Idem, OrganizationId, ProposedCall};
use uuid::Uuid;

use super::register;
use crate::client::Airline;
use crate::place::Places;
use crate::recording::{Conversation, parse};
use crate::vendor::{Terms, Vendor};

const CONVERSATION: &str = r#"{"id":"one","messages":[{"role":"user","content":"pay me back"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"send_certificate","arguments":"{\"user_id\":\"u\",\"amount\":50}"}}]},
{"role":"tool","content":"Certificate added"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"cancel_reservation","arguments":"{\"reservation_id\":\"S\"}"}}]},
{"role":"tool","content":"Error: no such reservation"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"get_user_details","arguments":"{\"user_id\":\"u\"}"}}]},
{"role":"tool","content":"before"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"get_user_details","arguments":"{\"user_id\":\"u\"}"}}]},
{"role":"tool","content":"after"}]}"#;

async fn call(idem: &Idem, tool: &str, arguments: &str) -> Answered {
    call_at(idem, 0, tool, arguments).await
}

async fn call_at(idem: &Idem, step: u32, tool: &str, arguments: &str) -> Answered {
    let organization = OrganizationId::new(Uuid::from_u128(5)).unwrap();
    let actor = idem.organization(organization).principal("agent").unwrap();
    let turn = actor.run("one").unwrap().turn(1).step(step);
    let settled = turn.call(ProposedCall::new("x", tool, arguments)).await;
    settled.unwrap().answer().unwrap()
}

async fn agent(conversations: &[Conversation]) -> Idem {
    let vendor = Vendor::bind(conversations, Terms::default()).await.unwrap();
    let base = format!("http://127.0.0.1:{}", vendor.port().unwrap());
    tokio::spawn(vendor.serve());
    let airline = Airline::new(base, Places::of(conversations).unwrap()).unwrap();
    let builder = Idem::with_store(Arc::new(VolatileStore::new())).await;
    register(builder.unwrap().state(airline)).build().unwrap()
}

#[tokio::test]
async fn a_call_gets_its_recorded_result_and_a_respelled_one_the_same() {
    let idem = agent(&[parse(CONVERSATION).unwrap()]).await;
    let first = call(&idem, "send_certificate", r#"{"user_id":"u","amount":50}"#).await;
    assert_eq!(first.decode::<String>().unwrap(), "Certificate added");
    let again = call(
        &idem,
        "send_certificate",
        r#"{"amount":50.00,"user_id":"u"}"#,
    )
    .await;
    assert_eq!(again.decode::<String>().unwrap(), "Certificate added");
    assert!(!first.replayed && again.replayed);
}

#[tokio::test]
async fn a_recorded_error_is_the_calls_answer_word_for_word() {
    let idem = agent(&[parse(CONVERSATION).unwrap()]).await;
    for replayed in [false, true] {
        let refused = call(&idem, "cancel_reservation", r#"{"reservation_id":"S"}"#).await;
        let failure = refused.failure().unwrap();
        assert_eq!(failure.code, "refused");
        assert_eq!(failure.message, "Error: no such reservation");
        assert_eq!(refused.replayed, replayed);
    }
}

#[tokio::test]
async fn a_look_up_of_a_later_step_gets_what_is_recorded_there() {
    let idem = agent(&[parse(CONVERSATION).unwrap()]).await;
    for (step, result) in [(2, "before"), (3, "after")] {
        let seen = call_at(&idem, step, "get_user_details", r#"{"user_id":"u"}"#).await;
        assert_eq!(seen.decode::<String>().unwrap(), result);
    }
}

/// What a schema says of an object: its arguments, and which of them are required.
fn arguments(schema: &serde_json::Value) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let required = schema["required"].as_array().into_iter().flatten();
    (
        properties.map(|(name, _)| name.as_str()).collect(),
        required.filter_map(serde_json::Value::as_str).collect(),
    )
}

/// Names and arguments as the model was given them, in a file beside the recordings.
#[tokio::test]
async fn the_tools_are_those_that_the_model_was_given() {
    let Some(data) = std::env::var_os("IDEM_AIRLINE_DATA") else {
        println!("skipped: IDEM_AIRLINE_DATA names no file of recorded conversations");
        return;
    };
    let file = std::path::PathBuf::from(data).with_file_name("airline_tools.json");
    let given: Vec<serde_json::Value> =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let tools = agent(&[]).await.definitions();
    assert_eq!(tools.len(), given.len());
    for (tool, given) in tools.iter().zip(&given) {
        let given = &given["function"];
        let schema = serde_json::from_str(&tool.input_schema.to_text()).unwrap();
        assert_eq!(given["name"], tool.name);
        assert_eq!(
            arguments(&given["parameters"]),
            arguments(&schema),
            "{}",
            tool.name
        );
    }
}
