//! The canonical forms of collections.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};

use uuid::Uuid;

use super::{Canonical, CanonicalError, Kind, Writer};

macro_rules! sequences {
    ($($kind:ident, $end:ident: [$($generics:tt)*] $type:ty;)*) => {$(
        impl<T: Canonical, $($generics)*> Canonical for $type {
            const KIND: Kind = Kind::$kind;

            fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
                let mut sequence = out.sequence();
                for element in self {
                    sequence.element(element)?;
                }
                sequence.$end()
            }
        }
    )*};
}

sequences! {
    Sequence, end: [] [T];
    Sequence, end: [const N: usize] [T; N];
    Sequence, end: [] Vec<T>;
    Sequence, end: [] VecDeque<T>;
    Sequence, end: [] LinkedList<T>;
    Sequence, end: [] BTreeSet<T>;
    UnorderedSequence, end_sorted: [S] HashSet<T, S>;
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))*) => {$(
        impl<$($name: Canonical),+> Canonical for ($($name,)+) {
            const KIND: Kind = Kind::Sequence;

            fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
                let mut sequence = out.sequence();
                $(sequence.element(&self.$index)?;)+
                sequence.end()
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

/// A type that can be the key of a map in the canonical form.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map in the canonical form",
    note = "keys are text, integers, `bool`, `char` or `Uuid`"
)]
pub trait CanonicalKey {
    /// The key as text; two keys that differ have different texts.
    fn key_text(&self) -> String;
}

macro_rules! keys {
    ($($type:ty),*) => {$(
        impl CanonicalKey for $type {
            fn key_text(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

keys!(str, String, bool, char, Uuid);
keys!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

impl<K: CanonicalKey + ?Sized> CanonicalKey for &K {
    fn key_text(&self) -> String {
        (**self).key_text()
    }
}

impl<K: CanonicalKey, V: Canonical> Canonical for BTreeMap<K, V> {
    const KIND: Kind = Kind::Map;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        write_map(self.iter(), out)
    }
}

impl<K: CanonicalKey, V: Canonical, S> Canonical for HashMap<K, V, S> {
    const KIND: Kind = Kind::UnorderedMap;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        write_map(self.iter(), out)
    }
}

fn write_map<'m, K: CanonicalKey + 'm, V: Canonical + 'm>(
    entries: impl Iterator<Item = (&'m K, &'m V)>,
    out: &mut Writer,
) -> Result<(), CanonicalError> {
    let mut object = out.object();
    for (key, value) in entries {
        object.entry(&key.key_text(), value)?;
    }
    object.end()
}
