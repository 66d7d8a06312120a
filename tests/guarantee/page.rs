//! The table as `docs/guarantee.md` has it, and that the page has it.

use crate::table::{Cell, Class, Fault};
use crate::told::Word;
use idem_tests::source::{text, workspace};

const FROM: &str = "<!-- printed from tests/guarantee/table.rs: IDEM_BLESS=1 prints it anew -->\n";
const TO: &str = "<!-- end of what is printed -->\n";

impl Fault {
    /// As the page says it.
    const fn words(self) -> &'static str {
        match self {
            Self::KilledBeforeMark => "killed before its mark",
            Self::KilledBeforeWire => "killed between its mark and the wire",
            Self::KilledAfterWire => "killed after the effect, before its ending",
            Self::StalledBeforeMark => "stalls past its lease before its mark",
            Self::StalledBeforeWire => "stalls past its lease between its mark and the wire",
            Self::StalledAfterWire => "stalls past its lease after the effect",
            Self::TimedOutLandsSoon => "timeout; the effect comes within the lease",
            Self::TimedOutLandsLate => "timeout; the effect comes after the next call",
            Self::BadGatewayDone => "502, with the effect",
            Self::BadGatewayNotDone => "502, without the effect",
            Self::VendorReplyLost => "the vendor's reply is lost after the effect",
            Self::ClaimReplyLost => "the store's reply to the claim is lost",
            Self::EndingReplyLost => "the store's reply to the ending is lost",
        }
    }
}

fn line<Part: AsRef<str>>(page: &mut String, parts: impl IntoIterator<Item = Part>) {
    page.push('|');
    for part in parts {
        page.push(' ');
        page.push_str(part.as_ref());
        page.push_str(" |");
    }
    page.push('\n');
}

/// A second effect stands out; a second look is none.
fn shown(class: Class, cell: Cell) -> String {
    let told: Vec<_> = cell.told.iter().copied().map(Word::text).collect();
    let told = told.join(", then ");
    let effects = cell.effects;
    if effects > 1 && class != Class::Read {
        return format!("**{effects}**: {told}");
    }
    format!("{effects}: {told}")
}

fn markdown() -> String {
    let mut page = "\n".to_owned();
    let classes = Class::ALL.map(Class::words);
    line(
        &mut page,
        std::iter::once("the first worker").chain(classes),
    );
    line(&mut page, std::iter::repeat_n("---", 1 + classes.len()));
    for fault in Fault::ALL {
        let cells = Class::ALL.map(|class| shown(class, fault.cell(class)));
        line(
            &mut page,
            std::iter::once(fault.words().to_owned()).chain(cells),
        );
    }
    page.push('\n');
    page
}

#[test]
fn the_page_holds_the_table() {
    let path = workspace().join("docs/guarantee.md");
    let page = text(&path);
    let (before, rest) = page.split_once(FROM).expect("where the table begins");
    let (table, after) = rest.split_once(TO).expect("where the table ends");
    let printed = markdown();
    if std::env::var_os("IDEM_BLESS").is_some() {
        std::fs::write(&path, [before, FROM, &printed, TO, after].concat()).expect("the page");
    } else {
        assert_eq!(
            table, printed,
            "IDEM_BLESS=1 tests/run the_page_holds_the_table prints docs/guarantee.md anew"
        );
    }
}
