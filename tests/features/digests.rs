//! What the plane is given for the same calls, whatever the JSON library of the build is like (R21, R22;
//! C05). The tests and a program that turns that library's switches on both include this file.

use std::sync::Arc;

use idem_core::volatile::VolatileStore;
use idem_core::{ClaimKey, IdempotencyRepository, OrganizationId, Scope};
use idem_tools::{Idem, Json, ProposedCall, Settled, ToolContext, ToolError, tool, tool_input};
use uuid::Uuid;

/// The same arguments in every order of their keys and with other spellings of equal numbers.
const SPELLINGS: [&str; 6] = [
    r#"{"b":1,"a":{"d":2,"c":3},"free":{"y":1,"x":[0.1,100000000000000000000]},"amounts":[1,0.1,-0.0,1e20]}"#,
    r#"{"a":{"d":2,"c":3},"b":1,"free":{"y":1,"x":[0.1,100000000000000000000]},"amounts":[1,0.1,-0.0,1e20]}"#,
    r#"{"a":{"c":3,"d":2},"amounts":[1.0,0.10,0,1e20],"b":1,"free":{"x":[0.10,1e20],"y":1.0}}"#,
    r#"{"amounts":[1e0,1e-1,0,100000000000000000000],"b":1e0,"free":{"x":[1e-1,1E+20],"y":1e0},"a":{"c":3,"d":2}}"#,
    r#"{"b":1.0,"free":{"y":1,"x":[0.1,100000000000000000000.0]},"a":{"c":3.0,"d":2},"amounts":[1,0.1,0,1e20]}"#,
    r#"{ "free" : { "x" : [ 0.1, 100000000000000000000 ], "y" : 1 }, "b" : 1, "amounts" : [1,0.1,0,1e20], "a" : { "d" : 2, "c" : 3 } }"#,
];

/// What the tool answers, in an order that a sorted map does not have.
const ANSWER: &str = r#"{"z":1,"a":{"d":2.5,"c":[true,null,"x"]},"m":-3}"#;

#[tool_input]
struct Inner {
    c: i64,
    d: i64,
}

#[tool_input]
struct Arguments {
    a: Inner,
    b: u32,
    free: Json,
    amounts: Vec<f64>,
}

/// Answers with a value of the JSON library, which its switches change inside.
#[tool(scope = "tool.garden.plan", timeout_s = 60)]
async fn plan(_ctx: &ToolContext, input: Arguments) -> Result<serde_json::Value, ToolError> {
    let all = input.a.c + input.a.d + i64::from(input.b);
    if all != 6 || input.amounts.len() != 4 || input.free == Json::Null {
        return Err(ToolError::answer("misread", "the arguments were misread"));
    }
    Ok(serde_json::from_str(ANSWER)?)
}

/// A line for each spelling: key, hash, the stored answer and what the caller got.
pub(crate) async fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for spelling in SPELLINGS {
        let store = Arc::new(VolatileStore::new());
        let builder = Idem::with_store(store.clone()).await.expect("a store");
        let idem = builder.tool::<plan>().build().expect("one tool");
        let organization = OrganizationId::new(Uuid::from_u128(5)).expect("not nil");
        let actor = idem.organization(organization).principal("ann");
        let run = actor.expect("a principal").run("the-run").expect("a run");
        let turn = run.turn(1);
        let settled = turn.call(ProposedCall::new("1", "plan", spelling)).await;
        let answered = settled.map(Settled::answer).expect("a call");
        let answered = answered.expect("nobody asks a person here");
        let scope = Scope::new("tool.garden.plan").expect("a scope");
        let key = answered.key.expect("the arguments are right");
        let row = store.get(&ClaimKey::new(organization, scope, key)).await;
        let row = row.expect("a store").expect("a row");
        let stored = row.response.expect("an answer").bytes;
        let stored = String::from_utf8_lossy(&stored);
        let told = answered.to_model_text();
        lines.push(format!("{key} {} {stored} {told}", row.request_hash));
    }
    lines
}
