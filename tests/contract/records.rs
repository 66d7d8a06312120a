//! Answers that are stored without a claim: the first writer wins.

use idem_core::states::RowState;
use idem_core::{
    Answer, Ending, IdempotencyService, RecordOutcome, Resource, Status, StoredAnswer,
};
use idem_tests::TestStore;

use crate::plane::{FORGOTTEN, LEASE, Plane, answer, answered, race, text};
use crate::rows::build;

fn recorded(outcome: RecordOutcome) -> Box<StoredAnswer> {
    match outcome {
        RecordOutcome::Recorded(answer) => answer,
        other => panic!("it was not recorded: {other:?}"),
    }
}

/// R27: one answer of twenty is stored, and every loser is given it.
pub(crate) async fn the_first_writer_wins_and_the_losers_get_its_answer(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    let services = [
        plane.service.clone(),
        IdempotencyService::new(store.open().await),
    ];
    for round in 0..20 {
        let request = plane.request(&format!("round {round}"));
        let outcomes = race(20, |racer| {
            let (service, request) = (services[racer % 2].clone(), request.clone());
            async move {
                let own = answer(&format!("[{racer}]"));
                (
                    racer,
                    service.record(&request, &own).await.expect("an outcome"),
                )
            }
        })
        .await;
        let row = plane.row(&request).await;
        let stored = String::from_utf8(row.response.expect("a response").bytes.to_vec());
        let stored = stored.expect("text");
        let mut writers = 0;
        for (racer, outcome) in outcomes {
            let given = match outcome {
                RecordOutcome::Recorded(own) => {
                    writers += 1;
                    assert_eq!(text(&own), format!("[{racer}]"));
                    own
                }
                RecordOutcome::Completed(winners) => winners,
                other => panic!("in round {round}: {other:?}"),
            };
            assert_eq!(text(&given), stored, "in round {round}");
        }
        assert_eq!(writers, 1, "in round {round}");
    }
}

/// R27, R12, R17: what is recorded is an answer like any other, without a lease.
pub(crate) async fn a_recorded_answer_is_read_back_by_read_and_claim(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let resource = Resource::new("crm.company", "42").expect("a resource");
    let both = answer("[1]").naming(resource.clone());
    let own = recorded(
        plane
            .service
            .record(&request, &both)
            .await
            .expect("an outcome"),
    );
    let row = plane.row(&request).await;
    assert_eq!(
        (row.status, row.attempt, row.epoch),
        (Status::Completed, 1, 0)
    );
    assert!(!row.live && row.kept && row.dispatched_at.is_none() && !row.doubt);
    let again = answered(
        plane
            .service
            .claim(&request, LEASE)
            .await
            .expect("an outcome"),
    );
    for stored in [own, again] {
        assert_eq!((text(&stored).as_str(), stored.claim), ("[1]", row.id));
        assert_eq!(stored.resource.as_ref(), Some(&resource));
    }
    let alone = plane.request("alone");
    let company = Answer::resource(resource.clone());
    let stored = recorded(
        plane
            .service
            .record(&alone, &company)
            .await
            .expect("an outcome"),
    );
    assert_eq!((stored.response, stored.resource), (None, Some(resource)));
}

/// R16, R27: a forgotten row counts as absent, whatever was in it and whatever content is recorded.
pub(crate) async fn a_forgotten_row_is_recorded_over(store: TestStore) {
    let plane = Plane::open(store).await;
    let states = RowState::ALL
        .into_iter()
        .filter(|state| state.is_past_retention());
    for (number, state) in states.enumerate() {
        let key = format!("k{number}");
        let built = build(&plane, &key, state).await;
        let (other, before) = (plane.other(&key), plane.row(&built.request).await);
        let own = recorded(
            plane
                .service
                .record(&other, &answer("[2]"))
                .await
                .expect("one"),
        );
        let row = plane.row(&other).await;
        assert_eq!(
            (text(&own).as_str(), own.claim, own.settled),
            ("[2]", row.id, None)
        );
        assert_ne!((row.id, row.lease_token), (before.id, before.lease_token));
        assert_eq!(
            (row.request_hash, row.attempt, row.epoch),
            (other.hash, 1, 0)
        );
        assert!(row.kept && !row.doubt && row.first_dispatched_at.is_none());
        assert_eq!(row.first_claimed_at, row.claimed_at);
        built.put_aside(&plane);
    }
    let request = plane.request("whole");
    plane.completed(&request, &answer("[1]")).await;
    plane.age(&request, FORGOTTEN).await;
    let company = Answer::resource(Resource::new("crm.company", "42").expect("a resource"));
    let own = recorded(
        plane
            .service
            .record(&request, &company)
            .await
            .expect("an outcome"),
    );
    assert!(
        own.response.is_none(),
        "nothing of the forgotten answer is left"
    );
}

/// R27: somebody is at work, so its answer will be the one.
pub(crate) async fn a_record_under_a_live_claim_is_in_flight(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let owner = plane.claimed(&request).await;
    let before = plane.snapshot().await;
    match plane
        .service
        .record(&request, &answer("0"))
        .await
        .expect("an outcome")
    {
        RecordOutcome::Processing(in_flight) => assert_eq!(in_flight.attempt, 1),
        other => panic!("an owner is at work: {other:?}"),
    }
    assert_eq!(plane.snapshot().await, before);
    let ending = plane
        .service
        .complete(owner, &answer("[1]"))
        .await
        .expect("an end");
    assert_eq!(ending, Ending::Done);
    match plane
        .service
        .record(&request, &answer("0"))
        .await
        .expect("an outcome")
    {
        RecordOutcome::Completed(stored) => assert_eq!(text(&stored), "[1]"),
        other => panic!("the owner was first: {other:?}"),
    }
}

/// R27, R7: a record ends a lapsed claim, and its owner is fenced out.
pub(crate) async fn a_record_takes_a_lapsed_claim_over(store: TestStore) {
    let plane = Plane::open(store).await;
    let states = RowState::ALL.into_iter().filter(|state| state.is_lapsed());
    for (number, state) in states.enumerate() {
        let built = build(&plane, &format!("k{number}"), state).await;
        let own = plane.service.record(&built.request, &answer("[3]")).await;
        let own = recorded(own.expect("an outcome"));
        assert_eq!((text(&own).as_str(), own.attempt), ("[3]", 3));
        assert_eq!(plane.state(&built.request).await, RowState::Completed);
        let late = plane
            .service
            .complete(built.owner, &answer("[2]"))
            .await
            .expect("an end");
        assert_eq!(late, Ending::LeaseLost);
        plane.service.leave_in_doubt(built.fenced_out);
        let stored = plane
            .service
            .claim(&built.request, LEASE)
            .await
            .expect("an outcome");
        assert_eq!(text(&answered(stored)), "[3]");
    }
}
