//! What a function takes beside the model's arguments reaches its place.

use std::sync::atomic::{AtomicU32, Ordering};

use idem_tests::TestStore;
use idem_tools::{SetupError, State, ToolContext, ToolError, tool, tools};

use crate::bench::{Bench, call, text};
use crate::tools::Ledger;

/// A way to a vendor.
#[derive(Debug)]
struct Line {
    number: u32,
}

/// Who calls through the line.
#[derive(Debug)]
struct Caller(&'static str);

#[tool(scope = "tool.call.make", timeout_s = 30)]
async fn make_call(
    caller: State<Caller>,
    to: &str,
    line: State<Line>,
) -> Result<String, ToolError> {
    Ok(format!("{} calls {to} on {}", caller.0, line.number))
}

pub(crate) async fn the_applications_values_reach_the_body(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench
        .turn_with(|idem| {
            idem.tool::<make_call>()
                .state(Line { number: 7 })
                .state(Caller("ann"))
        })
        .await;
    let answered = call(&turn, "make_call", r#"{"to":"bo"}"#).await;
    assert_eq!(text(&answered), "ann calls bo on 7");
}

/// A forgotten value is found when the tools are put together, and not by the first call.
pub(crate) async fn a_value_that_nobody_gave_is_refused_at_start_up(store: TestStore) {
    let bench = Bench::new(store);
    let builder = bench.bare().await.tool::<make_call>().state(Caller("ann"));
    let refused = builder.build().expect_err("a value is missing");
    let SetupError::MissingState { tool, state } = refused else {
        panic!("another refusal: {refused}");
    };
    assert_eq!(tool, "make_call");
    assert!(state.ends_with("taken::Line"), "{state}");
    let method = bench.bare().await.tool::<count>().build();
    assert!(matches!(method, Err(SetupError::MissingState { .. })));
}

#[derive(Debug, Default)]
struct Counter {
    counted: AtomicU32,
}

#[tools]
impl Counter {
    /// Counts.
    #[tool(scope = "tool.counter.count", timeout_s = 30)]
    async fn count(&self, what: String) -> Result<String, ToolError> {
        let counted = self.add(1);
        Ok(format!("{what} {counted}"))
    }

    #[tool(scope = "tool.counter.look", timeout_s = 30, effect = "read")]
    fn look(&self, ctx: &ToolContext) -> Result<u32, ToolError> {
        let same = std::ptr::eq(self, ctx.state::<Self>()?);
        Ok(self.add(0) + u32::from(!same))
    }

    #[tool(scope = "tool.counter.nothing", timeout_s = 30)]
    fn without_a_value(what: &str) -> Result<String, ToolError> {
        Ok(what.to_owned())
    }

    fn add(&self, more: u32) -> u32 {
        self.counted.fetch_add(more, Ordering::SeqCst) + more
    }
}

pub(crate) async fn a_block_of_methods_shares_one_value(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn_with(|idem| idem.tools(Counter::default())).await;
    for what in ["sheep", "stars", "sheep"] {
        call(&turn, "count", &format!(r#"{{"what":"{what}"}}"#)).await;
    }
    let counted = call(&turn, "look", "{}").await;
    assert_eq!(counted.decode::<u32>().expect("a number"), 2);
    let alone = bench.turn_with(|idem| idem.tool::<without_a_value>()).await;
    let answered = call(&alone, "without_a_value", r#"{"what":"x"}"#).await;
    assert_eq!(text(&answered), "x");
}

#[tool(scope = "tool.place.last", timeout_s = 30)]
async fn last(to: String, ctx: &ToolContext) -> Result<String, ToolError> {
    Ok(format!(
        "{to} for {} on {}",
        ctx.principal().as_str(),
        ctx.attempt()
    ))
}

#[tool(scope = "tool.place.middle", timeout_s = 30)]
async fn middle(to: &str, ctx: &ToolContext, cc: &str) -> Result<String, ToolError> {
    Ok(format!(
        "{to} {cc} for {} on {}",
        ctx.principal().as_str(),
        ctx.attempt()
    ))
}

pub(crate) async fn the_context_reaches_its_place_wherever_it_is(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench
        .turn_with(|idem| idem.tool::<last>().tool::<middle>())
        .await;
    let answered = call(&turn, "last", r#"{"to":"bo"}"#).await;
    assert_eq!(text(&answered), "bo for ann on 1");
    let answered = call(&turn, "middle", r#"{"to":"bo","cc":"cy"}"#).await;
    assert_eq!(text(&answered), "bo cy for ann on 1");
}

#[tool(scope = "tool.nothing.take", timeout_s = 30)]
async fn take_nothing(ledger: State<Ledger>) -> Result<String, ToolError> {
    Ok(ledger.write("nothing taken".to_owned()))
}

/// Models write nothing, blanks, `null` and `{}` for a tool that takes nothing: one call.
pub(crate) async fn a_tool_without_arguments_takes_any_spelling_of_nothing(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn_with(|idem| idem.tool::<take_nothing>()).await;
    for (at, nothing) in ["{}", "", "  ", "null", " { } "].into_iter().enumerate() {
        let answered = call(&turn, "take_nothing", nothing).await;
        assert_eq!(answered.replayed, at > 0, "{nothing:?}");
    }
    assert_eq!(bench.ledger.effects(), ["nothing taken"]);
}
