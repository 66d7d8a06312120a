//! Policies of text arguments, and what else one argument may be: declared, applied once, seen by everybody (R21 to R23).

use idem_tests::TestStore;
use idem_tools::Turn;

use crate::bench::{Bench, assert_same_answer, call, code, proposed, waits};

const FIRST: &str = r#"{"email":" Ann@Example.TEST\n","name":"Zoe\u0308","page":"HTTPS://A.test:443/x/../y",
    "account":" Acme ","tags":[" b ","a"],"terms":" one\r\ntwo\r","note":" Hello "}"#;
const SEEN: &str = "ann@example.test|Zoë|Some(\"https://a.test/y\")| Acme |[\"b\", \"a\"]|Missing|usual|null|one\ntwo|Hello";

/// R23: the written value is what the function gets, and what a person is asked about.
pub(crate) async fn the_function_and_the_person_see_what_the_policies_wrote(store: TestStore) {
    let bench = Bench::new(store);
    let idem = bench.asking().await;
    let turn = bench.turn_of(&idem);
    let card = waits(&turn, proposed("sign_up", FIRST)).await;
    let shown = r#"{"account":" Acme ","email":"ann@example.test","extra":null,"name":"Zoë","note":"Hello","page":"https://a.test/y","plan":"usual","tags":["b","a"],"terms":"one\ntwo"}"#;
    assert_eq!(&*card.effective.input, shown);
    bench.decide(&idem, &card).await;
    let told = call(&turn, "sign_up", FIRST).await;
    assert_eq!((told.approval, told.replayed), (Some(card.id), false));
    assert_eq!(bench.ledger.effects(), [SEEN]);
}

async fn same(turn: &Turn, replaced: &[(&str, &str)]) {
    let first = call(turn, "sign_up", FIRST).await;
    for (from, to) in replaced {
        let other = FIRST.replace(from, to);
        assert_ne!(other, FIRST);
        let again = call(turn, "sign_up", &other).await;
        assert!(again.replayed, "{other}");
        assert_same_answer(&first, &again);
        assert!(again.reworded.is_empty(), "{other}");
    }
}

/// R23: whatever the declared policies make one text is one call, after a restart too.
pub(crate) async fn what_the_policies_make_one_is_one_call(store: TestStore) {
    let bench = Bench::new(store);
    for _ in 0..2 {
        same(
            &bench.turn().await,
            &[
                (" Ann@Example.TEST\\n", "ann@example.test"),
                ("Zoe\\u0308", "Zoë"),
                (
                    "HTTPS://A.test:443/x/../y",
                    "\\u3000https:\\\\\\\\a.test\\\\y ",
                ),
                (" b ", "\\tb\\u00a0"),
                (" one\\r\\ntwo\\r", "one\\ntwo\\n\\n"),
                (" Hello ", "Hello"),
            ],
        )
        .await;
    }
    assert_eq!(bench.ledger.effects(), [SEEN]);
}

/// R23: nothing is done that is not declared: each of these is another call.
pub(crate) async fn what_no_policy_is_declared_for_stays_as_it_is(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    call(&turn, "sign_up", FIRST).await;
    let others = [
        (" Acme ", "Acme"),
        (" Acme ", " acme "),
        ("Zoe\\u0308", "zoë"),
        ("Zoe\\u0308", " Zoë"),
        ("x/../y", "Y"),
        ("x/../y", "y?"),
        (" b ", "B"),
        ("[\" b \",\"a\"]", "[\"a\",\"b\"]"),
    ];
    for (from, to) in others {
        let told = call(&turn, "sign_up", &FIRST.replace(from, to)).await;
        assert!(told.result.is_ok() && !told.replayed, "{to}");
    }
    assert_eq!(bench.ledger.effects().len(), 1 + others.len());
}

/// R23, R24: a checked argument differs, and prose is worded otherwise, by what the policies wrote.
pub(crate) async fn a_checked_argument_and_prose_have_their_policies_too(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let first = call(&turn, "sign_up", FIRST).await;
    let told = call(&turn, "sign_up", &FIRST.replace("two", "Two")).await;
    assert_eq!(code(&told), "already_done_differently");
    let details = told.failure().and_then(|failure| failure.details.clone());
    assert_eq!(details.as_ref(), first.value());
    let again = call(&turn, "sign_up", &FIRST.replace(" Hello ", "hello")).await;
    assert_same_answer(&first, &again);
    assert_eq!(again.reworded, ["note"]);
    assert_eq!(bench.ledger.effects().len(), 1);
}

