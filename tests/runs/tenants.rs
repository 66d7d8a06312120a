//! A tenant neither sees nor changes another's rows.

use idem_core::identity::{LogicalTurn, MessageId};
use idem_core::runs::{BegunTurn, EndRun, NewRun, RunError, RunStatus, StartKey};

use crate::bench::{Bench, LEASE, id, ready_now, says};

const HOW: EndRun = EndRun {
    status: RunStatus::Failed,
    reason: None,
    answered_upto: None,
};

pub(crate) async fn a_tenant_sees_and_changes_its_own_runs_only(bench: Bench) {
    let (ours, theirs) = (&bench, bench.neighbour());
    ours.admitted("run-1").await;
    ours.post("run-1", "m1").await;
    let token = ours.take("run-1").await;
    let card = ours.card("run-1", 1).await;
    let turn = BegunTurn {
        number: 1,
        turn: LogicalTurn::of_messages(&[MessageId::new("m1").unwrap()]).unwrap(),
        upto: 1,
    };
    let (their, run, store) = (theirs.organization, id("run-1"), &ours.store);
    assert!(store.run(their, &run).await.unwrap().is_none());
    assert!(
        store
            .take_segment(their, &run, token, LEASE)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store
            .renew_segment(their, &run, token, LEASE)
            .await
            .unwrap()
            .is_none()
    );
    assert!(theirs.leave("run-1", token, &ready_now()).await.is_none());
    assert!(
        store
            .end_run(their, &run, Some(token), &HOW)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store
            .request_cancel(their, &run, "eve")
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store
            .post_message(their, &run, &says("m2"))
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store
            .message(their, &says("m1").id)
            .await
            .unwrap()
            .is_none()
    );
    assert!(store.messages(their, &run, 0).await.unwrap().is_empty());
    let begun = store.begin_run_turn(their, &run, token, &turn).await;
    assert!(begun.unwrap().is_none());
    assert!(store.run_turns(their, &run).await.unwrap().is_empty());
    let taken = store.withdraw_cards_of_run(their, &run, "mine now").await;
    assert_eq!(taken.unwrap(), 0);
    let missing = theirs.desk.cancel(their, &run, "eve").await;
    assert!(matches!(missing, Err(RunError::NotFound(_))));

    let own = ours.get("run-1").await;
    assert_eq!((own.token, own.cancel_requested_by), (Some(token), None));
    assert!(ours.cards().show(card.id).await.unwrap().is_some());
    // The same ids are theirs to use.
    theirs.admitted("run-1").await;
    assert_eq!(theirs.post("run-1", "m1").await.place, 1);
    theirs.take("run-1").await;
}

/// A driver of one tenant gets that tenant's runs; one of all gets both.
pub(crate) async fn a_tenant_is_listed_its_own_runs_only(bench: Bench) {
    let theirs = bench.neighbour();
    bench.admitted("run-1").await;
    bench.left("run-1", &ready_now()).await;
    theirs.admitted("run-2").await;
    theirs.left("run-2", &ready_now()).await;
    assert_eq!(bench.ready().await, ["run-1"]);
    assert_eq!(theirs.ready().await, ["run-2"]);
    assert_eq!(bench.store.ready_runs(None, 100).await.unwrap().len(), 2);
}

pub(crate) async fn a_start_key_is_of_one_tenant(bench: Bench) {
    let theirs = bench.neighbour();
    for tenant in [&bench, &theirs] {
        let new = NewRun {
            start_key: Some(StartKey::new("order-7").unwrap()),
            ..tenant.new_run("run-1")
        };
        assert!(tenant.desk.admit(&new).await.unwrap().fresh);
    }
}
