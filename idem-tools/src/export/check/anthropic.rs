//! Anthropic's tools.

use super::Found;
use super::walk::json_schema;
use idem_core::json::Json;

const SCHEMA: &str = "$.input_schema";

pub(super) fn tool(tool: &Json, found: &mut Found) {
    found.name("$.name", tool.get("name"), "_-", 64);
    found.description("$", tool);
    let schema = tool.get("input_schema");
    found.object(SCHEMA, schema, &["allOf", "anyOf", "oneOf"]);
    let schema = schema.unwrap_or(&Json::Null);
    json_schema(schema, SCHEMA, found);
    let properties = schema.get("properties").and_then(Json::as_object);
    for (name, _) in properties.into_iter().flatten() {
        let path = format!("{SCHEMA}.properties.{name}");
        found.name(&path, Some(&Json::from(name)), "_.-", 64);
    }
}
