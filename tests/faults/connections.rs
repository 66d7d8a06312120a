//! Connections to PostgreSQL that are not there, or end at the wrong moment (R11, R14, R19).

use std::sync::Arc;

use idem_core::approval::{ApprovalDesk, CardFilter};
use idem_core::identity::RunId;
use idem_core::runs::{NewRun, RunDesk};
use idem_core::{OpenMode, OrganizationId, Principal, RepositoryError, Store, open};
use idem_tests::TestStore;
use idem_tests::proxy::Proxy;
use idem_tests::url;
use idem_tests::vendor::{Keys, Vendor};

use crate::agent::{Afterwards, Agent};
use crate::plane::request;

/// Ends every connection of the store's to the test's database, as a restart of the server does, and
/// waits until they are gone.
async fn terminate(store: &TestStore) {
    let others = "FROM pg_stat_activity \
                  WHERE datname = current_database() AND pid <> pg_backend_pid() \
                  AND application_name = 'idem'";
    let ended = format!("SELECT count(pg_terminate_backend(pid)) {others}");
    assert!(store.number(&ended, "").await > 0, "nothing was ended");
    while store.number(&format!("SELECT count(*) {others}"), "").await > 0 {}
}

pub(crate) async fn a_server_that_is_down_is_unavailable_and_the_password_stays_secret(
    store: TestStore,
) {
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = nobody.local_addr().unwrap();
    drop(nobody);
    let refusing = Proxy::start(&store.url).await;
    refusing.refuse(true);
    for address in [address, refusing.address()] {
        let down = url::with_address("postgres://ann:s3cret@db/idem", address);
        for mode in [OpenMode::Migrate, OpenMode::AsIs] {
            let error = open(&down, mode).await.expect_err("nobody listens");
            assert!(
                matches!(error, RepositoryError::Unavailable(_)),
                "{error:?}"
            );
            assert!(error.is_transient(), "it may come up");
            let (text, debug) = (error.to_string(), format!("{error:?}"));
            assert!(
                !text.contains("s3cret") && !debug.contains("s3cret"),
                "{debug}"
            );
            let port = address.port().to_string();
            assert!(text.contains(&port), "which server: {text}");
        }
    }
}

/// The body ends every connection of the pool between the claim and the completion: the completion
/// finds its way, and the effect is made once.
pub(crate) async fn connections_that_end_while_the_body_runs_cost_the_answer_nothing(
    store: TestStore,
) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let ending = store.clone();
    let terminating: Afterwards = Arc::new(move || {
        let store = ending.clone();
        Box::pin(async move { terminate(&store).await })
    });
    let agent = Agent::open_and(&store.url, &vendor, terminating).await;
    for (effects, tool) in (1..).zip(["keyed", "once", "marked", "read"]) {
        assert!(!agent.call_ok(tool, "a").await, "{tool} executed");
        assert!(agent.call_ok(tool, "a").await, "{tool} is stored");
        assert_eq!(vendor.book().effects, effects, "{tool}");
    }
}

/// Opens every connection of the pool, so that a restart ends more of them than a verb is asked again.
async fn fill_the_pool(opened: &Arc<dyn Store>) {
    let reads = (0..10).map(|_| {
        let (opened, key) = (opened.clone(), request(1).key);
        tokio::spawn(async move { opened.get(&key).await.map(|row| row.is_none()) })
    });
    for read in reads.collect::<Vec<_>>() {
        assert!(read.await.unwrap().unwrap());
    }
}

/// The server was restarted and every connection of a full pool is dead: the first call finds that out
/// once, and not once for each of them.
pub(crate) async fn a_call_after_every_connection_ended_is_made_once(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let opened = store.open().await;
    let agent = Agent::over(opened.clone(), &vendor).await;
    for tool in ["once", "keyed", "marked", "read"] {
        fill_the_pool(&opened).await;
        terminate(&store).await;
        assert!(!agent.call_ok(tool, "a").await, "{tool}");
    }
    assert_eq!(vendor.book().requests, 4);
}

/// As above, of the verbs on runs and cards: a harness goes on after a restart, and a person's list of cards is there.
pub(crate) async fn runs_and_cards_are_there_after_every_connection_ended(store: TestStore) {
    let opened = store.open().await;
    let organization = OrganizationId::random();
    let runs = RunDesk::new(opened.clone());
    let cards = ApprovalDesk::new(opened.clone(), organization);
    let run = RunId::new("r").expect("an id");
    let new = NewRun::new(organization, run, Principal::new("ann").expect("a name"));
    fill_the_pool(&opened).await;
    terminate(&store).await;
    assert!(runs.admit(&new).await.expect("admitted").fresh);
    fill_the_pool(&opened).await;
    terminate(&store).await;
    let listed = cards.list(&CardFilter::default()).await;
    assert_eq!(listed.expect("the cards").len(), 0);
}
