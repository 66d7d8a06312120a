//! Builds a row in any state, with real verbs and with ageing, and keeps the claims of both its owners.

use idem_core::states::RowState;
use idem_core::{Claim, Request, Settlement};

use crate::plane::{FORGOTTEN, Plane, answer, outcome_unknown};

/// A row, its owner's claim, and the claim of the owner before.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) request: Request,
    pub(crate) owner: Claim,
    pub(crate) fenced_out: Claim,
}

impl Built {
    /// Puts the claims aside, so that they do not count as abandoned.
    pub(crate) fn put_aside(self, plane: &Plane) {
        plane.service.leave_in_doubt(self.owner);
        plane.service.leave_in_doubt(self.fenced_out);
    }
}

/// Builds a row under `key` and asserts that it is in `state`. Its first owner vanished, its second is the owner;
/// neither claim is ended through the service.
pub(crate) async fn build(plane: &Plane, key: &str, state: RowState) -> Built {
    let request = plane.request(key);
    let (doubt, marks) = owners(state);
    let first = if doubt {
        plane.request(key)
    } else {
        plane.marking(key)
    };
    let second = if marks {
        plane.request(key)
    } else {
        plane.marking(key)
    };
    let fenced_out = plane.claimed(&first).await;
    plane.lapse(&request).await;
    let owner = plane.claimed(&second).await;
    let built = Built {
        request,
        owner,
        fenced_out,
    };
    finish(plane, &built.request, state).await;
    assert_eq!(plane.state(&built.request).await, state);
    built
}

/// Whether the first owner leaves doubt, and whether the second has a mark. A row in doubt has no mark of its own, so
/// that whoever forgets to look at the doubt is found out.
fn owners(state: RowState) -> (bool, bool) {
    match state {
        RowState::LiveInDoubt | RowState::LapsedInDoubt | RowState::PastRetentionInDoubt => {
            (true, false)
        }
        RowState::Live | RowState::Lapsed | RowState::PastRetentionUnanswered => (false, false),
        _ => (false, true),
    }
}

/// From the second owner's live claim on.
async fn finish(plane: &Plane, request: &Request, state: RowState) {
    let held = plane.held(request).await;
    let repository = &plane.repository;
    match state {
        RowState::Absent => assert!(repository.release(&held).await.expect("a release")),
        RowState::Lapsed | RowState::LapsedMarked | RowState::LapsedInDoubt => {
            plane.lapse(request).await;
        }
        RowState::Completed | RowState::PastRetention => {
            let done = repository.complete(&held, &answer("[1]")).await;
            assert!(done.expect("a completion").is_some());
        }
        RowState::OutcomeUnknown | RowState::Settled => {
            let done = repository.complete(&held, &outcome_unknown()).await;
            assert!(done.expect("a completion").is_some());
        }
        _ => {}
    }
    if state == RowState::Settled {
        let settled = repository.settle(&request.key, &settlement(true)).await;
        assert!(settled.expect("a settlement").is_some());
    }
    if state.is_past_retention() {
        plane.age(request, FORGOTTEN).await;
    }
}

/// What a person found out.
pub(crate) fn settlement(happened: bool) -> Settlement {
    Settlement {
        happened,
        by: "ann".to_owned(),
        note: Some("asked the vendor".to_owned()),
        answer: answer(r#"{"found":true}"#),
    }
}
