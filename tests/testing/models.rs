//! What a scripted model says, and how it says it the next time.

use idem_tools::testing::{Proposal, Resampling, ScriptedModel};
use idem_tools::{Json, ProposedCall};

fn model() -> ScriptedModel {
    ScriptedModel::new()
        .step([
            Proposal::new("send", r#"{"to": "ann", "text": "Hi \"you\""}"#).prose("text"),
            Proposal::sampled("note", |sample| format!(r#"{{"at": {sample}}}"#)),
        ])
        .may_look(Proposal::new("look", "{}"))
        .step([Proposal::new("send", "no JSON")])
}

fn ids(calls: &[ProposedCall]) -> Vec<&str> {
    calls.iter().filter_map(ProposedCall::id).collect()
}

fn tools(calls: &[ProposedCall]) -> Vec<&str> {
    calls.iter().map(ProposedCall::tool).collect()
}

#[test]
fn a_script_is_said_as_it_is_written() {
    let (model, twin) = (model(), model());
    assert_eq!(model.steps(), 2);
    assert_eq!(tools(&model.calls(0)), ["send", "note"]);
    assert_eq!(ids(&model.calls(0)), ids(&twin.calls(0)));
    assert!(model.calls(2).is_empty());
}

#[test]
fn a_resampled_script_asks_for_the_same_with_new_ids_in_another_order_after_a_look() {
    let (first, second) = (model(), model().resampled());
    assert_eq!(tools(&second.calls(0)), ["look", "note", "send"]);
    let third = second.resampled();
    let all = [first.calls(0), second.calls(0), third.calls(0)];
    let mut seen: Vec<_> = all.iter().flat_map(|calls| ids(calls)).collect();
    seen.sort_unstable();
    let said = seen.len();
    seen.dedup();
    assert_eq!(seen.len(), said, "no id is said twice");
}

#[test]
fn each_difference_can_be_had_alone() {
    let ids_alone = model().resampled_by([Resampling::NewIds]);
    assert_eq!(tools(&ids_alone.calls(0)), ["send", "note"]);
    let order_alone = model().resampled_by([Resampling::OtherOrder]);
    assert_eq!(tools(&order_alone.calls(0)), ["note", "send"]);
    let mut reversed = ids(&order_alone.calls(0))
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    reversed.reverse();
    assert_eq!(reversed, ids(&model().calls(0)));
}

#[test]
fn arguments_are_respelled_or_reworded_and_otherwise_the_same() {
    let written = r#"{"to": "ann", "text": "Hi \"you\""}"#;
    let letter = Proposal::new("send", written).prose("text");
    assert_eq!(letter.said(0, &Resampling::ALL), written);
    let spelled = letter.said(1, &[Resampling::OtherSpelling]);
    assert_ne!(spelled, written);
    let parsed = |text: &str| text.parse::<Json>().expect("JSON");
    assert_eq!(parsed(&spelled), parsed(written));
    let reworded = parsed(&letter.said(1, &[Resampling::OtherProse]));
    assert_eq!(reworded.get("to"), parsed(written).get("to"));
    assert_ne!(reworded.get("text"), parsed(written).get("text"));
    assert_eq!(
        Proposal::new("send", "no JSON").said(1, &Resampling::ALL),
        "no JSON"
    );
}
