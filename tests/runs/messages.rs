//! R49: a message comes once, has its place, and no end of its run overlooks it.

use idem_core::runs::{EndRun, MESSAGE_BYTES_MAX, MessageKind, NewMessage, RunError, RunStatus};
use tokio::task::JoinSet;

use crate::bench::{Bench, id, says};

const ENDED: EndRun = EndRun {
    status: RunStatus::Completed,
    reason: None,
    answered_upto: None,
};

/// R49: a message that is delivered again is the same one.
pub(crate) async fn a_message_is_stored_once_for_its_id(bench: Bench) {
    bench.admitted("run-1").await;
    let (organization, run) = (bench.organization, id("run-1"));
    let first = bench.desk.post(organization, &run, &says("m1")).await;
    let again = bench.desk.post(organization, &run, &says("m1")).await;
    let (first, again) = (first.unwrap(), again.unwrap());
    assert!(first.fresh && !again.fresh);
    assert_eq!((first.message.place, &first.message), (1, &again.message));
    assert_eq!(bench.post("run-1", "m2").await.place, 2);
    let behind = bench.store.messages(organization, &run, 1).await.unwrap();
    assert_eq!(behind.len(), 1);
    assert_eq!(behind[0].message, says("m2"));
}

/// R49: the turn is named after its messages, so an id means one content.
pub(crate) async fn the_same_id_with_another_content_is_refused(bench: Bench) {
    bench.admitted("run-1").await;
    bench.post("run-1", "m1").await;
    let other_words = NewMessage {
        body: "something else".to_owned(),
        ..says("m1")
    };
    let other_kind = NewMessage {
        kind: MessageKind::News,
        ..says("m1")
    };
    for other in [other_words, other_kind] {
        let refused = bench
            .desk
            .post(bench.organization, &id("run-1"), &other)
            .await;
        assert!(matches!(refused, Err(RunError::AnotherMessage(_))));
    }
}

/// R49: two runs that answered one id would share a turn, and with it the answers of their calls.
pub(crate) async fn an_id_of_another_run_is_refused(bench: Bench) {
    bench.admitted("run-1").await;
    bench.admitted("run-2").await;
    bench.post("run-1", "m1").await;
    let refused = bench
        .desk
        .post(bench.organization, &id("run-2"), &says("m1"))
        .await;
    assert!(matches!(refused, Err(RunError::AnotherMessage(_))));
    let theirs = bench
        .store
        .messages(bench.organization, &id("run-2"), 0)
        .await;
    assert!(theirs.unwrap().is_empty());
    assert_eq!(bench.post("run-2", "m2").await.place, 1);
}

/// R49: places from 1, each once.
pub(crate) async fn twenty_posters_leave_no_gap(bench: Bench) {
    bench.admitted("run-1").await;
    let mut posters = JoinSet::new();
    for poster in 0..20 {
        let bench = bench.clone();
        posters.spawn(async move {
            let message = format!("m{poster}");
            bench.post("run-1", &message).await.place
        });
    }
    let mut places = posters.join_all().await;
    places.sort_unstable();
    assert_eq!(places, (1..=20).collect::<Vec<_>>());
}

/// R49: nineteen of them find it there, and none of them leaves a hole.
pub(crate) async fn twenty_posters_of_one_message_store_one(bench: Bench) {
    bench.admitted("run-1").await;
    let mut posters = JoinSet::new();
    for _ in 0..20 {
        let bench = bench.clone();
        posters.spawn(async move {
            let (run, message) = (id("run-1"), says("m1"));
            let posted = bench.desk.post(bench.organization, &run, &message).await;
            posted.unwrap()
        });
    }
    let posted = posters.join_all().await;
    assert_eq!(posted.iter().filter(|one| one.fresh).count(), 1);
    assert!(posted.iter().all(|one| one.message.place == 1));
    assert_eq!(bench.post("run-1", "m2").await.place, 2);
}

