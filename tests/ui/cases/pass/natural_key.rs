//! An effect that is one whoever asks, by a whole field and by a part of one.

use idem_tools::{Tool, ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Page {
    id: String,
    title: String,
}

#[tool_input]
struct Publish {
    page: Page,
    revision: u64,
    #[arg(prose)]
    note: String,
}

#[tool(scope = "tool.page.publish", timeout_s = 60, natural_key(page.id, revision))]
async fn publish(_ctx: &ToolContext, input: Publish) -> Result<String, ToolError> {
    Ok(format!("{} {} {} {}", input.page.id, input.page.title, input.revision, input.note))
}

fn main() {
    let paths: [&[&str]; 2] = [&["page", "id"], &["revision"]];
    assert_eq!(publish::SPEC.key_paths(), Some(&paths[..]));
    assert!(publish::SPEC.has_natural_key());
}
