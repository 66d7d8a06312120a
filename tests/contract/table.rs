//! The state table: `docs/states.md` says what the decision function says, and both stores do it.

use std::path::PathBuf;

use idem_core::states::{Decision, Party, Reply, RowState, Verb, decide};
use idem_core::{Claim, ClaimOutcome, EndLease, Ending, ReadOutcome, RecordOutcome, Request};
use idem_tests::TestStore;

use crate::plane::{LEASE, Plane, answer};
use crate::rows::{Built, build, settlement};

/// R13a: every state, every verb, everybody who may ask it: what is said and what is left.
pub(crate) async fn every_state_and_verb_is_as_the_table_says(store: TestStore) {
    let plane = Plane::open(store).await;
    let mut wrong = Vec::new();
    for state in RowState::ALL {
        for verb in Verb::ALL {
            for party in verb.parties() {
                let expected = decide(state, verb, *party);
                let found = ask(&plane, state, verb, *party).await;
                if found != expected {
                    wrong.push(format!(
                        "{state:?} {verb:?} {party:?}: {found:?}, and not {expected:?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// R6, R13a: what the passing of a lease makes of a row.
pub(crate) async fn a_passed_lease_is_as_the_table_says(store: TestStore) {
    let plane = Plane::open(store).await;
    for (number, state) in RowState::ALL.into_iter().enumerate().skip(1) {
        let built = build(&plane, &format!("k{number}"), state).await;
        plane.lapse(&built.request).await;
        assert_eq!(
            plane.state(&built.request).await,
            state.lapsed(),
            "after {state:?}"
        );
        built.put_aside(&plane);
    }
}

/// Builds a row of its own, asks one verb of it, and looks.
async fn ask(plane: &Plane, state: RowState, verb: Verb, party: Party) -> Decision {
    let key = format!("{state:?} {verb:?} {party:?}");
    let built = build(plane, &key, state).await;
    let request = built.request.clone();
    let reply = match party {
        Party::SameContent | Party::OtherContent => {
            let asking = if party == Party::SameContent {
                request.clone()
            } else {
                plane.other(&key)
            };
            let reply = by_content(plane, verb, &asking).await;
            built.put_aside(plane);
            reply
        }
        Party::Owner | Party::FencedOut => by_fence(plane, verb, party, built).await,
        _ => {
            let reply = by_operator(plane, verb, &request).await;
            built.put_aside(plane);
            reply
        }
    };
    let next = plane.state(&request).await;
    // What is forgotten would be due for the sweeps to come.
    plane
        .store
        .execute(
            "DELETE FROM agent.idempotency_keys",
            "DELETE FROM agent_idempotency_keys",
        )
        .await;
    Decision { reply, next }
}

async fn by_content(plane: &Plane, verb: Verb, asking: &Request) -> Reply {
    match verb {
        Verb::Read => match plane.service.read(asking).await.expect("an outcome") {
            ReadOutcome::Absent => Reply::Absent,
            ReadOutcome::Completed(_) => Reply::Answer,
            ReadOutcome::Processing(_) => Reply::InFlight,
            ReadOutcome::Conflict(_) => Reply::Conflict,
        },
        Verb::Claim => match plane
            .service
            .claim(asking, LEASE)
            .await
            .expect("an outcome")
        {
            ClaimOutcome::Claimed(claim) => {
                let reply = match claim.takeover() {
                    None => Reply::Claimed,
                    Some(takeover) if takeover.doubt => Reply::TakenOverInDoubt,
                    Some(_) => Reply::TakenOver,
                };
                plane.service.leave_in_doubt(claim);
                reply
            }
            ClaimOutcome::Completed(_) => Reply::Answer,
            ClaimOutcome::Processing(_) => Reply::InFlight,
            ClaimOutcome::Conflict(_) => Reply::Conflict,
        },
        _ => match plane
            .service
            .record(asking, &answer("[9]"))
            .await
            .expect("an outcome")
        {
            RecordOutcome::Recorded(_) => Reply::Stored,
            RecordOutcome::Completed(_) => Reply::Answer,
            RecordOutcome::Processing(_) => Reply::InFlight,
            RecordOutcome::Conflict(_) => Reply::Conflict,
        },
    }
}

/// Ends or marks with the claim of the row's owner, or with the claim of the owner before.
async fn by_fence(plane: &Plane, verb: Verb, party: Party, built: Built) -> Reply {
    let (asking, aside) = match party {
        Party::Owner => (built.owner, built.fenced_out),
        _ => (built.fenced_out, built.owner),
    };
    let own = EndLease {
        clear_mark: verb == Verb::GiveUp,
        ..EndLease::default()
    };
    plane.service.leave_in_doubt(aside);
    match verb {
        Verb::MarkDispatched => {
            let marked = plane.service.mark_dispatched(&asking.fence()).await;
            plane.service.leave_in_doubt(asking);
            marked
                .expect("an outcome")
                .map_or(Reply::LeaseLost, |_| Reply::Marked)
        }
        Verb::Complete => {
            let ending = plane.service.complete(asking, &answer("[9]")).await;
            told(ending.expect("an end"), Reply::Stored)
        }
        Verb::Release => release(plane, &built.request, asking).await,
        _ => {
            let ending = plane.service.end_lease(asking, own).await;
            told(ending.expect("an end"), Reply::LeaseEnded)
        }
    }
}

/// A release is done when the row is gone, or when it is kept because of a doubt.
async fn release(plane: &Plane, request: &Request, asking: Claim) -> Reply {
    let ending = plane.service.release(asking).await.expect("an end");
    match plane.repository.get(&request.key).await.expect("a look") {
        Some(row) => {
            assert!(ending == Ending::LeaseLost || row.doubt);
            told(ending, Reply::LeaseEnded)
        }
        None => told(ending, Reply::Released),
    }
}

fn told(ending: Ending, done: Reply) -> Reply {
    match ending {
        Ending::Done => done,
        Ending::LeaseLost => Reply::LeaseLost,
    }
}

async fn by_operator(plane: &Plane, verb: Verb, request: &Request) -> Reply {
    if verb == Verb::Settle {
        let settled = plane.service.settle(&request.key, &settlement(true)).await;
        let settled = settled.expect("an outcome");
        return settled.map_or(Reply::NothingToSettle, |_| Reply::Settled);
    }
    match plane.repository.sweep(10).await.expect("a sweep").deleted {
        0 => Reply::NotDue,
        _ => Reply::Swept,
    }
}

/// R13a: `IDEM_BLESS=1` writes the page anew.
#[test]
fn the_state_table_in_docs_is_the_decision_function() {
    let page: PathBuf = idem_tests::source::workspace().join("docs/states.md");
    let printed = idem_core::states_table::markdown();
    if std::env::var_os("IDEM_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&page, &printed).expect("docs/states.md is written");
    }
    let stored = std::fs::read_to_string(&page).expect("docs/states.md");
    assert!(
        stored == printed,
        "docs/states.md is not what the decision function says: run this test with IDEM_BLESS=1"
    );
}
