//! A JSON object: text keys, each once, kept in the order RFC 8785 writes them.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, btree_map};
use std::fmt;

use super::Json;
use super::text::compare_utf16;

/// A JSON object whose keys are sorted by UTF-16 code unit and never repeat.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Map {
    entries: BTreeMap<Key, Json>,
}

impl Map {
    /// An object without members.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The value under `key`, if there is one.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json> {
        let probe: &dyn KeyText = &key;
        self.entries.get(probe)
    }

    /// Whether a value stands under `key`.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Sets `key` to `value` and gives back the value that stood there before.
    pub fn insert(&mut self, key: impl Into<String>, value: Json) -> Option<Json> {
        self.entries.insert(Key(key.into()), value)
    }

    /// Adds `key` and refuses it when it is already there.
    ///
    /// # Errors
    /// The key, handed back; the object is unchanged.
    pub fn insert_new(&mut self, key: impl Into<String>, value: Json) -> Result<(), String> {
        match self.entries.entry(Key(key.into())) {
            btree_map::Entry::Vacant(entry) => {
                entry.insert(value);
                Ok(())
            }
            btree_map::Entry::Occupied(entry) => Err(entry.key().0.clone()),
        }
    }

    /// Takes the value under `key` out of the object.
    pub fn remove(&mut self, key: &str) -> Option<Json> {
        let probe: &dyn KeyText = &key;
        self.entries.remove(probe)
    }

    /// The members in canonical order.
    #[must_use]
    pub fn iter(&self) -> Iter<'_> {
        Iter {
            entries: self.entries.iter(),
        }
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = (&'a str, &'a Json);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// The members of a [`Map`] in canonical order.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    entries: btree_map::Iter<'a, Key, Json>,
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a str, &'a Json);

    fn next(&mut self) -> Option<Self::Item> {
        self.entries
            .next()
            .map(|(key, value)| (key.0.as_str(), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entries.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

/// A key as it is stored. It does not borrow as `str`: a `str` sorts by code point, which differs
/// from UTF-16 order above U+FFFF, and the tree would then miss keys.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key(String);

/// What a stored key and a borrowed one have in common, so that a look-up needs no allocation.
trait KeyText {
    fn text(&self) -> &str;
}

impl KeyText for Key {
    fn text(&self) -> &str {
        &self.0
    }
}

impl KeyText for &str {
    fn text(&self) -> &str {
        self
    }
}

impl<'a> Borrow<dyn KeyText + 'a> for Key {
    fn borrow(&self) -> &(dyn KeyText + 'a) {
        self
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        compare_utf16(&self.0, &other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for dyn KeyText + '_ {
    fn cmp(&self, other: &Self) -> Ordering {
        compare_utf16(self.text(), other.text())
    }
}

impl PartialOrd for dyn KeyText + '_ {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for dyn KeyText + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for dyn KeyText + '_ {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_utf16_order_and_found_by_it() {
        // U+1F600 is D83D DE00 in UTF-16 and so stands before U+FB33, which a code point order
        // would put first.
        let mut map = Map::new();
        for key in ["\u{fb33}", "\u{1f600}", "b", "a", ""] {
            assert_eq!(map.insert(key, Json::Null), None);
        }
        let keys: Vec<&str> = map.iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["", "a", "b", "\u{1f600}", "\u{fb33}"]);
        assert!(keys.iter().all(|key| map.contains_key(key)));
        assert_eq!(map.len(), 5);
        assert_eq!(map.get("c"), None);
    }

    #[test]
    fn insert_new_refuses_a_key_that_is_there() {
        let mut map = Map::new();
        assert_eq!(map.insert_new("a", Json::from(1_u64)), Ok(()));
        assert_eq!(map.insert_new("a", Json::from(2_u64)), Err("a".to_owned()));
        assert_eq!(map.get("a"), Some(&Json::from(1_u64)));
        assert_eq!(map.insert("a", Json::Null), Some(Json::from(1_u64)));
        assert_eq!(map.remove("a"), Some(Json::Null));
        assert!(map.is_empty());
    }
}
