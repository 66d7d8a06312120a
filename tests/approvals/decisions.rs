//! R42: who decides what, and when it counts.

use crate::bench::{Bench, done, new_card, principal, proposal, says_no, says_yes, stands};
use idem_core::approval::table::CardState;
use idem_core::approval::{Approvers, CardFilter, CardStatus, Decided, REASON_BYTES_MAX, Verdict};
use idem_core::{OrganizationId, Scope};
use idem_tests::TestStore;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// R42, C39: the first decision stands; a later one, of whatever kind and by whomever, is told what stands.
pub(crate) async fn the_first_decision_stands_and_later_ones_are_told(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let card = bench.open(1).await;
    let first = done(bench.approve(&card).await);
    assert_eq!(first.decided_by.as_deref(), Some("bob"));
    for late in [
        says_yes(&card, "bob"),
        says_yes(&card, "eve"),
        says_no(&card, "eve", "no"),
    ] {
        let told = stands(bench.desk.decide(&late).await.unwrap());
        assert_eq!(
            (told.status, told.decided_by.as_deref(), told.decided_at),
            (CardStatus::Approved, Some("bob"), first.decided_at)
        );
    }
    // Twice in one request: it is one yes.
    let card = bench.open(2).await;
    let twice = [says_yes(&card, "bob"), says_yes(&card, "bob")];
    let mut told = bench.desk.decide_all(&twice).await.unwrap();
    stands(told.pop().unwrap());
    done(told.pop().unwrap());
}

/// R42: a decision on something else than the card shows now is not taken.
pub(crate) async fn a_decision_names_what_was_seen(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let card = bench.open(1).await;
    let mut stale = says_yes(&card, "bob");
    stale.shown_hash = proposal(1, 2).shown_hash;
    let told = bench.desk.decide(&stale).await.unwrap();
    assert!(matches!(told, Decided::ShowsOther(_)), "{told:?}");
    assert_eq!(bench.show(card.id).await.status, CardStatus::Open);
}

/// R42: the one on whose behalf the call is made decides nothing, not a no and not an edit, unless the rule lets them.
pub(crate) async fn the_requester_may_not_decide_unless_the_rule_says_so(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let card = bench.open(1).await;
    for own in [says_yes(&card, "ann"), says_no(&card, "ann", "no")] {
        let told = bench.desk.decide(&own).await.unwrap();
        assert!(matches!(told, Decided::NotAllowed(_)), "{told:?}");
    }
    let edit = idem_core::approval::EditRequest {
        shown_hash: card.effective.shown_hash,
        by: principal("ann"),
        arguments: "{}".to_owned(),
    };
    let told = bench.desk.edit(card.id, &edit).await.unwrap();
    assert!(matches!(told, Decided::NotAllowed(_)), "{told:?}");
    assert_eq!(bench.show(card.id).await.edit_request, None);

    let mut own = new_card(bench.organization, proposal(2, 1));
    own.approvers.requester_may_decide = true;
    let card = bench.open_as(&own).await;
    done(bench.desk.decide(&says_yes(&card, "ann")).await.unwrap());
}

/// R42: where the rule names approvers, nobody else decides; the requester is still none, though named.
pub(crate) async fn only_named_approvers_decide(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let mut new = new_card(bench.organization, proposal(1, 1));
    new.approvers = Approvers {
        named: Some(vec![principal("zoë \"the\" boss"), principal("ann")]),
        requester_may_decide: false,
    };
    let card = bench.open_as(&new).await;
    for other in ["bob", "ann", "zoë"] {
        let told = bench.desk.decide(&says_yes(&card, other)).await.unwrap();
        assert!(matches!(told, Decided::NotAllowed(_)), "{other}: {told:?}");
    }
    let boss = says_yes(&card, "zoë \"the\" boss");
    done(bench.desk.decide(&boss).await.unwrap());
}

/// R42: cards are one organization's; another one's approver is told of none.
pub(crate) async fn another_organization_has_no_such_card(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let card = bench.open(1).await;
    let other = Bench::new(bench.store.clone());
    assert_ne!(other.organization, OrganizationId::random());
    let told = other.desk.decide(&says_yes(&card, "bob")).await.unwrap();
    assert!(matches!(told, Decided::NotFound), "{told:?}");
    let told = other.desk.withdraw(card.id, "mine").await.unwrap();
    assert!(matches!(told, Decided::NotFound), "{told:?}");
    assert!(other.desk.show(card.id).await.unwrap().is_none());
    assert_eq!(bench.show(card.id).await.status, CardStatus::Open);
}

