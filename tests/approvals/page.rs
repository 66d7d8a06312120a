//! R40 to R45: `docs/approvals.md` says what the code does.

use idem_core::approval::page::markdown;
use idem_tests::source::{text, workspace};

const FROM: &str =
    "<!-- printed from idem_core::approval::table::decide: IDEM_BLESS=1 prints it anew -->\n";
const TO: &str = "<!-- end of what is printed -->\n";

#[test]
fn the_page_holds_the_decision_table() {
    let path = workspace().join("docs/approvals.md");
    let page = text(&path);
    let (before, rest) = page.split_once(FROM).expect("where the table begins");
    let (table, after) = rest.split_once(TO).expect("where the table ends");
    let printed = markdown();
    if std::env::var_os("IDEM_BLESS").is_some() {
        std::fs::write(&path, [before, FROM, &printed, TO, after].concat()).unwrap();
    } else {
        assert_eq!(table, printed, "IDEM_BLESS=1 prints the page anew");
    }
}
