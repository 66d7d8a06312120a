//! R40 to R45: every state of a card against every act, on both stores and in memory, is as `decide` says.

use crate::bench::{Bench, done, principal, says_no, says_yes};
use crate::tools::WriteFile;
use crate::world::{Mode, World};
use idem_core::approval::table::{Act, CardState, Outcome, decide};
use idem_core::approval::{
    Approval, ApprovalId, Approvers, Decided, EditRequest, NewCard, Proposal,
};
use idem_core::identity::{RequestHash, ShownHash};
use idem_core::volatile::VolatileStore;
use idem_core::{OrganizationId, Scope, Store};
use idem_tests::TestStore;
use idem_tools::{Settled, codes};
use std::sync::Arc;
use std::time::Duration;

const OVER: Duration = Duration::from_secs(8 * 24 * 60 * 60);

/// Brings an open card into a state by the real verbs and by time.
async fn bring(bench: &Bench, card: &Approval, state: CardState, pass: &impl AsyncFn(Duration)) {
    match state {
        CardState::Open => {}
        CardState::Denied => drop(done(bench.deny(card, "not today").await)),
        CardState::Expired => pass(OVER).await,
        CardState::Withdrawn => drop(done(bench.desk.withdraw(card.id, "").await.unwrap())),
        _ => {
            done(bench.approve(card).await);
            match state {
                CardState::RanOut => pass(OVER).await,
                CardState::Spent => {
                    let noted = bench.store.spend_card(bench.organization, card.id).await;
                    assert!(noted.unwrap().is_some());
                }
                _ => {}
            }
        }
    }
    assert_eq!(CardState::of(Some(&bench.show(card.id).await)), state);
}

/// What people and the runtime do to a card.
async fn does(bench: &Bench, card: &Approval, act: Act) -> Outcome {
    let decided = match act {
        Act::Approve => bench.desk.decide(&says_yes(card, "eve")).await,
        Act::Deny => bench.desk.decide(&says_no(card, "eve", "no")).await,
        Act::Edit => {
            let edit = EditRequest {
                shown_hash: card.effective.shown_hash,
                by: principal("eve"),
                arguments: "{}".to_owned(),
            };
            bench.desk.edit(card.id, &edit).await
        }
        Act::Withdraw => bench.desk.withdraw(card.id, "late").await,
        _ => {
            let noted = bench.store.spend_card(bench.organization, card.id).await;
            return noted.unwrap().map_or(Outcome::Stands, |_| Outcome::Done);
        }
    };
    match decided.unwrap() {
        Decided::Done(_) => Outcome::Done,
        Decided::Stands(_) | Decided::NotFound => Outcome::Stands,
        other => panic!("{act:?}: {other:?}"),
    }
}

async fn check(store: Arc<dyn Store>, pass: impl AsyncFn(Duration)) {
    let bench = Bench::new(store);
    let acts = [
        Act::Approve,
        Act::Deny,
        Act::Edit,
        Act::Withdraw,
        Act::Spend,
    ];
    let mut key = 0;
    for state in CardState::ALL {
        for act in acts {
            key += 1;
            let card = bench.open(key).await;
            let absent = state == CardState::Absent;
            let card = if absent {
                Approval {
                    id: ApprovalId::mint(),
                    ..card
                }
            } else {
                bring(&bench, &card, state, &pass).await;
                card
            };
            let outcome = does(&bench, &card, act).await;
            let next = CardState::of(bench.desk.show(card.id).await.unwrap().as_ref());
            assert_eq!((outcome, next), decide(state, act), "{state:?}, {act:?}");
        }
    }
}

/// R40 to R42: deciding, editing, taking back and spending.
pub(crate) async fn every_state_and_act_is_as_the_table_says(store: TestStore) {
    check(store.open().await, async |by| {
        store.age_cards(by).await;
    })
    .await;
}

#[tokio::test]
async fn the_volatile_store_is_as_the_table_says() {
    let store = VolatileStore::new();
    check(Arc::new(store.clone()), async |by| store.advance(by)).await;
}

/// The card that is there before the call: the call's own, shown differently, or of other content.
fn before(card: &Approval, organization: OrganizationId, act: Act) -> NewCard {
    let other = [7; 32];
    let proposed = match act {
        Act::AskSame => card.proposed.clone(),
        Act::AskOtherProse => Proposal {
            shown_hash: ShownHash::from_bytes(other),
            ..card.proposed.clone()
        },
        _ => Proposal {
            hash: RequestHash::from_bytes(other),
            shown_hash: ShownHash::from_bytes(other),
            ..card.proposed.clone()
        },
    };
    let turn = crate::bench::new_card(organization, proposed);
    NewCard {
        scope: Scope::new(&card.scope).unwrap(),
        tool: card.tool.clone(),
        effect: card.effect.clone(),
        fingerprint: card.fingerprint.clone(),
        approvers: Approvers::default(),
        ..turn
    }
}

/// What a proposal came to, as the caller and the cards tell it.
async fn comes_to(bench: &Bench, settled: Settled, old: Option<&Approval>) -> Outcome {
    match settled {
        Settled::Waiting(waiting) => match old {
            Some(old) if waiting.card.id == old.id => Outcome::Waits,
            Some(old) if waiting.card.supersedes == Some(old.id) => {
                let state = CardState::of(Some(&bench.show(old.id).await));
                assert_eq!(state, CardState::Withdrawn);
                Outcome::Supersedes
            }
            _ => Outcome::Asks,
        },
        Settled::Answer(answer) => match answer.failure().map(|failure| failure.code.as_str()) {
            None => Outcome::MayRun,
            Some(codes::DENIED) => Outcome::AnswersDenied,
            Some(codes::APPROVAL_EXPIRED) => Outcome::AnswersExpired,
            Some(codes::APPROVAL_WITHDRAWN) => Outcome::AnswersWithdrawn,
            Some(code) => panic!("{code}"),
        },
        other => panic!("{other:?}"),
    }
}

/// R41, R44, R45: proposing the same call, shown alike or differently, and other content under its key.
pub(crate) async fn every_state_and_proposal_is_as_the_table_says(store: TestStore) {
    let mut world = World::new(store).await;
    world.rules.set(Mode::Ask);
    let arguments = r#"{"path":"a.txt"}"#;
    let idem = world.idem::<WriteFile>().await;
    let template = world.asks(&idem, "write_file", arguments).await;
    for state in CardState::ALL {
        for act in [Act::AskSame, Act::AskOtherProse, Act::AskOtherContent] {
            world.organization = OrganizationId::random();
            let bench = world.bench();
            let old = match state {
                CardState::Absent => None,
                _ => {
                    let new = before(&template, world.organization, act);
                    let card = bench.open_as(&new).await;
                    // An approved call's own answer spends it.
                    let runs = state == CardState::Spent && act != Act::AskOtherContent;
                    let first = if runs { CardState::Approved } else { state };
                    let age = async |by| {
                        world.store.age_cards(by).await;
                    };
                    bring(&bench, &card, first, &age).await;
                    if runs {
                        world.answered(&idem, "write_file", arguments).await;
                    }
                    Some(card)
                }
            };
            if let Some(old) = &old {
                let there = CardState::of(Some(&bench.show(old.id).await));
                assert_eq!(there, state, "{act:?}");
            }
            let settled = world.call(&idem, "write_file", arguments).await;
            let outcome = comes_to(&bench, settled, old.as_ref()).await;
            assert_eq!(outcome, decide(state, act).0, "{state:?}, {act:?}");
        }
    }
}
