//! What each policy does to a text, that it does it once, and where it may stand.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::policy::{Lf, Lowercase, TextPolicy, Texts, Trim, apply, normalize, written_default};
use super::{Canonical, CanonicalError, Form, Kind, Patch, Role, Writer, text_of};

fn written<P: TextPolicy>(text: &str) -> String {
    let once = P::written(text.to_owned()).unwrap();
    assert_eq!(P::written(once.clone()).unwrap(), once, "written twice");
    once
}

#[test]
fn line_ends_become_one_line_feed() {
    assert_eq!(written::<Lf>("a\r\nb\rc\n\r\nd\r\r\n"), "a\nb\nc\n\nd\n\n");
    // Other line ends are text.
    let others = "a\u{b}b\u{c}c\u{85}d\u{2028}e";
    assert_eq!(written::<Lf>(others), others);
}

#[test]
fn white_space_is_taken_from_both_ends_and_nowhere_else() {
    assert_eq!(written::<Trim>(" \t\r\n a  b \u{a0}\u{3000}\u{85}"), "a  b");
    // No white space by Unicode's property, though none of them can be seen.
    let kept = "\u{200b}a\u{feff}\u{1c}";
    assert_eq!(written::<Trim>(kept), kept);
    assert_eq!(written::<Trim>("\u{2028} \u{1680}"), "");
}

#[test]
fn letters_are_lowered_without_a_language_and_not_folded() {
    assert_eq!(written::<Lowercase>("ÀÉß I STRASSE"), "àéß i strasse");
    assert_eq!(written::<Lowercase>("ΟΔΟΣ ΣΑ"), "οδος σα");
    assert_eq!(written::<Lowercase>("\u{130}"), "i\u{307}");
    assert_ne!(written::<Lowercase>("ß"), written::<Lowercase>("SS"));
}

#[cfg(feature = "nfc")]
mod nfc {
    use super::super::policy::Nfc;
    use super::*;

    #[test]
    fn composed_and_decomposed_are_one() {
        assert_eq!(written::<Nfc>("e\u{301}"), "é");
        assert_eq!(written::<Nfc>("\u{212b}"), "Å");
        // Not compatibility: a ligature is another text.
        assert_eq!(written::<Nfc>("ﬁ①"), "ﬁ①");
    }

    /// Every character, and every capital with a mark, in the order in which the macro applies them.
    #[test]
    fn beside_lowercase_a_text_is_written_once_and_for_all() {
        let all = |text: String| {
            let text = Nfc::written(Lf::written(text).unwrap()).unwrap();
            let text = Nfc::written(Lowercase::written(text).unwrap()).unwrap();
            Trim::written(text).unwrap()
        };
        let marks = [
            "", "\u{301}", "\u{307}", "\u{308}", "\u{323}", "\u{331}", "\u{345}", " ",
        ];
        // No character beyond has a case or a composed form.
        for letter in '\0'..='\u{1ffff}' {
            let marks = if letter.is_uppercase() {
                &marks[..]
            } else {
                &marks[..1]
            };
            for mark in marks {
                let once = all(format!("{letter}{mark}"));
                assert_eq!(all(once.clone()), once, "{letter:?} {mark:?}");
                assert_eq!(
                    Nfc::written(once.clone()).unwrap(),
                    once,
                    "{letter:?} {mark:?}"
                );
            }
        }
        // The capital has no composed form, the small letter has one.
        assert_eq!(all("H\u{331}".to_owned()), "\u{1e96}");
    }
}

#[cfg(feature = "url")]
mod url {
    use super::super::policy::Url;
    use super::*;

    #[test]
    fn one_address_has_one_spelling() {
        for spelling in [
            "https://example.test/a/c?q=%C3%A9#x",
            "  HTTPS://EXAMPLE.test:443/a/./b/../c?q=é#x\n",
            "https:\\\\example.test\\a\\c?q=é#x",
            "ht\ttps://ex\nample.test/a/c?q=é#x",
        ] {
            assert_eq!(
                written::<Url>(spelling),
                "https://example.test/a/c?q=%C3%A9#x"
            );
        }
        assert_eq!(
            written::<Url>("http://bücher.example"),
            "http://xn--bcher-kva.example/"
        );
        assert_eq!(written::<Url>("http://0x7f.1/"), "http://127.0.0.1/");
    }

    #[test]
    fn what_the_standard_tells_apart_stays_apart() {
        let written = [
            "http://a.test/",
            "https://a.test/",
            "http://a.test/A",
            "http://a.test/a",
            "http://a.test/a/",
            "http://a.test/?",
            "http://a.test/?b&a",
            "http://a.test/?a&b",
            "http://a.test/#",
            "http://u@a.test/",
            "http://a.test/%7Ea",
            "http://a.test/~a",
            "http://a.test/%7ea",
            "mailto:a@b.test",
        ]
        .map(written::<Url>);
        assert_eq!(
            HashSet::from(written.clone()).len(),
            written.len(),
            "{written:?}"
        );
    }

    #[test]
    fn what_is_no_absolute_url_is_refused_without_being_quoted() {
        for text in [
            "",
            "a.test/secret",
            "/secret",
            "http://",
            "http://a b/",
            "//a.test/secret",
        ] {
            let refused = Url::written(text.to_owned()).unwrap_err().to_string();
            assert!(
                refused.contains("not an absolute URL") && !refused.contains("secret"),
                "{refused}"
            );
        }
    }
}