/// R42, C39: yes and no to one card in one request is neither, and the other cards of the request are decided.
pub(crate) async fn a_contradictory_request_changes_nothing(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let (torn, clear) = (bench.open(1).await, bench.open(2).await);
    let request = [
        says_yes(&torn, "bob"),
        says_yes(&clear, "bob"),
        says_no(&torn, "eve", "no"),
    ];
    let told = bench.desk.decide_all(&request).await.unwrap();
    assert!(
        matches!(
            told[..],
            [
                Decided::Contradictory(_),
                Decided::Done(_),
                Decided::Contradictory(_)
            ]
        ),
        "{told:?}"
    );
    assert_eq!(bench.show(torn.id).await.status, CardStatus::Open);
    assert_eq!(bench.show(clear.id).await.status, CardStatus::Approved);
}

/// R42: expiry is part of the statement, and what is over, taken back or spent is told as it stands.
pub(crate) async fn nothing_is_decided_after_the_end(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let old = bench.open(1).await;
    store.age_cards(8 * DAY).await;
    let (withdrawn, spent) = (bench.open(2).await, bench.open(3).await);
    done(
        bench
            .desk
            .withdraw(withdrawn.id, "the run ended")
            .await
            .unwrap(),
    );
    done(bench.approve(&spent).await);
    let noted = bench.store.spend_card(bench.organization, spent.id).await;
    assert!(noted.unwrap().is_some());
    for (card, state) in [
        (old, CardState::Expired),
        (withdrawn, CardState::Withdrawn),
        (spent, CardState::Spent),
    ] {
        for late in [says_yes(&card, "bob"), says_no(&card, "bob", "no")] {
            let told = stands(bench.desk.decide(&late).await.unwrap());
            assert_eq!(CardState::of(Some(&told)), state);
        }
        // What is over is not taken back as if it were open.
        let told = stands(bench.desk.withdraw(card.id, "late").await.unwrap());
        assert_eq!(CardState::of(Some(&told)), state);
    }
}

/// R42, R75: a denial has its reason; a long one is cut at a character, and what PostgreSQL cannot store is left out.
pub(crate) async fn a_reason_is_cut_and_stored(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let card = bench.open(1).await;
    let denied = done(bench.deny(&card, "not\0 today").await);
    assert_eq!(denied.status, CardStatus::Denied);
    assert_eq!(denied.reason.as_deref(), Some("not today"));
    let card = bench.open(2).await;
    let long = says_no(&card, "bob", &format!("x{}", "é".repeat(REASON_BYTES_MAX)));
    assert!(matches!(long.verdict, Verdict::Deny { .. }));
    let denied = done(bench.desk.decide(&long).await.unwrap());
    assert_eq!(denied.reason.unwrap().len(), REASON_BYTES_MAX - 1);
}

/// R40: pending cards are listed by organization, scope and age, the oldest first.
pub(crate) async fn cards_are_listed_by_scope_age_and_state(store: TestStore) {
    let bench = Bench::new(store.open().await);
    let old = bench.open(1).await;
    store.age_cards(2 * DAY).await;
    let (young, decided) = (bench.open(2).await, bench.open(3).await);
    done(bench.deny(&decided, "").await);
    Bench::new(bench.store.clone()).open(4).await;
    let mut other = new_card(bench.organization, proposal(5, 1));
    other.scope = Scope::new("tool.mail.send").unwrap();
    let other = bench.open_as(&other).await;

    let listed = async |filter: CardFilter| {
        let cards = bench.desk.list(&filter).await.unwrap();
        cards.iter().map(|card| card.id).collect::<Vec<_>>()
    };
    let open = || CardFilter::default();
    assert_eq!(listed(open()).await, [old.id, young.id, other.id]);
    let scope = Some(Scope::new("tool.mail.send").unwrap());
    assert_eq!(listed(CardFilter { scope, ..open() }).await, [other.id]);
    let min_age = DAY;
    assert_eq!(listed(CardFilter { min_age, ..open() }).await, [old.id]);
    let rows_max = 2;
    let two = CardFilter { rows_max, ..open() };
    assert_eq!(listed(two).await, [old.id, young.id]);
    let all = CardFilter {
        all: true,
        ..open()
    };
    assert_eq!(listed(all).await, [old.id, young.id, decided.id, other.id]);
}
