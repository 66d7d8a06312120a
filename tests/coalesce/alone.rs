//! A caller who is alone, and what is never grouped.

use crate::bench::{Bench, terms, text};
use idem_core::{
    ClaimId, EndLease, IdempotencyRepository, LeaseToken, Settlement, TakeOver, TakeOverReason,
};
use idem_tests::TestStore;
use idem_tools::{Idem, ProposedCall, Settled, ToolContext, ToolError, tool};

/// R81: with nothing else in flight it steps aside: the statements are the lone call's own.
pub(crate) async fn a_caller_who_is_alone_goes_straight_through(test: TestStore) {
    let bench = Bench::shut(&test).await;
    bench.gated.let_through_all();
    let request = bench.request("k");
    assert!(bench.grouped.get(&request.key).await.unwrap().is_none());
    let terms = terms();
    let claim = bench.grouped.try_claim(&request, ClaimId::mint(), &terms);
    let row = claim.await.unwrap().expect("a free key");
    let held = bench.held(&row);
    assert!(
        bench
            .grouped
            .complete(&held, &text("sent"))
            .await
            .unwrap()
            .is_some()
    );
    assert!(
        !bench.grouped.release(&held).await.unwrap(),
        "it is completed"
    );
    let alone = [
        ("get", 1),
        ("try_claim", 1),
        ("complete", 1),
        ("release", 1),
    ];
    assert_eq!(bench.gated.seen(), alone);
}

/// The other verbs of the plane pass by the queues, and so do those that name many rows themselves.
pub(crate) async fn every_other_verb_goes_to_the_store_as_it_comes(test: TestStore) {
    let bench = Bench::shut(&test).await;
    bench.gated.let_through_all();
    let (request, grouped) = (bench.request("k"), &bench.grouped);
    let held = bench.claimed("k").await;
    assert!(grouped.mark_dispatched(&held).await.unwrap().is_some());
    assert!(grouped.end_lease(&held, EndLease::default()).await.unwrap());
    let row = grouped
        .reclaim(&request, held.token, &terms())
        .await
        .unwrap();
    let row = row.expect("a lapsed row");
    let take = TakeOver {
        reason: TakeOverReason::PastRetention,
        seen: row.lease_token,
        id: ClaimId::mint(),
    };
    assert!(
        grouped
            .take_over(&request, &take, &terms())
            .await
            .unwrap()
            .is_none(),
        "it is kept"
    );
    let said = Settlement {
        happened: true,
        by: "ann".to_owned(),
        note: None,
        answer: text("sent"),
    };
    assert!(
        grouped.settle(&request.key, &said).await.unwrap().is_none(),
        "it is live"
    );
    let other = bench.request("other");
    let seen = text("seen");
    let recorded = grouped.record(&other, ClaimId::mint(), LeaseToken::mint(), &seen);
    assert!(recorded.await.unwrap().is_some());
    assert_eq!(grouped.sweep(10).await.unwrap().deleted, 0);
    grouped.probe().await.expect("a durable store");
    assert_eq!(
        grouped
            .get_many(&[request.key, other.key])
            .await
            .unwrap()
            .len(),
        2
    );
    let seen: Vec<_> = bench
        .gated
        .seen()
        .into_iter()
        .map(|(verb, _)| verb)
        .collect();
    let passed = [
        "mark_dispatched",
        "end_lease",
        "reclaim",
        "take_over",
        "settle",
        "record",
        "sweep",
        "probe",
        "get_many",
    ];
    assert_eq!(seen, passed);
}

/// Send.
#[tool(scope = "tool.note.send", timeout_s = 5)]
async fn send(_ctx: &ToolContext, to: String) -> Result<String, ToolError> {
    Ok(format!("sent to {to}"))
}

/// On by one line, and the calls say what they say without it.
pub(crate) async fn a_tool_set_is_grouped_by_one_line(test: TestStore) {
    let gated = crate::gated::Gated::open(test.open().await);
    let idem = Idem::with_store(gated.clone()).await.unwrap();
    let idem = idem.tool::<send>().coalesce(true).build().unwrap();
    let tenant = idem.organization(idem_core::OrganizationId::random());
    let turn = tenant.principal("ann").unwrap().run("r1").unwrap().turn(1);
    let calls: Vec<_> = (0..64)
        .map(|n| ProposedCall::new(format!("c{n}"), "send", format!(r#"{{"to":"p{n}"}}"#)))
        .collect();
    for replayed in [false, true] {
        for (number, settled) in turn.call_all(calls.clone()).await.into_iter().enumerate() {
            let Ok(Settled::Answer(answered)) = settled else {
                panic!("{settled:?}");
            };
            assert_eq!(answered.replayed, replayed);
            let value = answered.value().expect("a value").to_string();
            assert_eq!(value, format!("\"sent to p{number}\""));
        }
    }
    assert_eq!(test.count_rows("idempotency_keys").await, 64);
    assert!(
        !gated.seen_of("complete_many").is_empty(),
        "{:?}",
        gated.seen()
    );
}
