//! Calls that an independent program computed: their keys and hashes, and a thousand near misses of one (R20 to R24).

use std::collections::{BTreeMap, HashSet};

use idem_core::json::{Limits, Map};
use idem_tests::TestStore;
use idem_tests::vendor::{Keys, Vendor};
use idem_tools::{Answered, Idem, Json, ProposedCall, Turn};

use crate::bench::{Bench, answer, proposed};
use crate::respell::{Chance, respelled};
use crate::trip::{self, Desk};

const CALLS: &str = include_str!("../../idem-core/vectors/calls.json");

/// How many calls one response may hold.
const AT_ONCE: usize = 100;

fn vectors() -> Json {
    let limits = Limits {
        bytes: CALLS.len(),
        ..Limits::ANSWER
    };
    Json::parse(CALLS, limits).expect("the vectors")
}

fn text<'v>(vector: &'v Json, name: &str) -> &'v str {
    vector.get(name).and_then(Json::as_str).expect(name)
}

fn list<'v>(vector: &'v Json, name: &str) -> &'v [Json] {
    vector.get(name).and_then(Json::as_array).expect(name)
}

/// A vendor that keeps no key, so that each request to it is an effect.
struct Office {
    bench: Bench,
    vendor: Vendor,
}

impl Office {
    async fn new(store: TestStore) -> Self {
        Self {
            bench: Bench::new(store),
            vendor: Vendor::start(Keys::Ignored).await,
        }
    }

    async fn idem(&self) -> Idem {
        let client = reqwest::Client::builder().no_proxy().build();
        let desk = Desk {
            client: client.expect("a client"),
            url: self.vendor.effects_url(),
        };
        let builder = trip::all(self.bench.bare().await).state(desk);
        builder.build().expect("tools that can be added")
    }

    /// The turn that the vectors are of, in a process of its own.
    async fn turn(&self, vectors: &Json) -> Turn {
        let tenant = self.idem().await.organization(self.bench.organization);
        let run = tenant.principal("ann").expect("a principal");
        let run = run.run(text(vectors, "run")).expect("a run");
        let number = vectors.get("number").and_then(Json::as_u64);
        run.turn(u32::try_from(number.expect("a number")).expect("a turn"))
    }

    fn effects(&self) -> usize {
        self.vendor.book().effects
    }
}

async fn all(turn: &Turn, calls: Vec<ProposedCall>) -> Vec<Answered> {
    let mut answers = Vec::new();
    for some in calls.chunks(AT_ONCE) {
        for settled in turn.call_all(some.to_vec()).await {
            let answer = settled.expect("settled").answer().expect("an answer");
            assert!(answer.result.is_ok(), "{}", answer.to_model_text());
            answers.push(answer);
        }
    }
    answers
}

/// R20, R21, R23: 200 random calls of three tools have the keys, and the stored hashes, of the program.
pub(crate) async fn random_calls_have_the_keys_of_the_independent_program(store: TestStore) {
    let (office, vectors) = (Office::new(store).await, vectors());
    let turn = office.turn(&vectors).await;
    let calls = list(&vectors, "calls");
    assert_eq!(calls.len(), 200);
    let made = calls
        .iter()
        .map(|call| proposed(text(call, "tool"), text(call, "arguments")));
    let answers = all(&turn, made.collect()).await;
    for (call, answer) in calls.iter().zip(&answers) {
        let key = answer.key.expect("a key").to_string();
        assert_eq!(key, text(call, "key"), "{}", text(call, "arguments"));
    }
    let postgres = "SELECT encode(key, 'hex') || ' ' || encode(request_hash, 'hex') FROM agent.idempotency_keys";
    let sqlite =
        "SELECT lower(hex(key)) || ' ' || lower(hex(request_hash)) FROM agent_idempotency_keys";
    let stored = office.bench.store.texts(postgres, sqlite).await;
    let stored: HashSet<String> = stored.into_iter().flatten().collect();
    for call in calls {
        let row = format!("{} {}", text(call, "key"), text(call, "hash"));
        assert!(stored.contains(&row), "{}", text(call, "arguments"));
    }
    assert_eq!(office.effects(), 200);
}

/// R20 to R24, R47: spelled in a thousand ways, with other words and under other ids, a call is one: one key, one effect.
pub(crate) async fn a_call_that_is_spelled_anew_is_the_same_call(store: TestStore) {
    let (office, vectors) = (Office::new(store).await, vectors());
    let call = vectors.get("near_misses").expect("a call");
    let (tool, arguments) = (text(call, "tool"), text(call, "arguments"));
    let first = answer(&office.turn(&vectors).await, proposed(tool, arguments)).await;
    assert_eq!(first.key.expect("a key").to_string(), text(call, "key"));
    let spellings: HashSet<String> = (0..1_000)
        .map(|seed| respelled(arguments, &mut Chance::new(seed)))
        .collect();
    assert_eq!(spellings.len(), 1_000, "each is another text");
    let calls = spellings.iter().map(|spelling| proposed(tool, spelling));
    for again in all(&office.turn(&vectors).await, calls.collect()).await {
        assert_eq!((again.key, &again.result), (first.key, &first.result));
        assert!(again.replayed && again.reworded.contains(&"note".to_owned()));
    }
    assert_eq!((office.effects(), office.bench.rows().await), (1, 1));
}

/// R20 to R23: a thousand calls that differ from one in a single field are a thousand others, and have the program's keys.
pub(crate) async fn near_misses_are_calls_of_their_own(store: TestStore) {
    let (office, vectors) = (Office::new(store).await, vectors());
    let call = vectors.get("near_misses").expect("a call");
    let Json::Object(base) =
        Json::parse(text(call, "arguments"), Limits::ARGUMENTS).expect("arguments")
    else {
        panic!("arguments are an object")
    };
    let near = list(call, "near");
    let mut fields = BTreeMap::new();
    let calls = near.iter().map(|near| {
        *fields.entry(text(near, "field")).or_insert(0) += 1;
        let mut arguments: Map = base.clone();
        arguments.remove(text(near, "field"));
        if let Some(value) = near.get("value").and_then(Json::as_str) {
            let value = Json::parse(value, Limits::ARGUMENTS).expect("a value");
            arguments.insert(text(near, "field"), value);
        }
        proposed(text(call, "tool"), &Json::Object(arguments).to_text())
    });
    let mut calls: Vec<_> = calls.collect();
    calls.push(proposed(text(call, "tool"), text(call, "arguments")));
    let answers = all(&office.turn(&vectors).await, calls).await;
    let keys: HashSet<_> = answers
        .iter()
        .map(|answer| answer.key.expect("a key"))
        .collect();
    assert_eq!(keys.len(), 1_001);
    for (near, answer) in near.iter().zip(&answers) {
        let key = answer.key.expect("a key").to_string();
        assert_eq!(
            key,
            text(near, "key"),
            "{} {:?}",
            text(near, "field"),
            near.get("value")
        );
    }
    assert_eq!(office.effects(), 1_001);
    // Every field but the prose.
    assert_eq!((near.len(), fields.len()), (1_000, 30), "{fields:?}");
}
