//! The canonical forms of collections.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};

use uuid::Uuid;

use super::policy::each;
use super::{Canonical, CanonicalError, Kind, Writer};

macro_rules! sequences {
    ($($kind:ident, $end:ident: [$($bound:tt)*] [$($generics:tt)*] $type:ty
        => |$list:ident| $normalize:expr;)*) => {$(
        impl<T: Canonical + $($bound)*, $($generics)*> Canonical for $type {
            const KIND: Kind = Kind::$kind;

            fn normalize(&mut self) -> Result<(), CanonicalError> {
                let $list = self;
                $normalize
            }

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
    Sequence, end: [] [] [T] => |list| each_in_place(list.iter_mut());
    Sequence, end: [] [const N: usize] [T; N] => |list| each_in_place(list.iter_mut());
    Sequence, end: [] [] Vec<T> => |list| each_in_place(list.iter_mut());
    Sequence, end: [] [] VecDeque<T> => |list| each_in_place(list.iter_mut());
    Sequence, end: [] [] LinkedList<T> => |list| each_in_place(list.iter_mut());
    Sequence, end: [Ord] [] BTreeSet<T> => |set| {
        let mut elements: Vec<T> = std::mem::take(set).into_iter().collect();
        each_in_place(elements.iter_mut())?;
        set.extend(elements);
        Ok(())
    };
    UnorderedSequence, end_sorted: [Eq + Hash] [S: BuildHasher] HashSet<T, S> => |set| {
        let mut elements: Vec<T> = set.drain().collect();
        // Without an order there is no place to name.
        each(elements.iter_mut(), T::normalize, |error, _| error)?;
        set.extend(elements);
        Ok(())
    };
}

fn each_in_place<'e, T: Canonical + 'e>(
    elements: impl Iterator<Item = &'e mut T>,
) -> Result<(), CanonicalError> {
    each(elements, T::normalize, CanonicalError::under_index)
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))*) => {$(
        impl<$($name: Canonical),+> Canonical for ($($name,)+) {
            const KIND: Kind = Kind::Sequence;

            fn normalize(&mut self) -> Result<(), CanonicalError> {
                $(self.$index.normalize().map_err(|error| error.under_index($index))?;)+
                Ok(())
            }

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

    fn normalize(&mut self) -> Result<(), CanonicalError> {
        normalize_values(self.iter_mut())
    }

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        write_map(self.iter(), out)
    }
}

impl<K: CanonicalKey, V: Canonical, S> Canonical for HashMap<K, V, S> {
    const KIND: Kind = Kind::UnorderedMap;

    fn normalize(&mut self) -> Result<(), CanonicalError> {
        normalize_values(self.iter_mut())
    }

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        write_map(self.iter(), out)
    }
}

fn normalize_values<'m, K: CanonicalKey + 'm, V: Canonical + 'm>(
    mut entries: impl Iterator<Item = (&'m K, &'m mut V)>,
) -> Result<(), CanonicalError> {
    entries.try_for_each(|(key, value)| {
        let done = value.normalize();
        done.map_err(|error| error.under_key(&key.key_text()))
    })
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