fn trimmed<T: Texts>(mut texts: T) -> T {
    apply::<Trim, T>("field", &mut texts).unwrap();
    texts
}

#[test]
fn text_may_stand_in_whatever_holds_it() {
    assert_eq!(trimmed(" a ".to_owned()), "a");
    assert_eq!(trimmed(Box::<str>::from(" a ")), Box::from("a"));
    assert_eq!(trimmed(Cow::Borrowed(" a ")), "a");
    assert_eq!(trimmed(Some(" a ".to_owned())), Some("a".to_owned()));
    assert_eq!(trimmed(None::<String>), None);
    assert_eq!(
        trimmed(Patch::Value(" a ".to_owned())),
        Patch::Value("a".to_owned())
    );
    assert_eq!(trimmed(Patch::<String>::Null), Patch::Null);
    let list = || vec![" b ".to_owned(), "a".to_owned(), " a".to_owned()];
    assert_eq!(trimmed(list()), ["b", "a", "a"]);
    assert_eq!(
        trimmed(Some(vec![Some(" a".to_owned())])),
        Some(vec![Some("a".to_owned())])
    );
    // Two that become one are one element.
    assert_eq!(trimmed(BTreeSet::from_iter(list())).len(), 2);
    assert_eq!(trimmed(HashSet::<String>::from_iter(list())).len(), 2);
    // A key is no text of its own.
    let map = [(" k ".to_owned(), " v ".to_owned())];
    let written = [(" k ".to_owned(), "v".to_owned())];
    assert_eq!(
        trimmed(BTreeMap::from(map.clone())),
        BTreeMap::from(written.clone())
    );
    assert_eq!(trimmed(HashMap::from(map)), HashMap::from(written));
}

/// A type with a policy of its own, as the derive writes one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct City(String);

impl Canonical for City {
    const KIND: Kind = Kind::Text;

    fn normalize(&mut self) -> Result<(), CanonicalError> {
        if self.0 == "nowhere" {
            return Err(CanonicalError::custom("there is no such city"));
        }
        apply::<Trim, _>((), &mut self.0)
    }

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        out.str(&self.0)
    }
}

fn normal<T: Canonical>(mut value: T) -> String {
    normalize((), &mut value).unwrap();
    text_of(&value, Form::Key).unwrap()
}

#[test]
fn what_a_type_declares_holds_wherever_it_stands() {
    let city = || City(" Rome ".to_owned());
    assert_eq!(normal(Some(city())), "\"Rome\"");
    assert_eq!(normal(Patch::Value(Box::new(city()))), "\"Rome\"");
    assert_eq!(normal(std::sync::Arc::new(city())), "\"Rome\"");
    assert_eq!(normal(Cow::Owned::<City>(city())), "\"Rome\"");
    assert_eq!(
        normal((city(), vec![city()], [city()])),
        r#"["Rome",["Rome"],["Rome"]]"#
    );
    assert_eq!(normal(HashMap::from([("a", city())])), r#"{"a":"Rome"}"#);
    let cities = [city(), City("Rome".to_owned())];
    assert_eq!(normal(BTreeSet::from(cities.clone())), r#"["Rome"]"#);
    assert_eq!(normal(HashSet::from(cities)), r#"["Rome"]"#);
}

#[test]
fn a_refusal_names_its_place() {
    let nowhere = City("nowhere".to_owned());
    let mut nested = BTreeMap::from([("tour", vec![City("Rome".to_owned()), nowhere])]);
    let refused = normalize("route", &mut nested).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "$.route.tour[1] has no canonical form: there is no such city"
    );
}

/// R21: the default is written as the value was, so that leaving it out and writing it are one call.
#[test]
fn a_default_is_compared_as_it_is_written() {
    let text = |city: City| {
        let mut writer = Writer::new(Form::Key);
        let mut object = writer.object();
        let default = || City(" Rome".to_owned());
        object
            .field_or("to", Role::Identity, &city, default)
            .unwrap();
        object.end().unwrap();
        writer.finish()
    };
    assert_eq!(text(City("Rome".to_owned())), "{}");
    assert_eq!(text(City("Paris".to_owned())), r#"{"to":"Paris"}"#);
    let written = written_default(" a ".to_owned(), |text| apply::<Trim, _>((), text));
    assert_eq!(written, "a");
}

#[test]
fn a_function_may_name_the_form() {
    struct Foreign(u32);
    let form = |foreign: &Foreign, out: &mut Writer| out.u128(foreign.0.into());
    let text = |form_of, value: u32| {
        let mut writer = Writer::new(form_of);
        let mut object = writer.object();
        object
            .field_as("a", Role::Identity, &Foreign(value), form)
            .unwrap();
        let defaulted = (&Foreign(value), form as super::WriteForm<Foreign>);
        object
            .field_as_or("b", Role::Checked, defaulted, || Foreign(7))
            .unwrap();
        object.end().unwrap();
        writer.finish()
    };
    assert_eq!(text(Form::Hash, 1), r#"{"a":1,"b":1}"#);
    assert_eq!(text(Form::Key, 1), r#"{"a":1}"#);
    assert_eq!(text(Form::Hash, 7), r#"{"a":7}"#);
    assert_eq!(text(Form::Shown, 7), r#"{"a":7,"b":7}"#);
}
