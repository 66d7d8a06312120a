//! The feature `rig`, in a crate outside the workspace as a user has one: rig turns switches of the JSON library on, and
//! inside they would be on for every test (C05). Its cases stand in `tests/features/rig.rs`.

use crate::program::{cargo_that_fetches, outside, said};

const MANIFEST: &str = r#"
[workspace]

[package]
name = "idem-rig"
version = "0.0.0"
edition = "2024"
rust-version = "1.95"
autotests = false

[lib]
path = "WORKSPACE/tests/features/empty.rs"

[[test]]
name = "rig"
path = "WORKSPACE/tests/features/rig.rs"

[dependencies]
bytes = "1"
idem-tools = { path = "WORKSPACE/idem-tools", default-features = false, features = ["rig", "testing"] }
tokio = { version = "1", features = ["macros", "rt"] }

[profile.dev]
debug = false
"#;

#[test]
fn the_cases_of_a_model_of_rig_hold() {
    let mut cargo = cargo_that_fetches("test");
    let output = said(outside(&mut cargo, "rig", MANIFEST).args(["--test", "rig"]));
    assert!(output.contains("test result: ok. 8 passed"), "{output}");
}
