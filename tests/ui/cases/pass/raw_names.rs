//! C47: raw identifiers as arguments, names that the macro uses itself, and an argument that is not read.

use idem_core::canonical::Canonical;
use idem_tools::{Tool, ToolError, block_on, tool};

#[tool(scope = "tool.file.write", timeout_s = 60, key(type, input))]
async fn r#match(
    r#type: String,
    input: String,
    object: u8,
    out: u8,
    #[serde(rename = "unread")] _unread: Option<u8>,
) -> Result<String, ToolError> {
    Ok(format!("{type}{input}{object}{out}"))
}

#[tool(scope = "tool.file.write", timeout_s = 60)]
async fn ctx(ctx: String, default: u8) -> Result<String, ToolError> {
    Ok(format!("{ctx}{default}"))
}

fn names<T: Tool>() -> Vec<&'static str> {
    let fields = <T::Input as Canonical>::FIELDS.iter();
    fields.map(|field| field.name).collect()
}

fn main() {
    assert_eq!(r#match::SPEC.name(), "match");
    assert_eq!(names::<r#match>(), ["type", "input", "object", "out", "unread"]);
    assert_eq!(names::<ctx>(), ["ctx", "default"]);
    assert_eq!(block_on(ctx("a".into(), 1)).unwrap(), "a1");
}
