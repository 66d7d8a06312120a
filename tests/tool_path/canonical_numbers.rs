//! One number has many spellings, and they are one effect (R20, R22).

use idem_tests::vendor::Keys;
use idem_tools::{Decimal, ToolContext, ToolError, tool, tool_input};
use serde_json::json;

use crate::setting::{Setting, World, assert_replays, code};
use crate::tools::{Sent, post};

#[tool_input]
struct Hours {
    task: u64,
    hours: f64,
}

#[tool(scope = "tool.hours.log", timeout_s = 60)]
async fn log_hours(ctx: &ToolContext, input: Hours) -> Result<Sent, ToolError> {
    post(ctx, json!([input.task, input.hours.to_bits()])).await
}

#[tool_input]
struct Amount {
    amount: Decimal,
}

#[tool(scope = "tool.money.pay", timeout_s = 60)]
async fn pay(ctx: &ToolContext, input: Amount) -> Result<Sent, ToolError> {
    post(ctx, json!(input.amount.to_string())).await
}

#[tool_input]
struct Shift {
    offset: i64,
}

#[tool(scope = "tool.clock.shift", timeout_s = 60)]
async fn shift(ctx: &ToolContext, input: Shift) -> Result<Sent, ToolError> {
    post(ctx, json!(input.offset)).await
}

#[tool_input]
struct Bias {
    v: f64,
}

/// Tells the vendor which bits it was given, and answers its own zero.
#[tool(scope = "tool.clock.bias", timeout_s = 60)]
async fn bias(ctx: &ToolContext, input: Bias) -> Result<f64, ToolError> {
    post(ctx, json!(input.v.to_bits())).await?;
    Ok(-0.0)
}

/// R22, C01: a hop that respells whole numbers is no second effect.
pub(crate) async fn the_spelling_of_a_number_does_not_make_a_second_effect(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<log_hours>()).await;
    let first = worker
        .answer("log_hours", r#"{"task":88,"hours":1.0}"#)
        .await;
    assert!(first.result.is_ok() && !first.replayed);
    for same in [
        r#"{"hours":1,"task":88}"#,
        r#"{"task":88,"hours":10E-1}"#,
        r#"{"task":88,"hours":0.1e1}"#,
        r#"{"task":88,"hours":1.000}"#,
    ] {
        assert_replays(&first, &worker.answer("log_hours", same).await);
    }
    assert_eq!(world.counted(), (1, 1));
    let other = r#"{"task":88,"hours":1.5}"#;
    assert!(!worker.answer("log_hours", other).await.replayed);
    assert_eq!(world.counted(), (2, 2));
}

/// R22, C01: a whole number where a whole number is asked for is either the same call or none.
pub(crate) async fn a_whole_number_written_as_a_float_is_no_other_effect(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<log_hours>()).await;
    let first = worker.answer("log_hours", r#"{"task":88,"hours":1}"#).await;
    let odd = worker
        .answer("log_hours", r#"{"task":88.0,"hours":1}"#)
        .await;
    match &odd.result {
        Ok(_) => assert_replays(&first, &odd),
        Err(_) => assert_eq!(code(&odd), "invalid_input"),
    }
    let between = r#"{"task":88.5,"hours":1}"#;
    assert_eq!(
        code(&worker.answer("log_hours", between).await),
        "invalid_input"
    );
    assert_eq!((setting.rows().await, world.counted()), (1, (1, 1)));
}

/// R21: a decimal is its value, as a number and as text; its trailing zeros are spelling.
pub(crate) async fn an_amount_is_one_effect_whatever_its_zeros(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<pay>()).await;
    let first = worker.answer("pay", r#"{"amount":100}"#).await;
    assert!(first.result.is_ok() && !first.replayed);
    for same in ["100.0", "100.00", "1e2", "\"100\"", "\"100.00\""] {
        let arguments = format!(r#"{{"amount":{same}}}"#);
        assert_replays(&first, &worker.answer("pay", &arguments).await);
    }
    assert_eq!(world.counted(), (1, 1));
    let other = worker.answer("pay", r#"{"amount":100.01}"#).await;
    assert!(!other.replayed);
    assert_eq!(world.counted(), (2, 2));
}

/// R21, R22: two amounts that a double cannot tell apart are two effects.
pub(crate) async fn amounts_beyond_a_double_stay_apart(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<pay>()).await;
    for amount in ["\"9007199254740993.25\"", "\"9007199254740993.5\""] {
        let arguments = format!(r#"{{"amount":{amount}}}"#);
        let answer = worker.answer("pay", &arguments).await;
        assert!(answer.result.is_ok() && !answer.replayed, "{amount}");
    }
    assert_eq!(world.counted(), (2, 2));
}

/// R22: two ids that a double cannot tell apart are two effects.
pub(crate) async fn ids_beyond_a_double_stay_apart(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<log_hours>()).await;
    for task in [
        "9007199254740993",
        "9007199254740992",
        "18446744073709551615",
    ] {
        let arguments = format!(r#"{{"task":{task},"hours":1}}"#);
        assert!(
            !worker.answer("log_hours", &arguments).await.replayed,
            "{task}"
        );
    }
    assert_eq!(world.counted(), (3, 3));
    let beyond = r#"{"task":18446744073709551616,"hours":1}"#;
    assert_eq!(
        code(&worker.answer("log_hours", beyond).await),
        "invalid_input"
    );
    assert_eq!(world.counted(), (3, 3));
}

/// R22, C03: minus nothing is nothing.
pub(crate) async fn a_negative_zero_is_zero(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let add = |b: idem_tools::IdemBuilder| b.tool::<shift>().tool::<bias>();
    let worker = world.worker_with(add).await;
    let first = worker.answer("shift", r#"{"offset":-0}"#).await;
    assert!(first.result.is_ok(), "{first:?}");
    assert_replays(&first, &worker.answer("shift", r#"{"offset":0}"#).await);
    let first = worker.answer("bias", r#"{"v":-0.0}"#).await;
    for zero in ["0.0", "0", "-0", "0e7"] {
        let again = worker.answer("bias", &format!(r#"{{"v":{zero}}}"#)).await;
        assert_replays(&first, &again);
    }
    assert_eq!(world.counted(), (2, 2));
    // One identity, so the body is given the same bits under it whichever spelling comes first.
    for (turn, zero) in [(2, "0.0"), (3, "-0.0")] {
        let turn = worker.turn_of("ann", "run-1", turn);
        let arguments = format!(r#"{{"v":{zero}}}"#);
        let answer = crate::setting::call(&turn, "bias", &arguments).await;
        assert!(answer.is_ok_and(|answer| answer.result.is_ok()));
    }
    let done = world.vendor.book().done;
    let bits: Vec<_> = done.iter().skip(1).map(|effect| &effect.what).collect();
    assert_eq!(bits, [&json!(0), &json!(0), &json!(0)]);
}

/// R17, C03: a zero that a tool answers is the same for the first caller and for every other.
pub(crate) async fn a_negative_zero_in_an_answer_is_the_same_on_a_replay(setting: Setting) {
    let world = World::new(&setting, Keys::Ignored).await;
    let worker = world.worker_with(|b| b.tool::<bias>()).await;
    let first = worker.answer("bias", r#"{"v":1}"#).await;
    let again = worker.answer("bias", r#"{"v":1}"#).await;
    assert_replays(&first, &again);
    let bits = |answer: &idem_tools::Answered| answer.decode::<f64>().expect("a number").to_bits();
    assert_eq!(bits(&first), bits(&again));
}
