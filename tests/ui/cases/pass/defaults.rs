//! C09, C45: a default is left out of the key and the hash however it is declared, and shown to people.

use idem_core::canonical::{Canonical, Form, Patch, text_of};
use idem_tools::tool_input;

type Alias = Option<bool>;

fn normal() -> String {
    "normal".into()
}

#[tool_input]
struct SendEmail {
    to: String,
    cc: Option<String>,
    copies: std::option::Option<u32>,
    receipt: Alias,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default = "normal")]
    priority: String,
}

#[tool_input]
#[serde(default)]
struct Page {
    from: u32,
    size: u32,
    #[serde(default)]
    total: u32,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            from: 1,
            size: 50,
            total: 7,
        }
    }
}

/// Missing, null and a value are three things here.
#[tool_input]
struct Note {
    id: u8,
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    text: Patch<String>,
}

fn note(text: Patch<String>) -> String {
    text_of(&Note { id: 1, text }, Form::Hash).unwrap()
}

fn main() {
    assert_eq!(note(Patch::Missing), r#"{"id":1}"#);
    assert_eq!(note(Patch::Null), r#"{"id":1,"text":null}"#);
    assert_eq!(note(Patch::Value("a".into())), r#"{"id":1,"text":"a"}"#);

    let mut email = SendEmail {
        to: "ann".into(),
        cc: None,
        copies: None,
        receipt: None,
        tags: Vec::new(),
        priority: normal(),
    };
    assert_eq!(text_of(&email, Form::Hash).unwrap(), r#"{"to":"ann"}"#);
    assert_eq!(
        text_of(&email, Form::Shown).unwrap(),
        r#"{"cc":null,"copies":null,"priority":"normal","receipt":null,"tags":[],"to":"ann"}"#
    );
    email.receipt = Some(true);
    assert_eq!(
        text_of(&email, Form::Key).unwrap(),
        r#"{"receipt":true,"to":"ann"}"#
    );
    let defaults: Vec<bool> = SendEmail::FIELDS
        .iter()
        .map(|field| field.has_default)
        .collect();
    assert_eq!(defaults, [false, true, true, true, true, true]);

    let page = Page {
        from: 1,
        size: 20,
        total: 7,
    };
    assert_eq!(
        text_of(&page, Form::Hash).unwrap(),
        r#"{"size":20,"total":7}"#
    );
}
