//! What somebody found out about an unknown outcome.

use idem_core::states::RowState;
use idem_core::{Answer, Ending, OutcomeKind, Resource, Settlement};
use idem_tests::TestStore;

use crate::plane::{LEASE, Plane, answer, answered, assert_untouched, text};
use crate::rows::{build, settlement};

/// R32: a lapsed claim is completed by it, in every kind of lapse, and its owner is fenced out.
pub(crate) async fn a_settlement_completes_a_lapsed_claim(store: TestStore) {
    let plane = Plane::open(store).await;
    let states = RowState::ALL.into_iter().filter(|state| state.is_lapsed());
    for (number, state) in states.enumerate() {
        for happened in [true, false] {
            let built = build(&plane, &format!("k{number} {happened}"), state).await;
            let settled = plane
                .service
                .settle(&built.request.key, &settlement(happened))
                .await;
            let settled = settled.expect("an outcome").expect("a settlement");
            let kind = if happened {
                OutcomeKind::Answer
            } else {
                OutcomeKind::OutcomeUnknown
            };
            let stored = answered(
                plane
                    .service
                    .claim(&built.request, LEASE)
                    .await
                    .expect("one"),
            );
            for answer in [settled, stored] {
                assert_eq!(
                    (answer.kind, text(&answer).as_str()),
                    (kind, r#"{"found":true}"#)
                );
                let found = answer.settled.expect("a settlement");
                assert_eq!(
                    (found.happened, found.by.as_deref()),
                    (happened, Some("ann"))
                );
            }
            let late = plane
                .service
                .complete(built.owner, &answer("0"))
                .await
                .expect("an end");
            assert_eq!(late, Ending::LeaseLost);
            plane.service.leave_in_doubt(built.fenced_out);
        }
    }
}

/// R32: a completed unknown outcome keeps its first answer, and the news stands beside it.
pub(crate) async fn a_settlement_stands_beside_the_first_answer(store: TestStore) {
    let plane = Plane::open(store.clone()).await;
    for happened in [true, false] {
        let key = format!("k {happened}");
        let built = build(&plane, &key, RowState::OutcomeUnknown).await;
        let before = plane.row(&built.request).await;
        let settled = plane
            .service
            .settle(&built.request.key, &settlement(happened))
            .await;
        let answer = settled.expect("an outcome").expect("a settlement");
        assert_eq!(
            (answer.kind, text(&answer).as_str()),
            (OutcomeKind::OutcomeUnknown, "{}")
        );
        let news = answer.settled.expect("a settlement");
        assert_eq!(
            news.response.as_deref(),
            Some(br#"{"found":true}"#.as_slice())
        );
        let mut after = plane.row(&built.request).await;
        assert!(after.settled.take().is_some());
        assert_untouched(&before, &after);
        built.put_aside(&plane);
    }
    let notes = store
        .texts(
            "SELECT settled_note FROM agent.idempotency_keys",
            "SELECT settled_note FROM agent_idempotency_keys",
        )
        .await;
    assert_eq!(notes, vec![Some("asked the vendor".to_owned()); 2]);
}

/// R32: absent, live, answered, settled before, or forgotten: nothing is changed.
pub(crate) async fn there_is_nothing_to_settle_elsewhere(store: TestStore) {
    let plane = Plane::open(store).await;
    let settles = |state: &RowState| state.is_lapsed() || *state == RowState::OutcomeUnknown;
    for (number, state) in RowState::ALL.into_iter().enumerate() {
        if settles(&state) {
            continue;
        }
        let built = build(&plane, &format!("k{number}"), state).await;
        let before = plane.snapshot().await;
        let settled = plane
            .service
            .settle(&built.request.key, &settlement(false))
            .await;
        assert!(settled.expect("an outcome").is_none(), "{state:?}");
        assert_eq!(plane.snapshot().await, before, "{state:?}");
        built.put_aside(&plane);
    }
}

/// R12, R32: the answer that was found may be a resource, alone or beside a response.
pub(crate) async fn a_settlement_may_name_a_resource(store: TestStore) {
    let plane = Plane::open(store).await;
    let mail = Resource::new("mail.message", "m-1").expect("a resource");
    let alone = Answer::resource(mail.clone());
    for (key, found) in [
        ("alone", alone),
        ("both", answer("[1]").naming(mail.clone())),
    ] {
        let built = build(&plane, key, RowState::LapsedMarked).await;
        let news = Settlement {
            answer: found.clone(),
            ..settlement(true)
        };
        let settled = plane
            .service
            .settle(&built.request.key, &news)
            .await
            .expect("an outcome");
        assert!(settled.is_some());
        let stored = answered(
            plane
                .service
                .claim(&built.request, LEASE)
                .await
                .expect("one"),
        );
        assert_eq!(stored.resource.as_ref(), Some(&mail));
        assert_eq!(stored.response.as_ref(), found.response());
        built.put_aside(&plane);
    }
}

/// R32: of twenty people who settle at once, one is written down.
pub(crate) async fn one_of_twenty_settlements_is_written_down(store: TestStore) {
    let plane = Plane::open(store).await;
    for (key, state) in [
        ("unknown", RowState::OutcomeUnknown),
        ("lapsed", RowState::LapsedMarked),
    ] {
        let built = build(&plane, key, state).await;
        let settled = crate::plane::race(20, |racer| {
            let (service, key) = (plane.service.clone(), built.request.key.clone());
            async move {
                let news = Settlement {
                    by: format!("person {racer}"),
                    ..settlement(racer % 2 == 0)
                };
                service
                    .settle(&key, &news)
                    .await
                    .expect("an outcome")
                    .map(|_| news.by)
            }
        })
        .await;
        let writers: Vec<_> = settled.into_iter().flatten().collect();
        assert_eq!(writers.len(), 1, "{writers:?}");
        let stored = plane
            .row(&built.request)
            .await
            .settled
            .expect("a settlement");
        assert_eq!(stored.by.as_ref(), writers.first());
        built.put_aside(&plane);
    }
}
