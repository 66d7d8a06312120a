//! R11, R42: a decision whose acknowledgement was lost. The proxy stands before PostgreSQL.

use crate::bench::{Bench, done, says_no, stands};
use idem_core::OpenMode;
use idem_tests::proxy::Proxy;
use idem_tests::{StoreKind, TestStore, run_case};

async fn case(store: TestStore) {
    store.open().await;
    let proxy = Proxy::start(&store.url).await;
    let opened = idem_core::open(proxy.url(), OpenMode::Migrate).await;
    let bench = Bench::new(opened.unwrap());
    let card = bench.open(1).await;
    proxy.cut_after_request_containing("SET status = $4", 1);
    let no = done(bench.deny(&card, "not today").await);
    assert_eq!(proxy.cuts(), 1);
    assert_eq!(no.reason.as_deref(), Some("not today"));

    // Somebody else's decision is not taken for one's own.
    let card = bench.open(2).await;
    done(bench.approve(&card).await);
    proxy.cut_after_request_containing("SET status = $4", 1);
    let late = bench.desk.decide(&says_no(&card, "bob", "no")).await;
    stands(late.unwrap());
    assert_eq!(proxy.cuts(), 2);
}

/// R11, R42: it finds itself, and is told as done.
#[test]
fn a_decision_whose_acknowledgement_was_lost_finds_itself() {
    run_case(StoreKind::Postgres, case);
}
