//! `idem` itself: migrating, errors, exit codes (R72).

use crate::office::program;
use idem_tests::{StoreKind, TestStore};
use serde_json::Value;

const ORGANIZATION: &str = "7f3c0d9e-4d0b-4b2a-9c55-0c5f4b1d2a10";

/// R74: says from where to where, and may be run again.
pub(crate) async fn a_store_is_migrated_once_and_says_so(store: TestStore) {
    let made = program(&["migrate", "--store", &store.url]).await;
    made.ends_with(0).has("Made the schema, version ");
    program(&["migrate", "--store", &store.url])
        .await
        .ends_with(0)
        .has("Nothing to do");
    let said = program(&["migrate", "--store", &store.url, "--json"])
        .await
        .json();
    assert_eq!(said["from"], said["to"]);
    assert_eq!(said["changed"], false);
    let list = [
        "--store",
        &store.url,
        "--org",
        ORGANIZATION,
        "approvals",
        "list",
    ];
    program(&list).await.ends_with(0);
}

/// R72: looking makes no file and changes no schema.
pub(crate) async fn a_store_without_the_schema_names_the_command(store: TestStore) {
    let list = [
        "--store",
        &store.url,
        "--org",
        ORGANIZATION,
        "approvals",
        "list",
    ];
    let said = program(&list).await;
    assert!(said.ends_with(3).err.contains("idem migrate"), "{said:?}");
    let no_file = said.err.contains("there is no file at");
    assert_eq!(no_file, store.kind == StoreKind::Sqlite, "{said:?}");
    if store.kind == StoreKind::Sqlite {
        assert!(said.err.contains("check the path"), "{said:?}");
        assert!(!said.err.contains("schema version 0"), "{said:?}");
        assert!(!std::path::Path::new(store.url.trim_start_matches("sqlite://")).exists());
    }
}

/// R72: a program reads errors as it reads answers.
pub(crate) async fn an_error_is_one_document_for_a_program(store: TestStore) {
    let cases: [(&[&str], i32, &str); 4] = [
        (
            &[
                "--store",
                "mysql://x",
                "--org",
                ORGANIZATION,
                "approvals",
                "list",
            ],
            3,
            "store",
        ),
        (&["--store", &store.url, "approvals", "list"], 2, "usage"),
        (&["approvals", "list"], 2, "usage"),
        (
            &[
                "--store",
                &store.url,
                "--org",
                ORGANIZATION,
                "approvals",
                "list",
            ],
            3,
            "store",
        ),
    ];
    for (arguments, code, word) in cases {
        let said = program(&[arguments, &["--json"]].concat()).await;
        let json: Value = said.ends_with(code).json();
        assert_eq!(json["error"]["code"], word);
        assert!(said.err.is_empty(), "{said:?}");
        assert!(!program(arguments).await.ends_with(code).err.is_empty());
    }
}

/// R72: every command explains itself with an example.
pub(crate) async fn a_wrong_command_line_ends_with_two(store: TestStore) {
    for arguments in [
        &["approve"][..],
        &["--org", "0", "approvals", "list"],
        &["show", "xyz"],
        &[],
    ] {
        program(arguments).await.ends_with(2);
    }
    let commands: [&[&str]; 9] = [
        &[],
        &["approvals", "list"],
        &["approvals", "show"],
        &["approvals", "approve"],
        &["approvals", "deny"],
        &["approvals", "edit"],
        &["settle"],
        &["show"],
        &["migrate"],
    ];
    for command in commands {
        let help = program(&[command, &["--help"]].concat()).await;
        help.ends_with(0).has("Example:\n  ");
        assert!(
            !help.out.contains('\u{1b}') && !help.out.contains(&store.url),
            "{help:?}"
        );
    }
}
