//! The tools that an MCP server lists.

use super::Found;
use super::walk::json_schema;
use idem_core::json::Json;

const SCHEMA: &str = "$.inputSchema";
const HINTS: [&str; 4] = [
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
    "readOnlyHint",
];

pub(super) fn tool(tool: &Json, found: &mut Found) {
    found.name("$.name", tool.get("name"), "_-.", 128);
    found.description("$", tool);
    let schema = tool.get("inputSchema");
    found.object(SCHEMA, schema, &[]);
    json_schema(schema.unwrap_or(&Json::Null), SCHEMA, found);
    let Some(annotations) = tool.get("annotations") else {
        return;
    };
    let Some(annotations) = annotations.as_object() else {
        found.add("$.annotations", "annotations are an object");
        return;
    };
    for (name, value) in annotations {
        let fits = match name {
            "title" => value.as_str().is_some(),
            name => HINTS.contains(&name) && value.as_bool().is_some(),
        };
        if !fits {
            found.add(
                "$.annotations",
                format!("there is no annotation `{name}` with this value"),
            );
        }
    }
    let says = |hint: &str| annotations.get(hint) == Some(&Json::Bool(true));
    if says("readOnlyHint") && says("destructiveHint") {
        found.add("$.annotations", "what only reads destroys nothing");
    }
}
