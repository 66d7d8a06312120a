//! The vendor does and counts what it is told.

use std::time::Duration;

use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::vendor::{Behaviour, Gate, Keys, Vendor};

async fn send(vendor: &Vendor, key: Option<&str>, what: &str) -> reqwest::Result<Response> {
    let request = Client::new()
        .post(vendor.effects_url())
        .json(&json!({ "what": what }));
    match key {
        Some(key) => request.header("Idempotency-Key", key).send().await,
        None => request.send().await,
    }
}

async fn status(vendor: &Vendor, key: &str) -> u16 {
    send(vendor, Some(key), "a")
        .await
        .expect("an answer")
        .status()
        .as_u16()
}

#[tokio::test]
async fn a_kept_key_is_one_effect_and_one_answer() {
    let vendor = Vendor::start(Keys::Kept).await;
    let mut answers = Vec::new();
    for _ in 0..2 {
        let answer = send(&vendor, Some("k"), "a").await.expect("an answer");
        answers.push(answer.json::<Value>().await.expect("JSON"));
    }
    assert_eq!(answers[0], json!({ "id": "effect-1", "what": "a" }));
    assert_eq!(answers[0], answers[1]);
    assert_eq!(
        send(&vendor, Some("k"), "b")
            .await
            .expect("an answer")
            .status(),
        422
    );
    let book: Value = reqwest::get(vendor.book_url())
        .await
        .expect("the book")
        .json()
        .await
        .unwrap();
    assert_eq!(
        (&book["requests"], &book["distinct_keys"], &book["effects"]),
        (&json!(3), &json!(1), &json!(1))
    );
}

#[tokio::test]
async fn keys_are_ignored_or_forgotten_where_the_vendor_is_so() {
    let careless = Vendor::start(Keys::Ignored).await;
    let forgetful = Vendor::start(Keys::KeptFor(Duration::from_secs(60))).await;
    for vendor in [&careless, &forgetful] {
        assert_eq!(status(vendor, "k").await, 200);
        vendor.advance(Duration::from_secs(61));
        assert_eq!(status(vendor, "k").await, 200);
        assert_eq!(vendor.book().effects, 2);
    }
}

#[tokio::test]
async fn replies_are_dropped_with_and_without_the_effect() {
    let vendor = Vendor::start(Keys::Kept).await;
    vendor.script([Behaviour::DropBeforeEffect, Behaviour::DropReplyAfterEffect]);
    for effects in [0, 1] {
        send(&vendor, Some("k"), "a").await.expect_err("no answer");
        assert_eq!(vendor.book().effects, effects);
    }
    assert_eq!(status(&vendor, "k").await, 200);
    assert_eq!((vendor.book().requests, vendor.book().effects), (3, 1));
}

#[tokio::test]
async fn statuses_come_with_and_without_the_effect() {
    let vendor = Vendor::start(Keys::Kept).await;
    vendor.script([
        Behaviour::Status {
            code: 429,
            effect: false,
        },
        Behaviour::Status {
            code: 502,
            effect: true,
        },
        Behaviour::Ok,
        Behaviour::StoredFailure(500),
    ]);
    let seen = [
        status(&vendor, "k").await,
        status(&vendor, "k").await,
        status(&vendor, "k").await,
    ];
    assert_eq!(seen, [429, 502, 200]);
    assert_eq!(
        [status(&vendor, "l").await, status(&vendor, "l").await],
        [500, 500]
    );
    assert_eq!(vendor.book().effects, 1);
}

#[tokio::test]
async fn a_slow_effect_waits_for_its_gate_and_comes_without_its_client() {
    let vendor = Vendor::start(Keys::Kept).await;
    let gate = Gate::new();
    vendor.script([Behaviour::Slow(gate.clone())]);
    let url = vendor.effects_url();
    let client = tokio::spawn(async move {
        let request = Client::new().post(url).header("Idempotency-Key", "k");
        request.json(&json!({ "what": "a" })).send().await
    });
    vendor.wait_for_requests(1).await;
    assert_eq!(status(&vendor, "k").await, 409);
    client.abort();
    assert!(client.await.expect_err("aborted").is_cancelled());
    assert_eq!(vendor.book().effects, 0);
    gate.open();
    vendor.wait_for_effects(1).await;
    assert_eq!(status(&vendor, "k").await, 200);
    assert_eq!(vendor.book().effects, 1);
}

#[tokio::test]
async fn an_effect_lands_late_and_a_liar_lies() {
    let vendor = Vendor::start(Keys::Kept).await;
    let gate = Gate::new();
    let body = json!({ "id": "never" });
    vendor.script([
        Behaviour::LandLate(gate.clone()),
        Behaviour::Lie {
            body: body.clone(),
            effect: false,
        },
    ]);
    assert_eq!(status(&vendor, "k").await, 504);
    assert_eq!(vendor.book().effects, 0);
    let answer = send(&vendor, None, "b").await.expect("an answer");
    assert_eq!(answer.json::<Value>().await.expect("JSON"), body);
    gate.open();
    vendor.wait_for_effects(1).await;
    assert_eq!(status(&vendor, "k").await, 200);
    assert_eq!(vendor.book().effects, 1);
}
