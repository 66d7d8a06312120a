//! R50, R62: a start that is repeated is one start, and writes one row of its own.

use std::time::Duration;

use idem_core::runs::{NewRun, OnMessage, RUN_DURATION_MAX, RunError, RunStatus, StartKey};
use tokio::task::JoinSet;

use crate::bench::{Bench, id, principal};

fn keyed(bench: &Bench, run: &str, key: &str) -> NewRun {
    NewRun {
        start_key: Some(StartKey::new(key).unwrap()),
        ..bench.new_run(run)
    }
}

/// R62: by its id, and by its start key whatever id a repeat makes up.
pub(crate) async fn a_start_that_is_repeated_is_one_run(bench: Bench) {
    let first = bench.desk.admit(&bench.new_run("run-1")).await.unwrap();
    let again = bench.desk.admit(&bench.new_run("run-1")).await.unwrap();
    assert!(first.fresh && !again.fresh);
    assert_eq!(again.run.created_at, first.run.created_at);

    let first = bench.desk.admit(&keyed(&bench, "run-2", "order-7")).await;
    let again = bench.desk.admit(&keyed(&bench, "run-3", "order-7")).await;
    let (first, again) = (first.unwrap(), again.unwrap());
    assert!(first.fresh && !again.fresh);
    assert_eq!(again.run.run, id("run-2"));
    let missing = bench.desk.get(bench.organization, &id("run-3")).await;
    assert!(matches!(missing, Err(RunError::NotFound(_))));
}

/// R62: a start is repeated as it was, or it is another one.
pub(crate) async fn another_principal_or_start_key_is_refused(bench: Bench) {
    bench.admit(&keyed(&bench, "run-1", "order-7")).await;
    let for_bob = NewRun {
        principal: principal("bob"),
        ..keyed(&bench, "run-1", "order-7")
    };
    let of_another_id = NewRun {
        principal: principal("bob"),
        ..keyed(&bench, "run-2", "order-7")
    };
    let others = [
        for_bob,
        of_another_id,
        keyed(&bench, "run-1", "order-8"),
        bench.new_run("run-1"),
    ];
    for other in others {
        let refused = bench.desk.admit(&other).await;
        assert!(
            matches!(refused, Err(RunError::AnotherStart(_))),
            "{other:?}"
        );
    }
}

/// R62: of twenty starts one is fresh, and all get the same run.
pub(crate) async fn twenty_starts_at_once_are_one_run(bench: Bench) {
    let mut starts = JoinSet::new();
    for start in 0..20 {
        let bench = bench.clone();
        starts.spawn(async move {
            let new = keyed(&bench, &format!("run-{start}"), "order-7");
            bench.desk.admit(&new).await.unwrap()
        });
    }
    let admitted = starts.join_all().await;
    let fresh: Vec<_> = admitted.iter().filter(|one| one.fresh).collect();
    assert_eq!(fresh.len(), 1);
    assert!(admitted.iter().all(|one| one.run.run == fresh[0].run.run));
}

/// R62: what a start says is what is read back.
pub(crate) async fn a_run_is_admitted_as_it_says(bench: Bench) {
    let new = NewRun {
        duration_max: Duration::from_secs(3600),
        starts_at_once: true,
        keeps_open: true,
        on_message: OnMessage::EndsTheTurn,
        ..keyed(&bench, "run-1", "order-7")
    };
    let run = bench.admit(&new).await;
    assert_eq!((&run.run, &run.principal), (&new.run, &new.principal));
    assert_eq!(run.start_key, new.start_key);
    assert_eq!(run.status, RunStatus::Ready);
    assert!(run.starts_at_once && run.keeps_open && !run.live);
    assert_eq!(run.on_message, OnMessage::EndsTheTurn);
    assert_eq!((run.segments, run.failures, run.token), (0, 0, None));
    assert!(run.time_left <= new.duration_max);
    assert!(run.time_left > new.duration_max / 2);
    assert_eq!(bench.admitted("run-2").await.status, RunStatus::Idle);
}

/// R50: what its calls answered is remembered so long, and no longer.
pub(crate) async fn a_run_longer_than_answers_are_remembered_is_refused(bench: Bench) {
    let longest = NewRun {
        duration_max: RUN_DURATION_MAX,
        ..bench.new_run("run-1")
    };
    bench.admit(&longest).await;
    let longer = NewRun {
        duration_max: RUN_DURATION_MAX + Duration::from_secs(1),
        ..bench.new_run("run-2")
    };
    let refused = bench.desk.admit(&longer).await;
    assert!(matches!(refused, Err(RunError::TooLong { .. })));
}

/// R62, contract 2: the insert of the run is the claim.
pub(crate) async fn an_admission_writes_no_row_in_the_plane(bench: Bench) {
    bench.admit(&keyed(&bench, "run-1", "order-7")).await;
    bench.admitted("run-2").await;
    bench.post("run-2", "m1").await;
    bench.take("run-2").await;
    assert_eq!(bench.plane_rows().await, 0);
}
