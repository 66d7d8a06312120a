//! Natural keys: an effect that is one whoever asks and in whatever turn (R25).

use idem_core::identity::{IdempotencyKey, KeyKind, ToolName};
use idem_core::{Answer, ClaimKey, ClaimOutcome, Ending, OutcomeKind, Request, Scope, Settlement};
use idem_tests::TestStore;
use idem_tools::{Checkpoint, Decision, Idem, Turn};
use std::time::Duration;

use crate::bench::{Bench, answer, assert_same_answer, call, code, intent, proposed};
use crate::tools::{self, Hold};

const FIRST: &str = r#"{"id":"home","revision":12}"#;

fn turn(bench: &Bench, idem: &Idem, (principal, run, number): (&str, &str, u32)) -> Turn {
    let tenant = idem.organization(bench.organization);
    let run = tenant.principal(principal).expect("a principal").run(run);
    run.expect("a run").turn(number)
}

fn natural_key(identity: &str) -> IdempotencyKey {
    let name = ToolName::new("publish").expect("a name");
    IdempotencyKey::new(KeyKind::Natural, &name, identity)
}

/// R25: the key holds no turn, so a later turn and another run get the first answer, with their own words marked.
pub(crate) async fn a_natural_key_is_one_effect_in_every_run_and_turn(store: TestStore) {
    let bench = Bench::new(store);
    let idem = bench.idem().await;
    let first = call(&turn(&bench, &idem, ("ann", "run-1", 1)), "publish", FIRST).await;
    assert_eq!(first.key, Some(natural_key(FIRST)));
    for place in [("ann", "run-1", 2), ("ann", "run-2", 1)] {
        let again = call(&turn(&bench, &bench.idem().await, place), "publish", FIRST).await;
        assert!(again.replayed);
        assert_same_answer(&first, &again);
        let reworded = r#"{"revision":12.0,"note":"at last","id":"home"}"#;
        let again = call(&turn(&bench, &idem, place), "publish", reworded).await;
        assert_same_answer(&first, &again);
        assert_eq!(again.reworded, ["note"]);
    }
    assert_eq!(bench.ledger.effects(), ["publish home 12  "]);
    assert_eq!(bench.rows().await, 1);
}

/// R25: another revision is another effect, and so is the same one of another tenant.
pub(crate) async fn a_natural_key_of_another_value_is_another_effect(store: TestStore) {
    let bench = Bench::new(store);
    let at = |bench: &Bench, idem: &Idem| turn(bench, idem, ("ann", "run-1", 1));
    let idem = bench.idem().await;
    call(&at(&bench, &idem), "publish", FIRST).await;
    for other in [FIRST.replace("12", "13"), FIRST.replace("home", "news")] {
        assert!(!call(&at(&bench, &idem), "publish", &other).await.replayed);
    }
    let tenant = Bench::new(bench.store.clone());
    let told = call(&at(&tenant, &idem), "publish", FIRST).await;
    assert!(!told.replayed);
    assert_eq!(bench.ledger.effects().len(), 4);
}

/// R24, R25: what is not named is checked, in another run as well.
pub(crate) async fn a_checked_argument_of_a_natural_key_is_told_and_not_done_again(
    store: TestStore,
) {
    let bench = Bench::new(store);
    let idem = bench.idem().await;
    let first = call(&turn(&bench, &idem, ("ann", "run-1", 1)), "publish", FIRST).await;
    let other = r#"{"id":"home","revision":12,"audience":"staff","note":"x"}"#;
    let told = call(&turn(&bench, &idem, ("ann", "run-2", 5)), "publish", other).await;
    assert_eq!(code(&told), "already_done_differently");
    let details = told.failure().and_then(|failure| failure.details.clone());
    assert_eq!((details.as_ref(), told.key), (first.value(), first.key));
    assert!(told.reworded.is_empty());
    assert_eq!(bench.ledger.effects().len(), 1);
}

/// R25, R26: an intent would make two effects of one.
pub(crate) async fn a_natural_key_has_no_use_for_an_intent(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let first = call(&turn, "publish", FIRST).await;
    let again = proposed("publish", FIRST).with_intent(intent("once more"));
    assert_same_answer(&first, &answer(&turn, again).await);
    assert_eq!(bench.ledger.effects().len(), 1);
}

