//! Many processes that start at once (R74).

use idem_tests::TestStore;
use idem_tests::vendor::{Keys, Vendor};

use crate::killed::order;
use crate::order::{Event, Job};
use crate::worker::Worker;

pub(crate) async fn four_processes_open_one_fresh_database_at_once(store: TestStore) {
    let vendor = Vendor::start(Keys::Ignored).await;
    let mut order = order(&store, &vendor, "once");
    order.job = Job::Open;
    let mut workers = Vec::new();
    for _ in 0..4 {
        workers.push(Worker::ready(&order).await);
    }
    for worker in &mut workers {
        worker.go().await;
    }
    for worker in workers {
        assert_eq!(worker.rest().await, [Event::Opened]);
    }
    let migrated = "SELECT count(*) FROM agent._idem_migrations WHERE success";
    let here = "SELECT count(*) FROM _idem_migrations WHERE success";
    assert_eq!(store.number(migrated, here).await, 4);
}
