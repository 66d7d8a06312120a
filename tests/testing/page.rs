//! The guide's example is the file that runs here.

/// What a page shows is compiled and run.
#[test]
fn the_guide_shows_the_example_that_is_run() {
    let page = include_str!("../../docs/testing.md");
    let example = include_str!("example.rs");
    assert!(
        page.contains(example.trim_end()),
        "docs/testing.md shows another text than tests/testing/example.rs"
    );
}
