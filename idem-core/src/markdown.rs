//! The tables of the pages that are printed from a decision function.

use std::fmt::Write;

/// What a page names: a state, what is done to it, what is told of it.
pub(crate) trait Described: Copy + 'static {
    /// What such a one is called, over its column.
    const NOUN: &'static str;
    /// Each, in the order of the legend.
    const EACH: &'static [Self];

    /// Its name, and what that means.
    fn described(self) -> (&'static str, &'static str);
}

/// Makes a type [`Described`] that has `ALL` and `described`, and gives it `words`, its name.
macro_rules! described {
    ($type:ident, $noun:literal) => {
        impl $type {
            #[doc = concat!("The ", $noun, " as people read it.")]
            #[must_use]
            pub const fn words(self) -> &'static str {
                self.described().0
            }
        }

        impl $crate::markdown::Described for $type {
            const NOUN: &'static str = $noun;
            const EACH: &'static [Self] = &$type::ALL;

            fn described(self) -> (&'static str, &'static str) {
                $type::described(self)
            }
        }
    };
}
pub(crate) use described;

/// Writes one row.
pub(crate) fn line<Cell: AsRef<str>>(page: &mut String, cells: impl IntoIterator<Item = Cell>) {
    page.push('|');
    for cell in cells {
        // Writing to a String cannot fail.
        let _ = write!(page, " {} |", cell.as_ref());
    }
    page.push('\n');
}

/// Writes what is told in every state for each of these acts and, after an arrow, the state afterwards where that is
/// another one.
pub(crate) fn decisions<State, Act, Told>(
    page: &mut String,
    acts: &[Act],
    decide: impl Fn(State, Act) -> (Told, State),
) where
    State: Described + PartialEq,
    Act: Described,
    Told: Described,
{
    let heads = acts.iter().map(|act| act.described().0);
    line(page, std::iter::once(State::NOUN).chain(heads));
    line(page, std::iter::repeat_n("---", 1 + acts.len()));
    for &state in State::EACH {
        let words = state.described().0;
        let cells = acts.iter().map(|act| {
            let (told, next) = decide(state, *act);
            let (told, to) = (told.described().0, next.described().0);
            if next == state {
                told.to_owned()
            } else {
                format!("{told} → {to}")
            }
        });
        line(page, std::iter::once(words.to_owned()).chain(cells));
    }
}

/// Writes what each name means.
pub(crate) fn legend<Named: Described>(page: &mut String) {
    line(page, [Named::NOUN, "meaning"]);
    line(page, ["---", "---"]);
    for named in Named::EACH {
        let (words, meaning) = named.described();
        line(page, [words, meaning]);
    }
}
