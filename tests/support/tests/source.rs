//! Taking sources apart.

use crate::source::Source;

#[test]
fn comments_and_the_insides_of_strings_are_no_code() {
    let source =
        Source::parse("a // sqlx\n/* b /* c */ sqlx */ d(\"sqlx \\\" e\", r#\"f \" g\"#);\n");
    assert_eq!(source.code, "a \n d(\"\", r#\"\"#);\n");
    assert_eq!(source.strings, ["sqlx \\\" e", "f \" g"]);
    assert!(!source.names("sqlx"));
}

#[test]
fn characters_and_lifetimes_open_no_string() {
    let source = Source::parse(r#"fn f<'a>(x: &'a str) { ['"', '\'', '\u{22}', 'b']; "in" }"#);
    assert_eq!(source.strings, ["in"]);
    assert!(Source::parse("for_r\"x\"").strings == ["x"]);
}

#[test]
fn a_name_is_a_whole_word() {
    let source = Source::parse("use sqlx_core::x; my_sqlx(); tower::y");
    assert!(!source.names("sqlx"));
    assert!(source.names("tower"));
}
