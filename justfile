# The lines that are typed daily. Each is the same line that .ci/run runs, or a part of it.

# List what there is.
default:
    @just --list

# Everything that has to hold before a merge.
ci:
    .ci/run

# Format, lint and document, as .ci/run does, without running a test.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# Every test on both stores, or those that the arguments name.
test *arguments:
    tests/run {{ arguments }}

# The tests that need no server: everything but PostgreSQL's.
test-sqlite:
    cargo test -p idem-tests --tests sqlite::

# The example, with and without.
reminder:
    cargo run -p idem-examples --bin reminder
    -cargo run -p idem-examples --bin reminder -- --without-idem

# Accept new expansion snapshots and compiler messages. Read the diff.
bless:
    INSTA_UPDATE=always cargo test -p idem-macros
    TRYBUILD=overwrite cargo test -p idem-ui

# Build the documentation and open it.
docs:
    cargo doc --workspace --no-deps --open
