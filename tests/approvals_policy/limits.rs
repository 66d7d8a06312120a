//! Arguments against limits.

use crate::support::House;
use idem_tests::TestStore;
use idem_tools::CallError;

const LIMIT: &str = r#"
default = "allow"

[[rule]]
name = "large"
argument.amount = { over = 99.99 }
ask = "more than 99.99"
approvers = ["bob"]
"#;

/// An amount over the limit waits for a person, with the rule on the card; one at the limit or below runs.
pub(crate) async fn an_amount_over_the_limit_asks_and_one_below_runs(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(LIMIT).await;
    for below in ["99.99", "9.9990e1", "-5", "0"] {
        let arguments = format!(r#"{{"to":"{below}","amount":{below}}}"#);
        worker.answer("run", "pay", &arguments).await;
    }
    for over in ["99.991", "100", "1e2", "1e300"] {
        let arguments = format!(r#"{{"to":"{over}","amount":{over}}}"#);
        let card = worker.waits("run", "pay", &arguments).await;
        assert_eq!(card.rule, "more than 99.99");
        assert_eq!(card.approvers, Some(vec!["bob".to_owned()]));
    }
    assert_eq!(house.effects.made().len(), 4);
    let plane = house.store.count_rows("idempotency_keys").await;
    assert_eq!(plane, 4, "nothing is claimed while a person thinks");
}

/// An amount that is a string passes no limit unseen: the call does not run, and the driver is told which rule.
pub(crate) async fn an_argument_that_cannot_be_tested_does_not_run(store: TestStore) {
    let house = House::new(store);
    let worker = house.worker(LIMIT).await;
    let failed = worker
        .call("run", "write", r#"{"to":"eve","amount":"5000"}"#)
        .await;
    let Err(CallError::Policy(error)) = failed else {
        panic!("the policy fails: {failed:?}");
    };
    let says = "the rule `large` cannot be applied: the argument `amount` is a string";
    assert!(error.to_string().contains(says), "{error}");
    worker.answer("run", "write", r#"{"to":"eve"}"#).await;
    assert_eq!(house.effects.made(), ["write eve"]);
    assert_eq!(house.store.count_rows("idempotency_keys").await, 1);
}
