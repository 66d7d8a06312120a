//! What a form cannot say is refused by name: the tool, the place, and what to write instead.

use super::ToolForm::{Gemini, OpenAiStrict};
use super::{ToolForm, faults, tool, with};

const NODE: &str = r##"{"type": "object", "required": ["it"], "properties": {"it": {"$ref": "#/$defs/Node"}},
    "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}}}"##;

/// Properties that a form cannot say: where, and why.
const REFUSED: [(ToolForm, &str, &str, &str); 12] = [
    (
        OpenAiStrict,
        MAPS,
        "$.it[]",
        "its entries have names that it does not list",
    ),
    (
        Gemini,
        MAPS,
        "$.it[]",
        "its entries have names that it does not list",
    ),
    (OpenAiStrict, "true", "$.it", "it takes any JSON"),
    (
        Gemini,
        "true",
        "$.it",
        "Gemini takes no value without a type",
    ),
    (
        OpenAiStrict,
        PLACES,
        "$.it",
        "its places are of different sorts",
    ),
    (
        OpenAiStrict,
        PATCH,
        "$.it",
        "null and nothing are two values here, and a strict call leaves nothing out",
    ),
    (
        OpenAiStrict,
        NOT,
        "$.it",
        "`not` is no word of the strict form",
    ),
    (Gemini, NOT, "$.it", "Gemini has no word for `not`"),
    (
        Gemini,
        r#"{"type": "object", "properties": {}}"#,
        "$.it",
        "Gemini takes no object without fields",
    ),
    (
        Gemini,
        r#"{"type": "null"}"#,
        "$.it",
        "Gemini takes no value that is only null",
    ),
    (
        OpenAiStrict,
        MIXED,
        "$.it",
        "the listed values are not of one simple type",
    ),
    (
        Gemini,
        MIXED,
        "$.it",
        "the listed values are not of one simple type",
    ),
];

const MAPS: &str = r#"{"type": "array", "items": {"type": "object", "additionalProperties": {"type": "integer"}}}"#;
const PLACES: &str =
    r#"{"type": "array", "prefixItems": [{"type": "string"}], "minItems": 1, "maxItems": 1}"#;
const PATCH: &str = r#"{"type": ["string", "null"], "x-idem-null-is-a-value": true}"#;
const NOT: &str = r#"{"type": "integer", "not": {"const": 0}}"#;
const MIXED: &str = r#"{"enum": ["a", 1]}"#;
const OPEN: &str =
    r#"{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true}"#;

#[test]
fn what_a_form_cannot_say_is_refused_with_its_place() {
    let refused = REFUSED.map(|(form, property, path, what)| (form, with(property), path, what));
    let open = "it takes names that it does not list";
    let others = [
        (OpenAiStrict, OPEN.to_owned(), "$", open),
        (Gemini, OPEN.to_owned(), "$", open),
        (
            Gemini,
            NODE.to_owned(),
            "$.it",
            "`Node` holds itself, and Gemini has no references",
        ),
    ];
    for (form, schema, path, what) in refused.into_iter().chain(others) {
        let found = faults(form, &schema);
        assert_eq!(found.len(), 1, "{form}: {found:?}");
        assert_eq!(
            (found[0].path.as_str(), found[0].what.as_str()),
            (path, what),
            "{form}"
        );
        assert_eq!(found[0].tool, "t");
        assert!(!found[0].instead.is_empty(), "{form}: {what}");
        for form in [ToolForm::OpenAi, ToolForm::Anthropic, ToolForm::Mcp] {
            assert!(tool(&schema).export(form).is_ok(), "{form} takes {schema}");
        }
    }
}

/// A schema that cannot be followed is refused for everybody, and never written with a part left out.
#[test]
fn a_schema_that_cannot_be_followed_is_refused_for_every_form() {
    let nowhere = with(r##"{"$ref": "#/$defs/Gone"}"##);
    let never = with("false");
    let hidden = with(r##"{"type": "object", "oneOf": [{"$ref": "#/properties/it"}]}"##);
    let tail = with(
        r#"{"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}}"#,
    );
    let deep = format!(
        "{}true{}",
        r#"{"type": "array", "items": "#.repeat(40),
        "}".repeat(40)
    );
    let deep = with(&deep);
    // Each type holds two of the next: written out, they are more than anybody could read.
    let bush = |at: usize| {
        let next = format!(r##"{{"$ref": "#/$defs/T{}"}}"##, at + 1);
        format!(r#""T{at}": {{"type": "object", "properties": {{"a": {next}, "b": {next}}}}}"#)
    };
    let bushes: Vec<_> = (0..14).map(bush).collect();
    let bushes = format!(
        r##"{{"type": "object", "properties": {{"it": {{"$ref": "#/$defs/T0"}}}}, "$defs": {{{}, "T14": {{"type": "string"}}}}}}"##,
        bushes.join(", ")
    );
    for form in ToolForm::ALL {
        for (schema, what) in [
            (nowhere.as_str(), "`#/$defs/Gone` leads nowhere"),
            (&never, "it takes no value at all"),
            (
                &hidden,
                "`oneOf` refers to another type in a way that is not followed",
            ),
            (&tail, "places of their own, and others behind them"),
            (&deep, "it is deeper than 32 levels"),
            (&bushes, "it has more than 20000 places"),
            (r#"{"type": "string"}"#, "the arguments are no object"),
            (
                r#"{"type": ["object", "null"]}"#,
                "the arguments are no object",
            ),
            (&with(r#"{"type": "date"}"#), "there is no type `date`"),
        ] {
            assert_eq!(faults(form, schema)[0].what, what, "{form}: {schema}");
        }
    }
}

#[test]
fn a_refusal_reads_as_one_sentence_with_a_way_out() {
    let error = tool(NODE).export(ToolForm::Gemini).unwrap_err();
    assert_eq!(
        error.to_string(),
        "it cannot be exported for gemini: the tool `t`, $.it: `Node` holds itself, and Gemini has no references. \
         Instead: take a list of nodes that name their parents"
    );
}

/// A restriction that only the finished tool shows is told with its place in it.
#[test]
fn a_name_that_a_provider_does_not_take_is_refused() {
    let spaced =
        r#"{"type": "object", "properties": {"a b": {"type": "string"}}, "required": ["a b"]}"#;
    let found = faults(ToolForm::Anthropic, spaced);
    assert_eq!(found[0].path, "$.input_schema.properties.a b");
    assert!(tool(spaced).export(ToolForm::OpenAiStrict).is_ok());
    let mut digit = tool("true");
    digit.name = "1st".to_owned();
    let error = digit.export(ToolForm::Gemini).unwrap_err().to_string();
    assert!(
        error.contains("a name begins with a letter or `_`"),
        "{error}"
    );
}
