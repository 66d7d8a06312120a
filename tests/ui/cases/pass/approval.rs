//! Who says when a person is asked: the tool, or the policy.

use idem_tools::{ApprovalRule, Effect, Tool, ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Nothing {}

#[tool(scope = "tool.card.charge", timeout_s = 60, approval = "always")]
async fn always(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

#[tool(scope = "tool.log.write", timeout_s = 60, approval = "never")]
async fn never(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

#[tool(
    scope = "tool.email.read",
    timeout_s = 60,
    effect = "read",
    approval = "policy"
)]
async fn policy(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn unsaid(_ctx: &ToolContext, _input: Nothing) -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    assert_eq!(<always as Tool>::SPEC.approval_rule(), ApprovalRule::Always);
    assert_eq!(<never as Tool>::SPEC.approval_rule(), ApprovalRule::Never);
    assert_eq!(<policy as Tool>::SPEC.approval_rule(), ApprovalRule::Policy);
    assert_eq!(<unsaid as Tool>::SPEC.approval_rule(), ApprovalRule::Policy);
    assert_eq!(<policy as Tool>::SPEC.effect_class(), Effect::Read);
}
