//! What the macros and the claim accept, and what they say when they refuse.
//!
//! A refusal is a file in `cases/fail` with the compiler's whole answer beside it. After a change, write the answers
//! anew with `TRYBUILD=overwrite cargo test -p idem-ui`, and read each one.

use std::env;
use std::process::Command;

/// The compiler whose words stand in the `.stderr` files. Another one says the same with other words.
const PINNED: &str = "rustc 1.95.";

#[test]
fn accepted_forms_compile_and_refusals_read_as_written() {
    let cases = trybuild::TestCases::new();
    cases.pass("cases/pass/*.rs");
    let compiler = compiler();
    if compiler.starts_with(PINNED) {
        cases.compile_fail("cases/fail/*/*.rs");
    } else {
        println!(
            "the refusals are skipped: their text is that of {PINNED}x, and this is {compiler}"
        );
    }
}

/// The first line of the version of the compiler that builds the cases.
fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .unwrap_or_default()
}
