//! What is stored is what is returned, byte for byte.

use idem_core::{
    Answer, AnswerError, OutcomeKind, RESPONSE_BYTES_MAX, ReadOutcome, RecordOutcome, Resource,
};
use idem_tests::TestStore;

use crate::plane::{LEASE, Plane, answer, answered};

/// Texts that a database's own JSON type changes or refuses, and bytes that are no text at all.
const TROUBLE: [&[u8]; 11] = [
    br#"{"text":"POZ\u0000"}"#,
    br#"{"a":1,"a":2}"#,
    b"{ \"b\" : 1 ,\n\t\"a\" :2 }",
    br#"{"z":1,"a":2}"#,
    b"[1e400, 1.0, 1.00, -0, 123456789012345678901234567890]",
    br#""\ud83d\ude00 \u00e9 \/""#,
    "\"\u{e9}\u{1f600}\u{2028}\"".as_bytes(),
    br#""\ud800""#,
    b"null",
    b"",
    b"\x00\xff\xfe raw",
];

/// R17, C13, P17: through every way to store and every way to look.
pub(crate) async fn exact_bytes_come_back(store: TestStore) {
    let plane = Plane::open(store).await;
    for (number, bytes) in TROUBLE.into_iter().enumerate() {
        for kind in [
            OutcomeKind::Answer,
            OutcomeKind::OutcomeUnknown,
            OutcomeKind::NotStored,
        ] {
            let own = Answer::json(kind, bytes).expect("a small answer");
            let completed = plane.request(&format!("completed {number} {kind:?}"));
            plane.completed(&completed, &own).await;
            let recorded = plane.request(&format!("recorded {number} {kind:?}"));
            let outcome = plane
                .service
                .record(&recorded, &own)
                .await
                .expect("an outcome");
            assert!(matches!(outcome, RecordOutcome::Recorded(_)), "{outcome:?}");
            for request in [completed, recorded] {
                let claimed = answered(plane.service.claim(&request, LEASE).await.expect("one"));
                let ReadOutcome::Completed(read) =
                    plane.service.read(&request).await.expect("an outcome")
                else {
                    panic!("an answer is stored");
                };
                for stored in [claimed, read] {
                    assert_eq!(stored.kind, kind);
                    assert_eq!(&*stored.response.expect("a response").bytes, bytes);
                }
            }
        }
    }
}

/// R17, R18, P17: the largest answer is stored whole; one byte more is refused before anything is written.
pub(crate) async fn the_largest_answer_comes_back_whole(store: TestStore) {
    let plane = Plane::open(store).await;
    let request = plane.request("k");
    let mut largest = vec![b'"'; RESPONSE_BYTES_MAX];
    let filling = "é".repeat(RESPONSE_BYTES_MAX / 2 - 1);
    largest[1..RESPONSE_BYTES_MAX - 1].copy_from_slice(filling.as_bytes());
    let mut too_large = largest.clone();
    too_large.push(b' ');
    let refused = Answer::json(OutcomeKind::Answer, too_large).expect_err("a refusal");
    let bytes = RESPONSE_BYTES_MAX + 1;
    assert_eq!(refused, AnswerError::TooLarge { bytes });

    let own = Answer::json(OutcomeKind::Answer, largest.clone()).expect("the largest answer");
    plane.completed(&request, &own).await;
    // A key under a large answer is claimed and read like any other.
    let stored = answered(
        plane
            .service
            .claim(&request, LEASE)
            .await
            .expect("an outcome"),
    );
    let response = stored.response.expect("a response");
    assert!(
        *response.bytes == largest[..],
        "{} bytes came back",
        response.bytes.len()
    );
    // Its neighbours are untouched.
    plane
        .completed(&plane.request("neighbour"), &answer("1"))
        .await;
}

/// R12: a resource names something, and both its parts come back as they were.
pub(crate) async fn a_resource_is_whole_or_refused(store: TestStore) {
    let plane = Plane::open(store).await;
    let long = "x".repeat(257);
    for (kind, id) in [
        ("", "42"),
        ("crm.company", ""),
        ("a\nb", "42"),
        ("a", "4\0"),
        ("a", &long),
    ] {
        let refused = Resource::new(kind, id).expect_err("a refusal");
        assert_eq!(refused, AnswerError::Resource, "{kind:?} {id:?}");
    }
    let longest = &long[1..];
    for (number, (kind, id)) in [
        ("crm.company", "42"),
        ("kind é", "a'b\"c %_"),
        (longest, longest),
    ]
    .into_iter()
    .enumerate()
    {
        let request = plane.request(&format!("k{number}"));
        let resource = Resource::new(kind, id).expect("a resource");
        plane.completed(&request, &Answer::resource(resource)).await;
        let stored = answered(
            plane
                .service
                .claim(&request, LEASE)
                .await
                .expect("an outcome"),
        );
        let found = stored.resource.expect("a resource");
        assert_eq!((found.kind(), found.id()), (kind, id));
    }
}
