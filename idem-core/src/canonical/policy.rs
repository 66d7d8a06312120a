//! Policies: how a text argument is written before anybody sees it (R23).
//!
//! A field declares them, `#[arg(trim, lowercase)]`. They are applied once, where the arguments are
//! decoded: the function, the key, the request hash and the person who is asked all see the written
//! value. What a field does not declare is not done to it.
//!
//! | policy | what it does | by |
//! | --- | --- | --- |
//! | `lf` | CR LF, and a CR that stands alone, become LF | |
//! | `nfc` (feature `nfc`) | Unicode Normalization Form C, UAX #15 | `unicode-normalization` |
//! | `lowercase` | Unicode's full lower-case mapping, without a language; not case folding | the standard library |
//! | `trim` | takes the characters with the property `White_Space` from both ends | the standard library |
//! | `url` (feature `url`) | an absolute URL as the WHATWG URL Standard parses and serializes it; any other text is refused | `url` |
//!
//! They are applied in this order, however they are listed; beside `lowercase`, `nfc` is applied
//! once more behind it, since a lower-case letter may have a composed form that its capital lacks.
//! Written twice, a text stays as it is: an approved call is decoded again and must not change.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};

use super::{Canonical, CanonicalError, Patch};

/// One policy.
#[diagnostic::on_unimplemented(
    message = "the policy `{Self}` needs a feature of `idem-tools` that is not turned on",
    label = "its feature is not turned on",
    note = "`#[arg(nfc)]` needs `idem-tools = {{ features = [\"nfc\"] }}`, and `#[arg(url)]` needs `features = [\"url\"]`"
)]
pub trait TextPolicy {
    /// Writes a text by the policy.
    ///
    /// # Errors
    /// When the policy refuses the text.
    fn written(text: String) -> Result<String, CanonicalError>;
}

/// `#[arg(lf)]`
#[derive(Clone, Copy, Debug)]
pub struct Lf;

/// `#[arg(nfc)]`
#[derive(Clone, Copy, Debug)]
pub struct Nfc;

/// `#[arg(lowercase)]`
#[derive(Clone, Copy, Debug)]
pub struct Lowercase;

/// `#[arg(trim)]`
#[derive(Clone, Copy, Debug)]
pub struct Trim;

/// `#[arg(url)]`
#[derive(Clone, Copy, Debug)]
pub struct Url;

impl TextPolicy for Lf {
    fn written(text: String) -> Result<String, CanonicalError> {
        if !text.contains('\r') {
            return Ok(text);
        }
        Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
    }
}

#[cfg(feature = "nfc")]
impl TextPolicy for Nfc {
    fn written(text: String) -> Result<String, CanonicalError> {
        use unicode_normalization::UnicodeNormalization;
        Ok(text.nfc().collect())
    }
}

impl TextPolicy for Lowercase {
    fn written(text: String) -> Result<String, CanonicalError> {
        Ok(text.to_lowercase())
    }
}

impl TextPolicy for Trim {
    fn written(text: String) -> Result<String, CanonicalError> {
        Ok(text.trim().to_owned())
    }
}

#[cfg(feature = "url")]
impl TextPolicy for Url {
    fn written(text: String) -> Result<String, CanonicalError> {
        let refuse = |why: String| CanonicalError::custom(format!("not an absolute URL: {why}"));
        let parse = |text: &str| url::Url::parse(text).map_err(|error| refuse(error.to_string()));
        let url = String::from(parse(&text)?);
        // What is read back as another URL would run as another call after an approval.
        if parse(&url)?.as_str() != url {
            return Err(refuse("it has no one spelling".to_owned()));
        }
        Ok(url)
    }
}

/// Text, and what holds text: where a policy may stand.
#[diagnostic::on_unimplemented(
    message = "a policy is for text, and `{Self}` is none",
    label = "`{Self}` is not text",
    note = "text is `String`, `Box<str>` or `Cow<str>`, by itself, or in an `Option`, a `Patch`, a list, a set, or as the values of a map",
    note = "in a type of your own the policy goes on its field: `struct Address {{ #[arg(trim)] city: String }}`"
)]
pub trait Texts {
    /// Writes each text anew.
    ///
    /// # Errors
    /// Those of `write`, with the place of the text.
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError>;
}

/// What writes one text.
pub type WriteText = fn(String) -> Result<String, CanonicalError>;

impl Texts for String {
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
        *self = write(std::mem::take(self))?;
        Ok(())
    }
}

