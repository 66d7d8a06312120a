//! A commit whose acknowledgement is lost, behind a proxy before PostgreSQL (R11, R14).

use crate::calls::{MINUTE, answer, create_table, in_flight, of_row, schedules};
use crate::transactional::{Script, worker};
use idem_tests::proxy::Proxy;
use idem_tests::{StoreKind, TestStore, run_case};

/// Where a call names `COMMIT` for the second time; the first is the `READ COMMITTED` of its transaction's beginning.
const COMMIT: (&str, usize) = ("COMMIT", 2);

fn behind(proxy: &Proxy) -> TestStore {
    TestStore {
        url: proxy.url().to_owned(),
        kind: StoreKind::Postgres,
        grouped: false,
    }
}

/// R14: the journal is read, and a completed row with this claim's token is this claim's success.
#[test]
fn a_commit_whose_reply_is_lost_is_found_in_the_journal() {
    run_case(StoreKind::Postgres, async |store: TestStore| {
        create_table(&store).await;
        let proxy = Proxy::start(&store.url).await;
        let script = Script::default();
        let turn = worker(&behind(&proxy), &script).await;
        proxy.cut_after_request_containing(COMMIT.0, COMMIT.1);
        let done = answer(&turn, "create_schedule").await;
        proxy.wait_for_cuts(1).await;
        assert!(done.value().is_some());
        assert!(!done.replayed, "it is this call's own answer");
        assert_eq!((schedules(&store).await, script.runs()), (1, 1));
        let again = answer(&turn, "create_schedule").await;
        assert!(again.replayed);
        assert_eq!(again.result, done.result);
    });
}

/// R14: a commit that may arrive yet is left to its lease, and the takeover finds whichever came.
#[test]
fn a_commit_that_never_arrived_is_left_to_its_lease() {
    run_case(StoreKind::Postgres, async |store: TestStore| {
        create_table(&store).await;
        let proxy = Proxy::start(&store.url).await;
        let script = Script::default();
        let turn = worker(&behind(&proxy), &script).await;
        proxy.cut_before_request_containing(COMMIT.0, COMMIT.1);
        let left = in_flight(&turn, "create_schedule").await;
        assert!(left > MINUTE / 6, "the lease still runs: {left:?}");
        assert_eq!(of_row(&store, "status = 'processing'").await, 1);
        in_flight(&turn, "create_schedule").await;
        store.age_all(MINUTE).await;
        let done = answer(&turn, "create_schedule").await;
        assert_eq!(
            (done.attempt, schedules(&store).await, script.runs()),
            (2, 1, 2)
        );
    });
}
