//! Functions that wait for nothing need no `async`.

use idem_tools::{ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Add {
    a: i64,
    b: i64,
}

type Answer<T> = Result<T, ToolError>;

#[tool(scope = "tool.sum.add", timeout_s = 5, effect = "read")]
fn add(_ctx: &ToolContext, input: Add) -> Result<i64, ToolError> {
    Ok(input.a + input.b)
}

#[tool(scope = "tool.sum.add", timeout_s = 5, effect = "read")]
pub fn sum(a: i64, b: Option<i64>) -> Answer<i64> {
    a.checked_add(b.unwrap_or(0))
        .ok_or_else(|| ToolError::answer("too_large", "the sum is too large"))
}

fn main() {
    assert_eq!(sum(1, Some(2)).unwrap(), 3);
    assert!(sum(i64::MAX, Some(1)).is_err());
    fn is_tool<T: idem_tools::Tool>() {}
    is_tool::<add>();
    is_tool::<sum>();
}