pub(crate) async fn an_ended_run_takes_no_message(bench: Bench) {
    bench.admitted("run-1").await;
    bench.post("run-1", "m1").await;
    let (organization, run) = (bench.organization, id("run-1"));
    bench
        .desk
        .end(organization, &run, None, &ENDED)
        .await
        .unwrap();
    let refused = bench.desk.post(organization, &run, &says("m2")).await;
    assert!(matches!(refused, Err(RunError::Ended(_))));
    // What came before is still told to whoever repeats it.
    let again = bench.desk.post(organization, &run, &says("m1")).await;
    assert!(!again.unwrap().fresh);
    let nowhere = bench
        .desk
        .post(organization, &id("run-9"), &says("m3"))
        .await;
    assert!(matches!(nowhere, Err(RunError::NotFound(_))));
}

/// R75: a bound, and an error that names both sizes.
/// One contract: what PostgreSQL cannot store is refused on every store, with the reason.
pub(crate) async fn a_message_that_a_store_does_not_take_is_refused_by_each(bench: Bench) {
    bench.admitted("run-1").await;
    let message = NewMessage {
        body: "from a\u{0}terminal".to_owned(),
        ..says("m1")
    };
    let (organization, run) = (bench.organization, id("run-1"));
    let refused = bench.desk.post(organization, &run, &message).await;
    assert!(
        matches!(&refused, Err(RunError::MessageHoldsNul(id)) if *id == message.id),
        "{refused:?}"
    );
    bench.post("run-1", "m1").await;
}

pub(crate) async fn a_message_has_a_size(bench: Bench) {
    bench.admitted("run-1").await;
    let of = |bytes: usize| NewMessage {
        body: "x".repeat(bytes),
        ..says("m1")
    };
    let (organization, run) = (bench.organization, id("run-1"));
    let longer = of(MESSAGE_BYTES_MAX + 1);
    let refused = bench.desk.post(organization, &run, &longer).await;
    match refused {
        Err(RunError::MessageTooLong { bytes, max }) => {
            assert_eq!((bytes, max), (MESSAGE_BYTES_MAX + 1, MESSAGE_BYTES_MAX));
        }
        other => panic!("it is too long: {other:?}"),
    }
    let longest = of(MESSAGE_BYTES_MAX);
    assert!(
        bench
            .desk
            .post(organization, &run, &longest)
            .await
            .unwrap()
            .fresh
    );
}

/// R49: the owner's look at the messages and its end of the run are two statements; what comes between is not lost.
pub(crate) async fn a_run_does_not_complete_past_a_message(bench: Bench) {
    bench.admitted("run-1").await;
    bench.post("run-1", "m1").await;
    let token = bench.take("run-1").await;
    let (organization, run) = (bench.organization, id("run-1"));
    bench.post("run-1", "m2").await;
    let upto = |place| EndRun {
        answered_upto: Some(place),
        ..ENDED
    };
    let overlooked = bench
        .desk
        .end(organization, &run, Some(token), &upto(1))
        .await;
    assert!(overlooked.unwrap().is_none());
    assert!(!bench.get("run-1").await.status.has_ended());
    let ended = bench
        .desk
        .end(organization, &run, Some(token), &upto(2))
        .await;
    assert_eq!(ended.unwrap().unwrap().status, RunStatus::Completed);
}

/// R49: of a message and the end of a run that has answered all others, one comes first: the message is refused, or the
/// run goes on.
pub(crate) async fn a_message_and_an_end_never_pass_each_other(bench: Bench) {
    for round in 0..100 {
        let name = format!("run-{round}");
        bench.admitted(&name).await;
        let token = bench.take(&name).await;
        let how = EndRun {
            answered_upto: Some(0),
            ..ENDED
        };
        let (organization, run) = (bench.organization, id(&name));
        let message = says(&format!("m{round}"));
        let (posted, ended) = tokio::join!(
            bench.desk.post(organization, &run, &message),
            bench.desk.end(organization, &run, Some(token), &how),
        );
        let (stored, over) = (posted.is_ok(), ended.unwrap().is_some());
        assert!(
            stored != over,
            "round {round}: stored {stored}, over {over}"
        );
        assert!(matches!(posted, Ok(_) | Err(RunError::Ended(_))));
    }
}
