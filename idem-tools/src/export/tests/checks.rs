//! Each published restriction is found where it is broken. The tools here are written by hand: the forms write none of it.

use super::{ToolForm, check, json};
use idem_core::json::{Json, Map};

fn strict(schema: &str) -> Json {
    json(&format!(
        r#"{{"type": "function", "function": {{"name": "t", "strict": true, "parameters": {schema}}}}}"#
    ))
}

fn plain(schema: &str) -> Json {
    json(&format!(
        r#"{{"type": "function", "function": {{"name": "t", "parameters": {schema}}}}}"#
    ))
}

fn gemini(schema: &str) -> Json {
    json(&format!(r#"{{"name": "t", "parameters": {schema}}}"#))
}

fn one(property: &str) -> String {
    format!(
        r#"{{"type": "object", "properties": {{"it": {property}}}, "required": ["it"], "additionalProperties": false}}"#
    )
}

#[track_caller]
fn finds(form: ToolForm, tool: &Json, what: &str) {
    let found = check(form, tool);
    let found: Vec<_> = found.iter().map(|breach| breach.what.as_str()).collect();
    assert!(
        found.iter().any(|found| found.contains(what)),
        "{form} finds {found:?}, not {what}"
    );
}

#[track_caller]
fn takes(form: ToolForm, tool: &Json) {
    assert_eq!(check(form, tool), [], "{form}");
}

/// Properties that break it, and what is found.
const STRICT_BREACHES: [(&str, &str); 17] = [
    (
        r#"{"type": "string", "minLength": 1}"#,
        "`minLength` 1 is not in the strict subset",
    ),
    (
        r#"{"type": "string", "format": "uri"}"#,
        "`format` \"uri\" is not in the strict subset",
    ),
    (
        r#"{"type": "string", "default": "a"}"#,
        "`default` \"a\" is not in the strict subset",
    ),
    (r#"{"oneOf": [{"type": "string"}]}"#, "`oneOf`"),
    (r#"{"allOf": [{"type": "string"}]}"#, "`allOf`"),
    (r#"{"not": {"type": "string"}}"#, "`not`"),
    (
        r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#,
        "`uniqueItems`",
    ),
    (
        r#"{"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "string"}}"#,
        "`prefixItems`",
    ),
    (r#"{"type": "array"}"#, "an array says what its items are"),
    (r#"{"description": "Any."}"#, "every value says its type"),
    ("{}", "every value says its type"),
    ("true", "every value says its type"),
    (
        r#"{"type": "object", "properties": {}, "required": []}"#,
        "`additionalProperties` is false",
    ),
    (
        r#"{"type": "object", "additionalProperties": {"type": "string"}}"#,
        "`additionalProperties` is false",
    ),
    (
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": [], "additionalProperties": false}"#,
        "`a` is not required",
    ),
    (r##"{"$ref": "#/$defs/Gone"}"##, "leads nowhere"),
    (
        r##"{"$ref": "#", "description": "Me."}"##,
        "nothing stands beside a `$ref`",
    ),
];

#[test]
fn the_strict_subset() {
    use ToolForm::OpenAiStrict as form;
    takes(
        form,
        &strict(&one(
            r#"{"type": ["string", "null"], "format": "date", "pattern": "^2"}"#,
        )),
    );
    takes(
        form,
        &strict(&one(
            r#"{"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}"#,
        )),
    );
    finds(
        form,
        &plain(&one(r#"{"type": "string"}"#)),
        "`strict` is true",
    );
    for (property, what) in STRICT_BREACHES {
        finds(form, &strict(&one(property)), what);
    }
    finds(
        form,
        &strict(r#"{"type": "object", "anyOf": [{"type": "object"}]}"#),
        "`anyOf` does not stand at the top level",
    );
}

#[test]
fn the_bounds_of_the_strict_subset() {
    use ToolForm::OpenAiStrict as form;
    let object = |count: usize, letters: usize| {
        let name = |at: usize| Json::from(format!("{at:0letters$}"));
        let names: Vec<Json> = (0..count).map(name).collect();
        let mut properties = Map::new();
        for name in &names {
            properties.insert(name.as_str().unwrap(), json(r#"{"type": "boolean"}"#));
        }
        let properties = Json::Object(properties);
        format!(
            r#"{{"type": "object", "properties": {properties}, "required": {}, "additionalProperties": false}}"#,
            Json::from(names)
        )
    };
    takes(form, &strict(&object(5_000, 4)));
    finds(form, &strict(&object(5_001, 4)), "5001 properties");
    takes(form, &strict(&object(1_200, 100)));
    finds(form, &strict(&object(1_201, 100)), "120100 characters");
    let nested = |levels: usize| {
        let leaf = r#"{"type": "boolean"}"#.to_owned();
        (0..levels).fold(leaf, |inner, _| one(&inner))
    };
    takes(form, &strict(&nested(10)));
    finds(form, &strict(&nested(11)), "nested in more than 10 levels");
    let listed = |count: usize, letters: usize| {
        let values: Vec<Json> = (0..count)
            .map(|at| Json::from(format!("{at:0letters$}")))
            .collect();
        one(&format!(
            r#"{{"type": "string", "enum": {}}}"#,
            Json::from(values)
        ))
    };
    takes(form, &strict(&listed(1_000, 4)));
    finds(form, &strict(&listed(1_001, 4)), "1001 listed values");
    takes(form, &strict(&listed(250, 61)));
    finds(form, &strict(&listed(251, 60)), "at most 15000 characters");
}

#[test]
fn the_plain_form_of_openai() {
    use ToolForm::OpenAi;
    takes(
        OpenAi,
        &plain(&one(
            r#"{"type": "string", "minLength": 1, "default": "a"}"#,
        )),
    );
    for (schema, what) in [
        (
            r#"{"type": "string"}"#,
            "the type of the arguments is `object`",
        ),
        (
            r#"{"type": "object", "enum": [{}]}"#,
            "`enum` does not stand at the top level",
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "array"}}}"#,
            "an array says what its items are",
        ),
        (
            r#"{"type": "object", "properties": {"a": {"format": "uint8"}}}"#,
            "`format` cannot be \"uint8\"",
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "date"}}}"#,
            "`type` cannot be \"date\"",
        ),
        (
            r#"{"type": "object", "properties": {"a": {"nullable": true}}}"#,
            "`nullable` is no word of JSON Schema",
        ),
        (
            r#"{"type": "object", "properties": {"a": 1}}"#,
            "a schema is an object",
        ),
        (
            r#"{"type": "object", "required": ["a"]}"#,
            "\"a\" is required and no property",
        ),
        (
            r#"{"type": "object", "properties": {"a": {"anyOf": []}}}"#,
            "`anyOf` cannot be []",
        ),
    ] {
        finds(OpenAi, &plain(schema), what);
    }
    finds(
        OpenAi,
        &json(r#"{"name": "t"}"#),
        "the type of a tool is `function`",
    );
}

#[test]
fn the_tools_of_anthropic() {
    use ToolForm::Anthropic;
    let named = |name: &str| {
        json(&format!(
            r#"{{"name": "{name}", "input_schema": {{"type": "object"}}}}"#
        ))
    };
    takes(Anthropic, &named(&"a".repeat(64)));
    for name in ["", "a b", "a.b", &"a".repeat(65)] {
        finds(Anthropic, &named(name), "a name is 1 to 64");
    }
    let keyed = |key: &str| {
        json(&format!(
            r#"{{"name": "t", "input_schema": {{"type": "object", "properties": {{"{key}": true}}}}}}"#
        ))
    };
    takes(Anthropic, &keyed("a.b-c_d"));
    finds(Anthropic, &keyed("a b"), "a name is 1 to 64");
    let top = r#"{"name": "t", "input_schema": {"type": "object", "oneOf": [{"required": []}]}}"#;
    finds(
        Anthropic,
        &json(top),
        "`oneOf` does not stand at the top level",
    );
}

#[test]
fn the_tools_of_mcp() {
    use ToolForm::Mcp;
    let mcp = |rest: &str| {
        json(&format!(
            r#"{{"name": "a.b", "inputSchema": {{"type": "object"}}, {rest}}}"#
        ))
    };
    takes(
        Mcp,
        &mcp(r#""annotations": {"readOnlyHint": true, "title": "T", "openWorldHint": false}"#),
    );
    finds(
        Mcp,
        &json(r#"{"name": "a", "inputSchema": null}"#),
        "the type of the arguments is `object`",
    );
    finds(
        Mcp,
        &mcp(r#""annotations": {"readOnlyHint": "yes"}"#),
        "there is no annotation `readOnlyHint`",
    );
    finds(
        Mcp,
        &mcp(r#""annotations": {"readOnlyHint": true, "destructiveHint": true}"#),
        "destroys nothing",
    );
    finds(Mcp, &mcp(r#""description": 1"#), "a description is text");
}

/// Properties that break it, and what is found.
const GEMINI_BREACHES: [(&str, &str); 18] = [
    (
        r#"{"type": "string", "format": "uuid"}"#,
        "the format \"uuid\" is not taken for a string",
    ),
    (
        r#"{"type": "integer", "format": "uint32"}"#,
        "the format \"uint32\" is not taken for a integer",
    ),
    (
        r#"{"type": "integer", "exclusiveMinimum": 0}"#,
        "Gemini does not know `exclusiveMinimum`",
    ),
    (
        r#"{"type": "string", "const": "a"}"#,
        "Gemini does not know `const`",
    ),
    (r##"{"$ref": "#"}"##, "Gemini does not know `$ref`"),
    (
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}"#,
        "`additionalProperties`",
    ),
    (
        r#"{"type": ["string", "null"]}"#,
        "every value has one type",
    ),
    (r#"{"type": "null"}"#, "every value has one type"),
    ("{}", "every value has one type"),
    ("true", "a schema is an object"),
    (r#"{"type": "object"}"#, "an object has properties"),
    (
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}"#,
        "\"b\" is required",
    ),
    (r#"{"type": "array"}"#, "an array says what its items are"),
    (
        r#"{"type": "integer", "enum": [1]}"#,
        "only texts are listed",
    ),
    (
        r#"{"type": "string", "enum": [""]}"#,
        "only texts are listed",
    ),
    (
        r#"{"anyOf": [{"type": "string"}], "description": "Either."}"#,
        "nothing stands beside `anyOf`",
    ),
    (r#"{"anyOf": []}"#, "a choice has something to choose from"),
    (
        r#"{"type": "string", "nullable": 1}"#,
        "`nullable` is true or false",
    ),
];

#[test]
fn the_subset_of_gemini() {
    use ToolForm::Gemini as form;
    let one = |property: &str| {
        gemini(&format!(
            r#"{{"type": "object", "properties": {{"it": {property}}}}}"#
        ))
    };
    takes(form, &json(r#"{"name": "t"}"#));
    takes(
        form,
        &one(r#"{"type": "string", "format": "enum", "enum": ["a"], "nullable": true}"#),
    );
    takes(
        form,
        &one(r#"{"anyOf": [{"type": "string"}, {"type": "integer", "format": "int64"}]}"#),
    );
    for (property, what) in GEMINI_BREACHES {
        finds(form, &one(property), what);
    }
    for name in ["1st", "-a", "a b", ""] {
        finds(form, &json(&format!(r#"{{"name": "{name}"}}"#)), "a name");
    }
}