/// R23, R37: a text that a policy refuses is told with its place and never quoted, and nothing is done.
pub(crate) async fn what_a_policy_refuses_is_invalid_input_with_its_place(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let told = call(
        &turn,
        "sign_up",
        &FIRST.replace("HTTPS://A.test:443", "secret"),
    )
    .await;
    assert_eq!(code(&told), "invalid_input");
    let message = told.failure().map(|failure| failure.message.clone());
    let message = message.expect("a failure");
    assert!(
        message.contains("$.page") && message.contains("absolute URL"),
        "{message}"
    );
    assert!(!message.contains("secret"), "{message}");
    assert_eq!((bench.rows().await, bench.ledger.effects().len()), (0, 0));
}

/// R21: a `Patch` keeps a missing field, null and a value apart, where an `Option` has two of them.
pub(crate) async fn missing_null_and_a_value_are_three_calls(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let with = |phone: &str| FIRST.replace("\"account\"", &format!("{phone}\"account\""));
    let calls = ["", "\"phone\":null,", "\"phone\":\"1\",", "\"phone\":\"\","];
    for phone in calls {
        assert!(
            !call(&turn, "sign_up", &with(phone)).await.replayed,
            "{phone}"
        );
        assert!(
            call(&turn, "sign_up", &with(phone)).await.replayed,
            "{phone}"
        );
    }
    assert_eq!(bench.ledger.effects().len(), calls.len());
    // An option: missing and null are one.
    let without = FIRST.replace("\"page\":\"HTTPS://A.test:443/x/../y\",", "");
    let null = without.replace("\"account\"", "\"page\":null,\"account\"");
    let first = call(&turn, "sign_up", &without).await;
    assert_same_answer(&first, &call(&turn, "sign_up", &null).await);
}

/// R21, R23: a default is written by the policies as well, so that leaving it out and writing it are one call.
pub(crate) async fn a_default_that_is_written_out_is_the_same_call(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let first = call(&turn, "sign_up", FIRST).await;
    for plan in ["usual", " usual ", "\\nusual"] {
        let written = FIRST.replace(
            "\"account\"",
            &format!("\"plan\":\"{plan}\",\"extra\":null,\"account\""),
        );
        assert_same_answer(&first, &call(&turn, "sign_up", &written).await);
    }
    let other = FIRST.replace("\"account\"", "\"plan\":\"Usual\",\"account\"");
    assert!(!call(&turn, "sign_up", &other).await.replayed);
    assert_eq!(bench.ledger.effects().len(), 2);
}

/// R22, R37: free-form JSON keeps integers of any size, reads a number one way however it is spelled, and refuses a key
/// twice and what is nested too deep.
pub(crate) async fn free_form_arguments_keep_every_digit_and_refuse_a_key_twice(store: TestStore) {
    let bench = Bench::new(store);
    let turn = bench.turn().await;
    let with =
        |extra: &str| FIRST.replace("\"account\"", &format!("\"extra\":{extra},\"account\""));
    let ids = [
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.5",
        "340282366920938463463374607431768211456",
        "340282366920938463463374607431768211457",
        "\"9007199254740992\"",
        "0.1",
        "1e400000000000000000000",
    ];
    for id in &ids[..7] {
        let first = call(
            &turn,
            "sign_up",
            &with(&format!("{{\"id\":{id},\"of\":[{{}}]}}")),
        )
        .await;
        assert!(first.result.is_ok() && !first.replayed, "{id}");
        let again = call(
            &turn,
            "sign_up",
            &with(&format!("{{\"of\" : [ {{}} ] , \"\\u0069d\":{id}}}")),
        )
        .await;
        assert_same_answer(&first, &again);
    }
    let one = call(&turn, "sign_up", &with("[1]")).await;
    for spelling in ["[1.0]", "[ 10e-1 ]", "[0.1E1]"] {
        assert_same_answer(&one, &call(&turn, "sign_up", &with(spelling)).await);
    }
    let deep = format!("{}1{}", "[".repeat(64), "]".repeat(64));
    for refused in [r#"{"a":1,"b":{"c":1,"\u0063":1}}"#, &deep, ids[7]] {
        let told = call(&turn, "sign_up", &with(refused)).await;
        assert_eq!(code(&told), "invalid_input", "{refused}");
    }
    assert_eq!(bench.ledger.effects().len(), 8);
}
