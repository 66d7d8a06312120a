//! What is refused before the first call.

use idem_tests::TestStore;
use idem_tools::{AnyStore, OnRepeat, SetupError, Tool, ToolContext, ToolError, ToolSpec, tool};

use crate::bench::Bench;
use crate::tools::{Greeting, Invitation, Invite, Letter, Page, Publish, SendLetter};

/// Greets as often as it is asked to.
#[tool(scope = "tool.greeting.count", timeout_s = 30, on_repeat = "count")]
async fn greet_each_time(_ctx: &ToolContext, _input: Greeting) -> Result<(), ToolError> {
    Ok(())
}

/// R26: without a journal of proposals, the place of a call among its equals is nothing to rely on.
pub(crate) async fn counting_repeats_is_refused_where_proposals_are_not_journaled(
    store: TestStore,
) {
    let bench = Bench::new(store);
    let refused = bench.bare().await.tool::<greet_each_time>().build();
    let tool = "greet_each_time".to_owned();
    assert_eq!(
        refused.err(),
        Some(SetupError::ProposalsNotJournaled { tool })
    );
}

macro_rules! by_hand {
    ($($name:ident: $input:ty, $spec:expr;)+) => {$(
        struct $name;

        impl Tool for $name {
            type Input = $input;
            type Output = ();
            type Store = AnyStore;
            const SPEC: ToolSpec = $spec;

            async fn call(_: &ToolContext, _: Self::Input) -> Result<(), ToolError> {
                Ok(())
            }
        }
    )+};
}

by_hand! {
    WrongKey: Letter, SendLetter::SPEC.key(&[&["to"], &["template", "name"]]);
    NoKey: Letter, SendLetter::SPEC.key(&[]);
    ProseIntent: Letter, SendLetter::SPEC.intent("note");
    NaturalRead: Page, Publish::SPEC.effect(idem_tools::Effect::Read);
    NaturalIntent: Page, Publish::SPEC.intent("audience");
    NaturalFloat: Letter, SendLetter::SPEC.natural_key(&[&["template", "weight"]]);
    CountedRead: Invitation, Invite::SPEC.effect(idem_tools::Effect::Read).on_repeat(OnRepeat::Count);
}

/// R28: what the attribute refuses when it compiles is refused of a tool that was written by hand.
pub(crate) async fn a_hand_written_tool_names_fields_that_there_are(store: TestStore) {
    let bench = Bench::new(store);
    let bare = || bench.bare();
    for (built, part) in [
        (
            bare().await.tool::<WrongKey>().build(),
            "key(template.name)",
        ),
        (bare().await.tool::<NoKey>().build(), "at least one"),
        (bare().await.tool::<NaturalRead>().build(), "a natural key"),
        (
            bare().await.tool::<NaturalIntent>().build(),
            "a natural key",
        ),
        (
            bare().await.tool::<NaturalFloat>().build(),
            "natural_key(template.weight)",
        ),
        (bare().await.tool::<ProseIntent>().build(), "intent = note"),
        (bare().await.tool::<CountedRead>().build(), "a read"),
    ] {
        match built {
            Err(SetupError::Declaration { reason, .. }) => {
                assert!(reason.contains(part), "{reason}");
            }
            other => panic!("it is not refused for {part}: {other:?}"),
        }
    }
}
