//! Programs of the workspace that a test has to build first.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use idem_tests::source::workspace;

/// The folder of this build, `target/debug` as a rule: the test itself lies in `deps` below it.
fn build_folder() -> PathBuf {
    let test = std::env::current_exe().expect("this very program");
    let deps = test.parent().expect("a folder");
    deps.parent().expect("a folder above").to_owned()
}

/// Cargo, without the network and quiet unless it fails.
pub(crate) fn cargo(command: &str) -> Command {
    let mut cargo = cargo_that_fetches(command);
    cargo.arg("--offline");
    cargo
}

/// The same, for crates that no build of the workspace has fetched.
pub(crate) fn cargo_that_fetches(command: &str) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut cargo = Command::new(program);
    cargo.args([command, "--quiet"]);
    cargo.current_dir(workspace()).stdin(Stdio::null());
    cargo
}

/// Points cargo at a crate outside the workspace, with a folder of its own for what is built: inside, its features would
/// be on for every test. `WORKSPACE` in the manifest stands for the workspace's folder.
pub(crate) fn outside<'c>(cargo: &'c mut Command, name: &str, manifest: &str) -> &'c mut Command {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let workspace = workspace();
    let manifest = manifest.replace("WORKSPACE", &workspace.display().to_string());
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    // The same versions as here.
    fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    cargo.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    cargo.arg("--target-dir").arg(folder.join("target"))
}

/// Builds a program of the examples as this test was built, and tells where it lies. It is fresh as a
/// rule, and cargo then only says so.
pub(crate) fn example(name: &str) -> PathBuf {
    let folder = build_folder();
    let target = folder.parent().expect("the target folder").to_owned();
    let mut cargo = cargo("build");
    // The whole workspace, because this chooses the features that the tests were built with too.
    cargo.args(["--workspace", "--bin", name, "--target-dir"]);
    cargo.arg(&target);
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    said(&mut cargo);
    folder.join(name)
}

/// Builds a program of the examples with a feature of theirs, in a folder of its own: in the workspace's the feature would
/// be on for every test.
pub(crate) fn example_with(feature: &str, name: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(feature);
    let mut cargo = cargo("build");
    cargo.args(["--package", "idem-examples", "--bin", name]);
    cargo.args(["--features", feature, "--target-dir"]);
    cargo.arg(&target).env("CARGO_PROFILE_DEV_DEBUG", "false");
    said(&mut cargo);
    target.join("debug").join(name)
}

/// Runs a command that is to succeed; its standard output.
pub(crate) fn said(command: &mut Command) -> String {
    let output = command.output().expect("a program that starts");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        everything(&output)
    );
    String::from_utf8(output.stdout).expect("text")
}

/// Both streams, for a message.
pub(crate) fn everything(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "{}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    )
}
