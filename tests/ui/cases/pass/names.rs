//! C47: raw identifiers lose their mark, and a function may be called what its own arguments are.

use idem_core::canonical::{Canonical, Form, text_of};
use idem_tools::{Tool, ToolContext, ToolError, ToolInput, tool, tool_input};

#[tool_input]
struct File {
    r#type: String,
    #[serde(rename = "Size")]
    size: u8,
}

#[tool(scope = "tool.file.write", timeout_s = 60)]
async fn r#type(_: &ToolContext, mut input: File) -> Result<String, ToolError> {
    input.r#type.push('x');
    Ok(input.r#type)
}

#[tool(scope = "tool.file.write", timeout_s = 60)]
#[doc = include_str!("names.rs")]
async fn input(_: &ToolContext, _input: File) -> Result<(), ToolError> {
    Ok(())
}

#[tool(scope = "tool.file.write", timeout_s = 60)]
async fn ctx(_: &ToolContext, #[allow(unused_mut)] mut file: File) -> Result<(), ToolError> {
    let _ = &mut file;
    Ok(())
}

#[tool_input]
#[serde(rename_all = "camelCase")]
struct Renamed {
    send_at: String,
    #[serde(rename(serialize = "out", deserialize = "in"))]
    r#in: u8,
}

fn names<T: ToolInput>() -> Vec<&'static str> {
    <T as Canonical>::FIELDS
        .iter()
        .map(|field| field.name)
        .collect()
}

fn main() {
    assert_eq!(<r#type as Tool>::SPEC.name(), "type");
    assert_eq!(<input as Tool>::SPEC.name(), "input");
    assert_eq!(<input as Tool>::SPEC.description_text(), "");
    assert_eq!(<ctx as Tool>::SPEC.name(), "ctx");
    assert_eq!(names::<File>(), ["type", "Size"]);
    assert_eq!(names::<Renamed>(), ["sendAt", "in"]);
    let file = File {
        r#type: "a".into(),
        size: 1,
    };
    assert_eq!(
        text_of(&file, Form::Hash).unwrap(),
        r#"{"Size":1,"type":"a"}"#
    );
}
