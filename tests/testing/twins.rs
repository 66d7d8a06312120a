//! The same turn twice: what the check lets through, and what it catches.

use idem_tests::TestStore;
use idem_tools::testing::vendor::json;
use idem_tools::testing::{
    Behaviour, Keys, Proposal, Resampling, ScriptedModel, Vendor, twin_run, twin_run_as,
};

use crate::parts::{complaint, equip, users_store};

fn two_letters() -> ScriptedModel {
    ScriptedModel::new()
        .step([
            Proposal::new("send", r#"{"to": "ann", "text": "Hello"}"#),
            Proposal::new("send_keyed", r#"{"to": "bob", "text": "Hello"}"#),
        ])
        .may_look(Proposal::new("look", r#"{"to": "ann"}"#))
        .step([Proposal::new("send", r#"{"to": "eve", "text": "Hello"}"#)])
}

/// R20: new ids, another order, another spelling and a further read are the same turn.
pub(crate) async fn a_turn_that_is_said_otherwise_makes_its_effects_once(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let own = users_store(&store);
    let report = twin_run(&own, &two_letters(), equip(&vendor), || {
        vendor.book().effects
    })
    .await;
    report.assert_once();
    assert_eq!((report.first.len(), report.second.len()), (3, 4));
    let effects = (report.effects_after_first, report.effects_after_second);
    assert_eq!(effects, (3, 3));
    assert!(report.answers_equal());
    let replayed = report.second.iter().filter(|call| call.replayed);
    assert_eq!(replayed.count(), 3, "all but the read");
    let spelled = |call: &idem_tools::testing::TwinCall| call.arguments.clone();
    let (first, second) = (spelled(&report.first[0]), spelled(&report.second[2]));
    assert_ne!(first, second, "the same call, written differently");
}

/// R20: what changes at each sampling is part of the identity, so the tool's input must not hold it.
pub(crate) async fn an_argument_that_changes_at_each_sampling_is_caught_and_named(
    store: TestStore,
) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    let timed = |sample: u32| format!(r#"{{"to": "bob", "now": "12:00:{sample:02}"}}"#);
    let model = ScriptedModel::new().step([
        Proposal::new("send", r#"{"to": "ann"}"#),
        Proposal::sampled("send_keyed", timed),
    ]);
    let report = twin_run(&own, &model, equip(&vendor), || vendor.book().effects).await;
    let repeated: Vec<_> = report
        .repeated()
        .iter()
        .map(|call| call.tool.as_str())
        .collect();
    assert_eq!(repeated, ["send_keyed"]);
    let said = complaint(move || report.assert_once());
    for part in [
        "2 after the first run, 3 after the second",
        "send_keyed { \"to\": \"bob\", \"now\": \"12:00:01\" }",
        "the first run said: {\"to\": \"bob\", \"now\": \"12:00:00\"}",
        "different calls to Idem",
    ] {
        assert!(said.contains(part), "{part} is missing in: {said}");
    }
    assert!(!said.contains("ann"), "only the fault is named: {said}");
}

/// R20: a reworded argument is another call, and the test says so before a user's customer does.
pub(crate) async fn reworded_prose_is_another_call_and_is_caught(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    let letter = Proposal::new("send", r#"{"to": "ann", "text": "Hello"}"#).prose("text");
    let model = ScriptedModel::new().step([letter]);
    let effects = || vendor.book().effects;
    let report = twin_run(&own, &model, equip(&vendor), effects).await;
    let said = complaint(move || report.assert_once());
    assert!(said.contains("Hello (in the words of"), "{said}");
    // With the other differences alone it is the same call.
    let ways = [Resampling::NewIds, Resampling::OtherSpelling];
    let same = model.resampled_by(ways);
    twin_run_as(&own, [&model, &same], equip(&vendor), effects)
        .await
        .assert_once();
}

/// R20: a twin run is a run of its own, so one store can see many.
pub(crate) async fn two_runs_of_one_store_are_two_turns(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    for effects in [3, 6] {
        let counted = || vendor.book().effects;
        let report = twin_run(&own, &two_letters(), equip(&vendor), counted).await;
        report.assert_once();
        assert_eq!(report.effects_after_second, effects);
    }
}

/// R13: a refusal without an effect releases, so the second run makes the effect, once.
pub(crate) async fn an_effect_that_was_refused_first_may_be_made_the_second_time(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    vendor.script([
        Behaviour::Status {
            code: 429,
            effect: false,
        },
        Behaviour::Ok,
    ]);
    let model = ScriptedModel::new().step([
        Proposal::new("send", r#"{"to": "ann"}"#),
        Proposal::new("send", r#"{"to": "bob"}"#),
    ]);
    let report = twin_run(&own, &model, equip(&vendor), || vendor.book().effects).await;
    report.assert_once();
    let effects = (report.effects_after_first, report.effects_after_second);
    assert_eq!(effects, (1, 2));
}

/// A check that saw no effect has shown nothing.
pub(crate) async fn a_turn_without_an_effect_shows_nothing(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    let model = ScriptedModel::new().step([Proposal::new("sand", r#"{"to": "ann"}"#)]);
    let report = twin_run(&own, &model, equip(&vendor), || vendor.book().effects).await;
    let said = complaint(move || report.assert_once());
    assert!(said.contains("made no effect"), "{said}");
    assert!(said.contains("unknown_tool"), "{said}");
}

/// R17: what was stored is what is told again.
pub(crate) async fn another_answer_than_the_stored_one_is_caught(store: TestStore) {
    let vendor = Vendor::start(Keys::Kept).await;
    let own = users_store(&store);
    let timed = |sample: u32| format!(r#"{{"to": "ann", "now": "{sample}"}}"#);
    let model = ScriptedModel::new().step([Proposal::sampled("send", timed)]);
    // Another call, of which the vendor says something else without an effect.
    vendor.script([
        Behaviour::Ok,
        Behaviour::Lie {
            body: json!({ "id": "none" }),
            effect: false,
        },
    ]);
    let report = twin_run(&own, &model, equip(&vendor), || vendor.book().effects).await;
    assert!(report.repeated().is_empty() && !report.answers_equal());
    let said = complaint(move || report.assert_once());
    assert!(said.contains("told something else"), "{said}");
    assert!(said.contains("none") && said.contains("effect-1"), "{said}");
}
