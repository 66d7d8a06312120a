//! The shape of the workspace, checked by reading its sources: who may name whom, where SQL stands,
//! how long files are, and that no test is lost.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation is the test's failure"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use idem_tests::source::{Source, files, text, workspace};

const CORE: &str = "idem-core/src";
const TOOLS: &str = "idem-tools/src";
const MACROS: &str = "idem-macros/src";
const STORES: [&str; 2] = ["idem-core/src/postgres", "idem-core/src/sqlite"];
/// The schemas of core's own types, behind an optional feature: only the crate that has a type can
/// give it a foreign trait.
const SCHEMAS: (&str, &str) = ("idem-core/src/schema.rs", "schemars");
const LINES_MAX: usize = 400;

/// A path as the reader of a failure knows it.
fn short(path: &Path) -> String {
    let path = path.strip_prefix(workspace()).unwrap_or(path);
    path.display().to_string().replace('\\', "/")
}

/// Rust files of the library crates, with their text taken apart.
fn libraries() -> Vec<(String, Source)> {
    let paths = [CORE, MACROS, TOOLS]
        .into_iter()
        .flat_map(|folder| files(folder, "rs"));
    paths
        .map(|path| (short(&path), Source::read(&path)))
        .collect()
}

/// Asserts that a check found nothing to complain about.
fn assert_none(rule: &str, found: &[String]) {
    assert!(found.is_empty(), "{rule}:\n  {}", found.join("\n  "));
}

/// The names of a folder's files with this extension.
fn names(folder: &str, extension: &str) -> BTreeSet<String> {
    let inside = workspace().join(folder);
    let relative = |path: PathBuf| path.strip_prefix(&inside).expect("below").to_owned();
    files(folder, extension)
        .into_iter()
        .map(|path| relative(path).display().to_string())
        .collect()
}

/// The dependencies of a manifest, and whether each is optional.
fn dependencies(manifest: &str) -> Vec<(String, bool)> {
    let (mut found, mut inside) = (Vec::new(), false);
    for line in text(&workspace().join(manifest)).lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.contains("dependencies");
        } else if inside && !line.starts_with('#') {
            let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
            found.push((name.replace('-', "_"), line.contains("optional = true")));
        }
    }
    found
}

#[test]
fn the_plane_knows_no_tools_no_http_and_no_schemas() {
    let foreign = ["schemars", "axum", "tower", "rmcp", "idem_tools"];
    let found: Vec<_> = libraries()
        .iter()
        .filter(|(path, _)| path.starts_with(CORE))
        .flat_map(|(path, source)| {
            let named = foreign.iter().filter(|word| source.names(word));
            let named = named.filter(|word| (path.as_str(), **word) != SCHEMAS);
            named.map(move |word| format!("{path} names {word}"))
        })
        .collect();
    assert_none("idem-core stands below the tools", &found);
    for (name, optional) in dependencies("idem-core/Cargo.toml") {
        let allowed = optional && name == SCHEMAS.1;
        assert!(
            allowed || !foreign.contains(&name.as_str()),
            "idem-core depends on {name}"
        );
    }
}

#[test]
fn only_the_two_store_folders_name_the_database_driver() {
    let found: Vec<_> = libraries()
        .into_iter()
        .filter(|(path, source)| {
            let in_store = STORES.iter().any(|store| path.starts_with(store));
            !in_store && source.names("sqlx")
        })
        .map(|(path, _)| path)
        .collect();
    assert_none("sqlx is named outside the stores", &found);
}

#[test]
fn the_tool_crates_do_not_depend_on_the_database_driver() {
    for manifest in ["idem-tools/Cargo.toml", "idem-macros/Cargo.toml"] {
        let named = dependencies(manifest)
            .iter()
            .any(|(name, _)| name == "sqlx");
        assert!(!named, "{manifest} names sqlx");
    }
}

