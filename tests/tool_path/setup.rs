//! What is said at start-up, before anything is called (R28, R31).

use std::time::Duration;

use idem_tests::vendor::Keys;
use idem_tools::{
    AnyStore, Json, RetryPlan, SetupError, Tool, ToolContext, ToolError, ToolSpec, tool, tool_input,
};

use crate::setting::{Setting, World, code};
use crate::tools::{Note, Sent, look_briefly, send, send_briefly};

/// Answers who it is called for.
///
/// Nothing is sent.
#[tool(scope = "tool.note.whoami", timeout_s = 120)]
async fn whoami(ctx: &ToolContext, _input: Nothing) -> Result<Vec<String>, ToolError> {
    let organization = ctx.organization().as_uuid().to_string();
    let principal = ctx.principal().as_str().to_owned();
    let (run, turn) = (ctx.run().to_string(), ctx.turn().to_string());
    Ok(vec![
        organization,
        principal,
        run,
        turn,
        ctx.attempt().to_string(),
    ])
}

#[tool_input]
struct Nothing {}

#[tool(name = "send", scope = "tool.other.send", timeout_s = 60)]
async fn send_otherwise(_ctx: &ToolContext, _input: Note) -> Result<(), ToolError> {
    Ok(())
}

#[derive(Debug)]
struct Absent;

#[tool(scope = "tool.note.needs_state", timeout_s = 60)]
async fn needs_state(ctx: &ToolContext, _input: Note) -> Result<(), ToolError> {
    ctx.state::<Absent>()?;
    Ok(())
}

/// A tool without the attribute.
struct ByHand;

impl Tool for ByHand {
    type Input = Note;
    type Output = Sent;
    type Store = AnyStore;
    const SPEC: ToolSpec = ToolSpec::new("by_hand", "tool.note.by_hand", 5);

    async fn call(ctx: &ToolContext, input: Note) -> Result<Sent, ToolError> {
        crate::tools::post(ctx, serde_json::json!(input.to)).await
    }
}

/// R20: two tools of one name would be one identity, also where their scopes differ.
pub(crate) async fn two_tools_of_one_name_are_refused(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let twice = world.bare().await.tool::<send>().tool::<send_otherwise>();
    let refused = twice.build().expect_err("two of one name");
    assert_eq!(refused, SetupError::TwoToolsOfOneName("send".to_owned()));
    assert!(refused.to_string().contains("name ="), "{refused}");
    let same = world.bare().await.tool::<send>().tool::<send>();
    assert_eq!(same.build().expect_err("the same twice"), refused);
}

/// R28: an agent without tools is a mistake.
pub(crate) async fn no_tools_are_refused(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let refused = world.bare().await.build().expect_err("no tools");
    assert_eq!(refused, SetupError::NoTools);
    assert!(refused.to_string().contains(".tool::<"), "{refused}");
}

/// R13: what the application forgot to give has no effect, and the message says what to add.
pub(crate) async fn a_missing_state_has_no_effect_and_says_what_to_add(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<needs_state>()).await;
    let missing = worker.answer("needs_state", r#"{"to":"ann"}"#).await;
    assert_eq!(code(&missing), "missing_state");
    let failure = missing.failure().expect("a failure");
    assert!(failure.retryable);
    for word in ["Absent", ".state("] {
        assert!(failure.message.contains(word), "{}", failure.message);
    }
    assert_eq!(setting.rows().await, 0);
    let given = world
        .worker_with(|b| b.tool::<needs_state>().state(Absent))
        .await;
    let answer = given.answer("needs_state", r#"{"to":"ann"}"#).await;
    assert_eq!((answer.result.is_ok(), answer.attempt), (true, 1));
}

/// R31, P6: the gap before the last attempt has to outlast the longest lease of the tools that are there.
pub(crate) async fn a_retry_plan_is_held_to_the_longest_lease(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let plan = |gaps: &[u64]| RetryPlan::of_gaps(gaps.iter().copied().map(Duration::from_secs));
    let brief = world
        .bare()
        .await
        .tool::<send_briefly>()
        .tool::<look_briefly>();
    let brief = brief.build().expect("two tools");
    assert_eq!(brief.longest_lease(), Duration::from_secs(11));
    for refused in [&[11][..], &[60, 60, 1], &[0]] {
        let error = brief.check_retries(&plan(refused)).expect_err("too short");
        assert_eq!(error.lease, Duration::from_secs(11));
    }
    for good in [&[][..], &[12], &[1, 1, 12]] {
        assert!(brief.check_retries(&plan(good)).is_ok(), "{good:?}");
    }
    let long = world.bare().await.tool::<send_briefly>().tool::<whoami>();
    let long = long.build().expect("two tools");
    assert_eq!(long.longest_lease(), Duration::from_secs(130));
    assert!(long.check_retries(&plan(&[12])).is_err());
    assert!(long.check_retries(&plan(&[10, 131])).is_ok());
}

/// R28: what is declared is what a model is told, in the order of the names.
pub(crate) async fn a_model_is_told_the_tools_in_the_order_of_their_names(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let builder = world
        .bare()
        .await
        .tool::<whoami>()
        .tool::<send>()
        .tool::<ByHand>();
    let definitions = builder.build().expect("three tools").definitions();
    let names: Vec<_> = definitions.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["by_hand", "send", "whoami"]);
    assert_eq!(
        definitions[2].description,
        "Answers who it is called for.\n\nNothing is sent."
    );
    let schema = &definitions[1].input_schema;
    let to = schema.get("properties").and_then(|all| all.get("to"));
    let kind = to.and_then(|to| to.get("type"));
    assert_eq!(kind.and_then(Json::as_str), Some("string"), "{schema}");
    assert_eq!(schema.get("additionalProperties"), Some(&Json::Bool(false)));
}

/// R28: a tool written by hand is a tool.
pub(crate) async fn a_tool_written_by_hand_makes_its_effect_once(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<ByHand>()).await;
    let first = worker.answer("by_hand", r#"{"to":"ann"}"#).await;
    let again = worker.answer("by_hand", r#"{"to":"ann"}"#).await;
    crate::setting::assert_replays(&first, &again);
    assert_eq!(world.counted(), (1, 1));
}

/// R34: a body knows on whose behalf it runs.
pub(crate) async fn a_body_knows_on_whose_behalf_it_runs(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<whoami>()).await;
    let turn = worker.turn_of("bob", "run-7", 3);
    let answer = crate::setting::call(&turn, "whoami", "{}").await;
    let said: Vec<String> = answer.expect("an answer").decode().expect("texts");
    let organization = world.organization.as_uuid().to_string();
    assert_eq!(
        said,
        [&organization, "bob", "run-7", turn.id().as_ref(), "1"]
    );
    let tenant = worker.idem.organization(world.organization);
    assert!(tenant.principal("").is_err() && tenant.principal(&"p".repeat(257)).is_err());
    let ann = tenant.principal("ann").expect("a principal");
    assert!(ann.run("").is_err() && ann.run("a\nb").is_err());
}