/// R25, R30: what another made is given away only where a policy says so, and is done once all the same.
pub(crate) async fn anothers_answer_under_a_natural_key_passes_the_checkpoint(store: TestStore) {
    let bench = Bench::new(store);
    let idem = bench.idem().await;
    let first = call(&turn(&bench, &idem, ("ann", "run-1", 1)), "publish", FIRST).await;
    let bob = ("bob", "run-2", 1);
    let told = call(&turn(&bench, &idem, bob), "publish", FIRST).await;
    assert_eq!(code(&told), "denied");
    for shares in [false, true] {
        let policy = move |call: &Checkpoint<'_>| match call.made_by_another {
            Some(_) if !shares => Decision::deny("it is another's"),
            _ => Decision::Allow,
        };
        let builder = tools::all(bench.bare().await).state(Hold::open());
        let idem = builder
            .policy(policy)
            .build()
            .expect("tools that can be added");
        let told = call(&turn(&bench, &idem, bob), "publish", FIRST).await;
        assert_eq!(told.result.is_ok(), shares);
        if shares {
            assert_same_answer(&first, &told);
        }
    }
    assert_eq!(bench.ledger.effects().len(), 1);
}

/// R25, R32: no later turn would be another effect, so what somebody found not to have happened may be done, with a
/// policy and without one.
pub(crate) async fn what_did_not_happen_under_a_natural_key_may_be_done(store: TestStore) {
    for guarded in [false, true] {
        for happened in [true, false] {
            let bench = Bench::new(store.clone());
            let mut builder = tools::all(bench.bare().await).state(Hold::open());
            if guarded {
                builder = builder.policy(|_: &Checkpoint<'_>| Decision::Allow);
            }
            let idem = builder.build().expect("tools that can be added");
            let key = unknown(&bench, &idem).await;
            let at = turn(&bench, &idem, ("ann", "run-2", 1));
            let told = call(&at, "publish", FIRST).await;
            assert_eq!(code(&told), "outcome_unknown");
            let settlement = Settlement {
                happened,
                by: "bob".to_owned(),
                note: None,
                answer: unknown_answer(),
            };
            let settled = idem.service().settle(&key, &settlement).await;
            assert!(settled.expect("the store answers").is_some());
            let told = call(&at, "publish", FIRST).await;
            assert_eq!(told.result.is_ok(), !happened, "{}", told.to_model_text());
            assert_eq!(bench.ledger.effects().len(), usize::from(!happened));
            assert!(call(&at, "publish", FIRST).await.replayed);
        }
    }
}

fn unknown_answer() -> Answer {
    let text = r#"{"error":{"code":"outcome_unknown","message":"nobody knows","retryable":false}}"#;
    Answer::json(OutcomeKind::OutcomeUnknown, text.as_bytes()).expect("an answer")
}

/// Leaves an unknown outcome under the first call's key.
async fn unknown(bench: &Bench, idem: &Idem) -> ClaimKey {
    let scope = Scope::new("tool.page.publish").expect("a scope");
    let key = ClaimKey::new(bench.organization, scope, natural_key(FIRST));
    let hash = idem_core::identity::request_hash(FIRST);
    let request = Request::new(key.clone(), hash);
    let claimed = idem
        .service()
        .claim(&request, Duration::from_secs(60))
        .await;
    let ClaimOutcome::Claimed(claim) = claimed.expect("the store answers") else {
        panic!("the key was taken before")
    };
    let ended = idem.service().complete(claim, &unknown_answer()).await;
    assert!(matches!(ended, Ok(Ending::Done)), "{ended:?}");
    key
}

/// R25, R34: twenty turns at once, in two processes, make one effect.
pub(crate) async fn a_natural_effect_that_others_race_for_is_made_once(store: TestStore) {
    let bench = Bench::new(store);
    let (one, two) = (bench.idem().await, bench.idem().await);
    let mut calls = Vec::new();
    for number in 1..=20 {
        let idem = if number % 2 == 0 { &one } else { &two };
        let at = turn(&bench, idem, ("ann", &format!("run-{number}"), number));
        calls.push(tokio::spawn(async move {
            loop {
                match at.call(proposed("publish", FIRST)).await {
                    Ok(settled) => return settled.answer().expect("an answer"),
                    Err(idem_tools::CallError::ClaimInFlight { .. }) => {
                        tokio::task::yield_now().await
                    }
                    Err(error) => panic!("it is not settled: {error}"),
                }
            }
        }));
    }
    let mut made = 0;
    for call in calls {
        let answer = call.await.expect("a task that ends");
        assert_eq!(
            answer.value().and_then(idem_tools::Json::as_str),
            Some("effect-1")
        );
        made += usize::from(!answer.replayed && !answer.joined);
    }
    assert_eq!((made, bench.ledger.effects().len()), (1, 1));
}
