//! `docs/macro.md` tells every form and every refusal: one row for each case of `tests/ui`, one case for each row.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation is the test's failure"
)]

use std::collections::BTreeSet;

use idem_tests::source::{files, text, workspace};

const FAIL: &str = "tests/ui/cases/fail";
const PASS: &str = "tests/ui/cases/pass";

/// The cells of each row of the tables under a headline, without the head and the rule below it.
fn rows(headline: &str) -> Vec<Vec<String>> {
    let page = text(&workspace().join("docs/macro.md"));
    let (_, section) = page
        .split_once(&format!("\n## {headline}\n"))
        .unwrap_or_else(|| panic!("the page has no `{headline}`"));
    let section = section.split("\n## ").next().unwrap_or_default();
    let tables = section
        .split("\n\n")
        .filter(|part| part.trim_start().starts_with('|'));
    let rows = tables.flat_map(|table| table.trim().lines().skip(2));
    rows.map(cells).collect()
}

/// The cells of one row. A bar inside a cell is written `\|`.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_matches('|').replace("\\|", "\u{1}");
    let cells = row.split('|').map(|cell| cell.trim().replace('\u{1}', "|"));
    cells.collect()
}

/// The file that a cell links to or names, without its extension.
fn case(cell: &str) -> String {
    cell.trim_matches('`').to_owned()
}

/// The cases of a folder, as the page names them.
fn cases(folder: &str) -> BTreeSet<String> {
    let inside = workspace().join(folder);
    let name = |path: &std::path::PathBuf| {
        let path = path
            .strip_prefix(&inside)
            .expect("below")
            .with_extension("");
        path.display().to_string().replace('\\', "/")
    };
    files(folder, "rs").iter().map(name).collect()
}

/// The rows' cases, each of which stands once.
fn told(rows: &[Vec<String>]) -> BTreeSet<String> {
    let mut told = BTreeSet::new();
    for row in rows {
        let case = case(&row[0]);
        assert!(told.insert(case.clone()), "two rows tell of {case}");
    }
    told
}

/// C49: what is refused is known by its page.
#[test]
fn every_refusal_has_one_row_and_every_row_one_case() {
    let rows = rows("What is refused");
    let (told, there) = (told(&rows), cases(FAIL));
    let untold: Vec<_> = there.difference(&told).collect();
    let gone: Vec<_> = told.difference(&there).collect();
    assert!(
        untold.is_empty() && gone.is_empty(),
        "cases without a row: {untold:#?}\nrows without a case: {gone:#?}"
    );
}

/// The page quotes the compiler: a reader who searches for a message finds it.
#[test]
fn every_row_says_what_the_compiler_says() {
    for row in rows("What is refused") {
        let [case, example, said] = row.as_slice() else {
            panic!("a row has a case, an example and a message: {row:?}");
        };
        let file = workspace().join(FAIL).join(case.trim_matches('`'));
        assert!(example.contains('`'), "{case} has no example");
        let answer = text(&file.with_extension("stderr"));
        let headline = |line: &str| {
            let line = line.strip_prefix("error")?;
            Some(line.split_once(": ")?.1.to_owned())
        };
        let mut headlines = answer.lines().filter_map(headline);
        assert!(
            headlines.any(|headline| headline.starts_with(said.as_str())),
            "{case}: the compiler does not say: {said}"
        );
        let source = text(&file.with_extension("rs"));
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let written = squeezed(&source);
        for code in example.split('`').skip(1).step_by(2) {
            assert!(
                written.contains(&squeezed(code)),
                "{case} does not hold `{code}`"
            );
        }
    }
}

/// Every form has its accepted case, and every accepted case tells of a form.
#[test]
fn every_form_has_an_accepted_case() {
    assert_eq!(
        told(&rows("Forms, each with its case")),
        cases(PASS),
        "left: the rows of docs/macro.md; right: the files of {PASS}"
    );
}
