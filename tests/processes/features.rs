//! One crate's feature switch changes a library for the whole build (C05): the plane is given the same
//! key, hash and answer all the same. A crate outside the workspace is built for this, because inside
//! it the switch would be on for every test.

use crate::digests::lines;
use crate::program::{cargo, outside, said};

const MANIFEST: &str = r#"
[workspace]

[package]
name = "idem-features"
version = "0.0.0"
edition = "2024"

[[bin]]
name = "idem-features"
path = "WORKSPACE/tests/features/program.rs"

[dependencies]
idem-core = { path = "WORKSPACE/idem-core", default-features = false, features = ["testing"] }
idem-tools = { path = "WORKSPACE/idem-tools", default-features = false }
serde_json = { version = "1", features = ["preserve_order", "arbitrary_precision", "float_roundtrip"] }
tokio = { version = "1", features = ["macros", "rt", "time"] }
uuid = "1"

[profile.dev]
debug = false
"#;

/// Builds and runs the program; what it printed.
fn printed() -> String {
    said(outside(&mut cargo("run"), "features", MANIFEST))
}

#[test]
fn the_json_librarys_switches_change_no_digest_and_no_answer() {
    let plain: serde_json::Value = serde_json::from_str(r#"{"b":1,"a":0.10}"#).unwrap();
    assert_eq!(plain.to_string(), r#"{"a":0.1,"b":1}"#, "they are off here");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let here = runtime.unwrap().block_on(lines());
    for line in &here[1..] {
        assert_eq!(line, &here[0], "every spelling is one call");
    }
    let there = printed();
    assert_eq!(there.lines().collect::<Vec<_>>(), here);
}
