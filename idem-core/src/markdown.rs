//! The tables of the pages that are printed from a decision function.

use std::fmt::Write;

/// Writes one row.
pub(crate) fn line<Cell: AsRef<str>>(page: &mut String, cells: impl IntoIterator<Item = Cell>) {
    page.push('|');
    for cell in cells {
        // Writing to a String cannot fail.
        let _ = write!(page, " {} |", cell.as_ref());
    }
    page.push('\n');
}
