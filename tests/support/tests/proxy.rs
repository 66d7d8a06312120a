//! The proxy loses what it is told to lose, and nothing else.

use sqlx::{Connection, PgConnection, query};

use crate::proxy::Proxy;
use crate::{StoreKind, TestStore, run_case};

const ADD: &str = "INSERT INTO t (a) VALUES ($1)";

async fn connect(proxy: &Proxy) -> PgConnection {
    PgConnection::connect(proxy.url())
        .await
        .expect("a connection through the proxy")
}

async fn add(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    query(ADD).bind(1_i32).execute(connection).await.map(|_| ())
}

async fn table_and_proxy(store: &TestStore) -> Proxy {
    store.execute("CREATE TABLE t (a int4)", "").await;
    Proxy::start(&store.url).await
}

async fn rows(store: &TestStore) -> i64 {
    store.number("SELECT count(*) FROM t", "").await
}

#[test]
fn a_lost_acknowledgement_leaves_the_row() {
    run_case(StoreKind::Postgres, async |store| {
        let proxy = table_and_proxy(&store).await;
        let mut connection = connect(&proxy).await;
        add(&mut connection).await.expect("nothing is armed");
        // Prepared by now, so its text is not sent again.
        proxy.cut_after_request_containing("INSERT INTO t", 2);
        add(&mut connection).await.expect("the first of two");
        add(&mut connection).await.expect_err("its reply is lost");
        proxy.wait_for_cuts(1).await;
        assert_eq!(rows(&store).await, 3);
        add(&mut connect(&proxy).await)
            .await
            .expect("the cut came once");
    });
}

#[test]
fn a_lost_request_leaves_no_row() {
    run_case(StoreKind::Postgres, async |store| {
        let proxy = table_and_proxy(&store).await;
        proxy.cut_before_request_containing("INSERT INTO t", 1);
        // Preparing alone does not set it off: it is the execution that is lost.
        add(&mut connect(&proxy).await)
            .await
            .expect_err("the request is lost");
        assert_eq!((proxy.cuts(), rows(&store).await), (1, 0));
    });
}

#[test]
fn a_commit_can_lose_its_acknowledgement() {
    run_case(StoreKind::Postgres, async |store| {
        let proxy = table_and_proxy(&store).await;
        let mut connection = connect(&proxy).await;
        let mut transaction = connection.begin().await.expect("a transaction");
        add(&mut transaction).await.expect("a row");
        proxy.cut_after_request_containing("COMMIT", 1);
        transaction.commit().await.expect_err("its reply is lost");
        assert_eq!(rows(&store).await, 1);
    });
}

#[test]
fn the_next_sync_is_cut_whatever_it_is() {
    run_case(StoreKind::Postgres, async |store| {
        let proxy = table_and_proxy(&store).await;
        let mut connection = connect(&proxy).await;
        proxy.cut_reply_of_next_sync();
        connection.ping().await.expect_err("its reply is lost");
        assert_eq!(proxy.cuts(), 1);
    });
}

#[test]
fn a_refusing_proxy_is_a_store_that_is_down() {
    run_case(StoreKind::Postgres, async |store| {
        let proxy = table_and_proxy(&store).await;
        let mut connection = connect(&proxy).await;
        proxy.refuse(true);
        add(&mut connection)
            .await
            .expect_err("the connection is closed");
        PgConnection::connect(proxy.url())
            .await
            .expect_err("a new one is refused");
        proxy.refuse(false);
        add(&mut connect(&proxy).await)
            .await
            .expect("the store is back");
    });
}
