//! The harness' own work for one call: a run with one message, a model that proposes one call and then says its last
//! words, and a tool whose body returns at once, on the store in memory.
//!
//! Each measurement has a new store, which is made outside the measured part. The runtime has one thread, and what is
//! measured is that thread's processor time: work, and no waiting, so that other programs of the machine disturb it little.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use idem_bench::{AdmittedRun, Scripted, call_alone, definitions, lone_turn, loop_by_hand};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// How many are made before they are measured together: so looking at the clock costs nothing that could be seen.
const AT_ONCE: u64 = 32;

/// How long this thread has had a processor.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let part = |part: i64| u64::try_from(part).unwrap_or_default();
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

/// Measures what is done with something that is made, and dropped, outside the measured part.
fn measure<Made>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    (name, runtime): (&str, &Runtime),
    make: &impl AsyncFn() -> Made,
    work: &impl AsyncFn(&mut Made),
) {
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|times| {
            let (mut taken, mut left) = (Duration::ZERO, times);
            while left > 0 {
                let many = left.min(AT_ONCE);
                left -= many;
                let mut all = Vec::new();
                runtime.block_on(async {
                    for _ in 0..many {
                        all.push(make().await);
                    }
                    let began = worked();
                    for made in &mut all {
                        work(made).await;
                    }
                    taken += worked() - began;
                });
            }
            taken
        });
    });
}

#[allow(clippy::expect_used, reason = "without a runtime nothing is measured")]
fn one_call(criterion: &mut Criterion) {
    let runtime = Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a tokio runtime");
    let mut group = criterion.benchmark_group("one_call");
    measure(
        &mut group,
        ("loop_by_hand", &runtime),
        &definitions,
        &async |tools| loop_by_hand(&Scripted, tools).await,
    );
    measure(
        &mut group,
        ("idem_alone", &runtime),
        &lone_turn,
        &async |turn| call_alone(turn).await,
    );
    measure(
        &mut group,
        ("harness", &runtime),
        &async || AdmittedRun::admit(AdmittedRun::harness().await).await,
        &async |run| run.drive().await,
    );
    // Apart: what stands before the first segment of a run.
    measure(
        &mut group,
        ("admission", &runtime),
        &async || (AdmittedRun::harness().await, None),
        &async |(harness, admitted)| *admitted = Some(AdmittedRun::admit(harness.clone()).await),
    );
    group.finish();
}

criterion_group!(harness, one_call);
criterion_main!(harness);
