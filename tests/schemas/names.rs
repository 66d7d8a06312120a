//! C49: types of one name in one catalogue.

use idem_tools::export::ToolForm;
use serde_json::{Value, json};

use crate::bench::{schema, schemas};

/// C49: each keeps its own shape, alone and side by side, in the whole catalogue.
#[test]
fn two_types_of_one_name_never_overwrite_each_other() {
    for form in ToolForm::ALL {
        let of =
            |tool: &str, field: &str| schema(form, tool)["properties"][field]["properties"].clone();
        let (mail, row) = (of("to_mail", "target"), of("to_row", "target"));
        assert_eq!(mail, json!({"email": {"type": "string"}}), "{form}");
        assert_eq!(row["id"]["type"], "integer", "{form}");
        assert_eq!(of("to_both", "who"), mail, "{form}");
        assert_eq!(of("to_both", "what"), row, "{form}");
        let others = &schema(form, "to_both")["properties"]["others"]["items"]["properties"];
        assert_eq!(*others, mail, "{form}");
    }
}

/// C49: only a type that holds itself is referred to, and no format of one generator goes out.
#[test]
fn no_reference_dangles_and_no_odd_format_goes_out() {
    fn walk(value: &Value, seen: &mut dyn FnMut(&str, &Value)) {
        match value {
            Value::Object(map) => map.iter().for_each(|(name, value)| {
                seen(name, value);
                walk(value, seen);
            }),
            Value::Array(items) => items.iter().for_each(|item| walk(item, seen)),
            _ => {}
        }
    }
    for form in ToolForm::ALL {
        for (tool, schema) in schemas(form) {
            walk(&schema, &mut |name, value| match (name, value.as_str()) {
                ("$ref", Some(reference)) => {
                    assert_eq!(
                        (tool.as_str(), reference),
                        ("tree", "#/$defs/Node"),
                        "{form}"
                    );
                    assert!(
                        schema.pointer("/$defs/Node/properties/children").is_some(),
                        "{form}"
                    );
                }
                ("format", Some(format)) => {
                    assert!(!format.starts_with("uint"), "{form} {tool}: {format}");
                }
                _ => {}
            });
        }
    }
}
