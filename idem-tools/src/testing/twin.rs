//! The same turn twice, in two workers, the second as a model would say it the next time.

use super::model::Said;
use super::{ScriptedModel, TwinCall, TwinReport, Worker, WorkerStore};
use crate::{CallError, IdemBuilder, OrganizationId, Settled};

/// Runs a model's turn in one worker, which then vanishes, and once more in a second one, [said
/// differently](ScriptedModel::resampled). Reports each call, with the effects that came with it.
///
/// `equip` adds the tools to either worker. `effects` counts at the vendor: how many effects it has made so far. The
/// calls are made one after another, so that an effect can be told by its call.
///
/// # Panics
///
/// As [`Worker::start`].
pub async fn twin_run<Equip, Count>(
    store: &impl WorkerStore,
    model: &ScriptedModel,
    equip: Equip,
    effects: Count,
) -> TwinReport
where
    Equip: Fn(IdemBuilder) -> IdemBuilder + Clone + Send + 'static,
    Count: Fn() -> usize,
{
    twin_run_as(store, [model, &model.resampled()], equip, effects).await
}

/// As [`twin_run`], with the second saying chosen: [`ScriptedModel::resampled_by`] leaves ways of saying it out.
///
/// # Panics
///
/// As [`Worker::start`].
pub async fn twin_run_as<Equip, Count>(
    store: &impl WorkerStore,
    [first, second]: [&ScriptedModel; 2],
    equip: Equip,
    effects: Count,
) -> TwinReport
where
    Equip: Fn(IdemBuilder) -> IdemBuilder + Clone + Send + 'static,
    Count: Fn() -> usize,
{
    // A run of its own: what an earlier one of this store did is not this one's.
    let run = format!("twin-{}", OrganizationId::random().as_uuid());
    let before = effects();
    let mut runs = [Vec::new(), Vec::new()];
    let mut after = [before; 2];
    for (at, model) in [first, second].into_iter().enumerate() {
        let worker = Worker::start(store, equip.clone()).await;
        let worker = worker.in_run(run.clone());
        runs[at] = run_once(&worker, model, &effects).await;
        after[at] = effects();
        worker.vanish();
    }
    let [first, second] = runs;
    TwinReport {
        first,
        second,
        effects_before: before,
        effects_after_first: after[0],
        effects_after_second: after[1],
    }
}

async fn run_once(
    worker: &Worker,
    model: &ScriptedModel,
    effects: &impl Fn() -> usize,
) -> Vec<TwinCall> {
    let mut made = Vec::new();
    let turn = worker.turn(1);
    for (step, number) in (0..model.steps()).zip(0..) {
        let turn = turn.step(number);
        for said in model.said(step) {
            let before = effects();
            let settled = turn.call(said.proposed()).await;
            let more = effects().saturating_sub(before);
            made.push(entry((step, said), more, settled));
        }
    }
    made
}

fn entry(
    (step, said): (usize, Said),
    effects: usize,
    settled: Result<Settled, CallError>,
) -> TwinCall {
    let mut call = TwinCall {
        of: said.origin.map(|origin| (step, origin)),
        tool: said.tool,
        arguments: said.arguments,
        key: None,
        effects,
        answer: Err(String::new()),
        stored: false,
        replayed: false,
    };
    match settled {
        Ok(Settled::Answer(answer)) => {
            call.key = answer.key;
            call.answer = Ok(answer.to_model_text());
            call.stored = answer.kind.is_some();
            call.replayed = answer.replayed;
        }
        Ok(Settled::Waiting(waiting)) => {
            call.key = Some(waiting.key);
            call.answer = Err("it waits for a person".to_owned());
        }
        Err(error) => call.answer = Err(error.to_string()),
    }
    call
}
