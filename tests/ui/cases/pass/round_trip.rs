//! The canonical form goes by the names that are read: what it shows can be proposed again, under
//! every rule of renaming, and one more field is refused at every level.

use idem_core::canonical::{Canonical, Form, text_of};
use idem_core::json::de::from_json;
use idem_core::json::{Json, Limits};
use idem_tools::__private::serde::de::DeserializeOwned;
use idem_tools::tool_input;

macro_rules! rules {
    ($($name:ident = $rule:literal),*) => {$(
        mod $name {
            use idem_tools::tool_input;

            #[tool_input]
            #[derive(Debug, PartialEq)]
            #[serde(rename_all = $rule, rename_all_fields = $rule)]
            pub enum Target {
                AllUsers,
                UserId(u64),
                FromTo(u8, u8),
                ByFullName { first_name: String, r#last2_name: Option<String> },
                #[serde(rename_all = "UPPERCASE")]
                Own { first_name: String },
            }

            #[tool_input]
            #[derive(Debug, PartialEq)]
            #[serde(rename_all = $rule)]
            pub struct Fields {
                pub a: u8,
                pub send_at2: u8,
                pub _lead_and_trail_: u8,
                #[serde(rename(deserialize = "Given name"))]
                pub given: u8,
                pub target: Target,
            }
        }

        fn $name() {
            use $name::{Fields, Target};
            let by_name = |last: Option<&str>| Target::ByFullName {
                first_name: "Ann".into(),
                r#last2_name: last.map(Into::into),
            };
            let own = Target::Own { first_name: "Ann".into() };
            let targets = [Target::AllUsers, Target::UserId(7), Target::FromTo(1, 2), own];
            for target in targets.into_iter().chain([by_name(None), by_name(Some("Bo"))]) {
                let fields = Fields { a: 1, send_at2: 2, _lead_and_trail_: 3, given: 4, target };
                comes_back(&fields);
            }
        }
    )*

        fn main() {
            $($name();)*
            one_more_is_refused();
        }
    };
}

rules! {
    lower = "lowercase",
    upper = "UPPERCASE",
    pascal = "PascalCase",
    camel = "camelCase",
    snake = "snake_case",
    screaming = "SCREAMING_SNAKE_CASE",
    kebab = "kebab-case",
    screaming_kebab = "SCREAMING-KEBAB-CASE"
}

fn comes_back<T: Canonical + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    for form in [Form::Key, Form::Hash, Form::Shown] {
        let text = text_of(value, form).unwrap();
        let read: T = decode(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(&read, value, "{text}");
    }
}

fn decode<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let json = Json::parse(text, Limits::ARGUMENTS).map_err(|error| error.to_string())?;
    from_json(&json).map_err(|error| error.to_string())
}

#[tool_input]
#[derive(Debug, PartialEq)]
struct Inner {
    x: u8,
}

#[tool_input]
#[derive(Debug, PartialEq)]
#[serde(tag = "kind", content = "value")]
enum Tagged {
    Plain { x: u8 },
}

#[tool_input]
#[derive(Debug, PartialEq)]
enum Outer {
    Inner(Inner),
    Tagged(Tagged),
    Fields { x: u8 },
}

/// R21: an unknown field is refused wherever it stands.
fn one_more_is_refused() {
    let good = [
        r#"{"Inner":{"x":1}}"#,
        r#"{"Fields":{"x":1}}"#,
        r#"{"Tagged":{"kind":"Plain","value":{"x":1}}}"#,
    ];
    for text in good {
        assert!(decode::<Outer>(text).is_ok(), "{text}");
        let more = text.replace(r#""x":1"#, r#""x":1,"y":2"#);
        assert!(decode::<Outer>(&more).is_err(), "{more}");
    }
    let beside = r#"{"Tagged":{"kind":"Plain","value":{"x":1},"y":2}}"#;
    assert!(decode::<Outer>(beside).is_err(), "{beside}");
}