#[test]
fn no_rust_string_holds_sql() {
    let verbs = ["SELECT ", "INSERT ", "UPDATE ", "DELETE "];
    let found: Vec<_> = libraries()
        .into_iter()
        .flat_map(|(path, source)| {
            let sql = source
                .strings
                .into_iter()
                .filter(|text| verbs.iter().any(|verb| text.contains(verb)));
            sql.map(move |text| format!("{path}: {text}"))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_none("statements stand in .sql files", &found);
}

#[test]
fn the_stores_have_the_same_statements() {
    let [postgres, sqlite] = STORES.map(|store| names(&format!("{store}/sql"), "sql"));
    assert_eq!(
        postgres, sqlite,
        "a statement has its twin under the same name"
    );
}

/// Only PostgreSQL has a server on which databases are made.
#[test]
fn the_stores_have_the_same_statements_for_tests() {
    let [postgres, sqlite] = STORES.map(|store| names(&format!("{store}/testing"), "sql"));
    let servers_own = ["create_database.sql", "drop_database.sql"].map(str::to_owned);
    let twins: BTreeSet<_> = postgres
        .difference(&BTreeSet::from(servers_own))
        .cloned()
        .collect();
    assert_eq!(
        twins, sqlite,
        "a statement has its twin under the same name"
    );
}

/// What only tests need is not built into an application.
#[test]
fn what_the_feature_for_tests_brings_is_optional() {
    let tools = dependencies("idem-tools/Cargo.toml");
    for name in ["axum", "serde_json", "tempfile"] {
        let found = tools.iter().find(|(found, _)| found == name);
        assert_eq!(found, Some(&(name.to_owned(), true)), "{name} is optional");
    }
    let manifest = text(&workspace().join("idem-tools/Cargo.toml"));
    let bringing: Vec<_> = manifest
        .lines()
        .filter(|line| line.contains("dep:axum"))
        .collect();
    let features = ["http = ", "testing = "];
    assert_eq!(bringing.len(), features.len());
    for (line, feature) in bringing.iter().zip(features) {
        assert!(line.starts_with(feature), "{line}");
    }
}

/// A planted bug is in no build but the one that looks for it.
#[test]
fn no_manifest_turns_the_planted_bugs_on() {
    let defined = [
        ("idem-tools/Cargo.toml", "planted-bugs = []"),
        (
            "examples/Cargo.toml",
            r#"planted-bugs = ["idem-tools/planted-bugs"]"#,
        ),
    ];
    let mut found = Vec::new();
    for path in files("", "toml") {
        for line in text(&path).lines().map(str::trim) {
            let is_about = line.contains("planted-bugs") && !line.starts_with('#');
            if is_about && !defined.contains(&(&*short(&path), line)) {
                found.push(format!("{}: {line}", short(&path)));
            }
        }
    }
    assert_none("planted-bugs is defined twice and used nowhere", &found);
    for (manifest, line) in defined {
        let text = text(&workspace().join(manifest));
        assert!(text.lines().any(|found| found == line), "{manifest}");
    }
}

#[test]
fn every_statement_says_what_zero_rows_mean() {
    let mut found = Vec::new();
    let folders = STORES
        .iter()
        .flat_map(|store| [format!("{store}/sql"), format!("{store}/testing")]);
    for path in folders.flat_map(|folder| files(&folder, "sql")) {
        let text = text(&path);
        let comment: Vec<_> = text
            .lines()
            .take_while(|line| line.starts_with("--"))
            .collect();
        let comment = comment.join(" ").replace("-- ", "").to_lowercase();
        let always = comment.contains("always") && comment.contains("row");
        if !comment.contains("zero rows") && !always {
            found.push(short(&path));
        }
    }
    assert_none("a statement opens with a comment on zero rows", &found);
}

#[test]
fn the_stores_have_the_same_migrations() {
    let [postgres, sqlite] = STORES.map(|store| names(&format!("{store}/migrations"), "sql"));
    assert_eq!(
        postgres, sqlite,
        "a migration has its twin under the same number and title"
    );
    for (name, number) in postgres.iter().zip(1..) {
        assert!(
            name.starts_with(&format!("{number:04}_")),
            "{name} should be number {number:04}"
        );
    }
}

#[test]
fn no_rust_file_is_too_long() {
    let lengths = files("", "rs")
        .into_iter()
        .map(|path| (text(&path).lines().count(), path));
    let found: Vec<_> = lengths
        .filter(|(lines, _)| *lines > LINES_MAX)
        .map(|(lines, path)| format!("{} has {lines} lines", short(&path)))
        .collect();
    assert_none("a Rust file has at most 400 lines", &found);
}

#[test]
fn no_test_is_ignored() {
    let mut found = files("", "rs");
    found.retain(|path| Source::read(path).code.contains("#[ignore"));
    let found: Vec<_> = found.iter().map(|path| short(path)).collect();
    assert_none("a test that does not run proves nothing", &found);
}

/// A test that sleeps is slow or flaky. The support library may, with a comment in the line above.
#[test]
fn no_test_sleeps() {
    let mut found = Vec::new();
    for path in files("tests", "rs") {
        let in_support = short(&path).starts_with("tests/support/");
        let text = text(&path);
        let original: Vec<_> = text.lines().collect();
        for (at, line) in Source::parse(&text).code.lines().enumerate() {
            let reason = at > 0 && original[at - 1].trim().starts_with("//");
            if line.contains("sleep(") && !(in_support && reason) {
                found.push(format!("{}:{}", short(&path), at + 1));
            }
        }
    }
    assert_none("a test waits for what it needs, not for time", &found);
}

/// Automatic discovery is off, so a file that the manifest does not list would never run.
#[test]
fn every_test_target_is_listed_and_exists() {
    let manifest = text(&workspace().join("tests/Cargo.toml"));
    let listed: BTreeSet<_> = manifest
        .split("[[test]]")
        .skip(1)
        .filter_map(|target| {
            target
                .lines()
                .find_map(|line| line.trim().strip_prefix("path = "))
        })
        .map(|path| path.trim_matches('"').to_owned())
        .collect();
    assert_eq!(
        listed.len(),
        manifest.matches("[[test]]").count(),
        "each target has its own path"
    );
    let is_target = |name: &str| {
        let own = !name.starts_with("support/") && !name.starts_with("ui/");
        own && (!name.contains('/') || name.matches('/').count() == 1 && name.ends_with("/main.rs"))
    };
    let there: BTreeSet<_> = names("tests", "rs")
        .into_iter()
        .filter(|name| is_target(name))
        .collect();
    assert_eq!(
        there, listed,
        "left: the files that are there; right: [[test]] in tests/Cargo.toml"
    );
}