impl Texts for Box<str> {
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
        *self = write(std::mem::take(self).into_string())?.into_boxed_str();
        Ok(())
    }
}

impl Texts for Cow<'_, str> {
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
        *self = Cow::Owned(write(std::mem::take(self).into_owned())?);
        Ok(())
    }
}

impl<T: Texts> Texts for Box<T> {
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
        (**self).each_text(write)
    }
}

impl<T: Texts> Texts for Option<T> {
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
        each(
            self.iter_mut(),
            |text| text.each_text(write),
            |error, _| error,
        )
    }
}

impl<T: Texts> Texts for Patch<T> {
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
        match self {
            Self::Missing | Self::Null => Ok(()),
            Self::Value(text) => text.each_text(write),
        }
    }
}

macro_rules! lists {
    ($([$($generics:tt)*] $list:ty;)*) => {$(
        impl<T: Texts, $($generics)*> Texts for $list {
            fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
                each(self.iter_mut(), |text| text.each_text(write), CanonicalError::under_index)
            }
        }
    )*};
}

lists! {
    [] Vec<T>;
    [] Box<[T]>;
    [] VecDeque<T>;
    [] LinkedList<T>;
    [const N: usize] [T; N];
}

/// Texts that become one are one element.
impl<T: Texts + Ord> Texts for BTreeSet<T> {
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
        let mut texts: Vec<T> = std::mem::take(self).into_iter().collect();
        texts.each_text(write)?;
        self.extend(texts);
        Ok(())
    }
}

impl<T: Texts + Eq + Hash, S: BuildHasher> Texts for HashSet<T, S> {
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
        let mut texts: Vec<T> = self.drain().collect();
        // Without an order there is no place to name.
        each(
            texts.iter_mut(),
            |text| text.each_text(write),
            |error, _| error,
        )?;
        self.extend(texts);
        Ok(())
    }
}

/// The values; a key is no argument of its own.
impl<K: super::CanonicalKey, V: Texts> Texts for BTreeMap<K, V> {
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
        self.iter_mut().try_for_each(|(key, text)| {
            text.each_text(write)
                .map_err(|error| error.under_key(&key.key_text()))
        })
    }
}

impl<K: super::CanonicalKey, V: Texts, S> Texts for HashMap<K, V, S> {
    fn each_text(&mut self, write: WriteText) -> Result<(), CanonicalError> {
        self.iter_mut().try_for_each(|(key, text)| {
            text.each_text(write)
                .map_err(|error| error.under_key(&key.key_text()))
        })
    }
}

/// Does something to each, and says at which place it failed.
pub(super) fn each<'t, T: 't>(
    parts: impl Iterator<Item = &'t mut T>,
    mut act: impl FnMut(&mut T) -> Result<(), CanonicalError>,
    place: impl Fn(CanonicalError, usize) -> CanonicalError,
) -> Result<(), CanonicalError> {
    for (at, part) in parts.enumerate() {
        act(part).map_err(|error| place(error, at))?;
    }
    Ok(())
}

/// Where a part stands in its type: a field's name, a position, or nowhere of its own.
pub trait Place {
    /// The error, at this place.
    fn of(self, error: CanonicalError) -> CanonicalError;
}

impl Place for &str {
    fn of(self, error: CanonicalError) -> CanonicalError {
        error.under_key(self)
    }
}

impl Place for usize {
    fn of(self, error: CanonicalError) -> CanonicalError {
        error.under_index(self)
    }
}

impl Place for () {
    fn of(self, error: CanonicalError) -> CanonicalError {
        error
    }
}

/// Writes a part by one policy; the macros call it.
///
/// # Errors
/// Those of the policy, with the place.
pub fn apply<P: TextPolicy, T: Texts + ?Sized>(
    place: impl Place,
    part: &mut T,
) -> Result<(), CanonicalError> {
    part.each_text(P::written).map_err(|error| place.of(error))
}

/// Writes what a part declares inside of itself; the macros call it.
///
/// # Errors
/// Those of the part, with the place.
pub fn normalize<T: Canonical + ?Sized>(
    place: impl Place,
    part: &mut T,
) -> Result<(), CanonicalError> {
    part.normalize().map_err(|error| place.of(error))
}

/// A default as it is compared: written by the policies of its field. One that a policy refuses stays
/// as it is, and is refused where it is decoded.
pub fn written_default<T>(
    mut value: T,
    write: impl FnOnce(&mut T) -> Result<(), CanonicalError>,
) -> T {
    let _ = write(&mut value);
    value
}
