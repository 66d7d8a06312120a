//! A person in the loop: a call waits, its program ends, somebody says yes, and another program makes it once.

use idem_tools::approval::{CardFilter, Decided, DecisionRequest, Verdict};
use idem_tools::{Checkpoint, Decision, Idem, Principal, ProposedCall, ToolContext, ToolError};
use idem_tools::{block_on, tool, tool_input};
use std::error::Error;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

const ORGANIZATION: &str = "7f3c0d9e-4d0b-4b2a-9c55-0c5f4b1d2a10";
static PAID: AtomicU32 = AtomicU32::new(0);

#[tool_input]
struct Invoice {
    number: u32,
}

/// Pays an invoice.
#[tool(scope = "tool.invoice.pay", timeout_s = 10)]
async fn pay_invoice(_ctx: &ToolContext, input: Invoice) -> Result<String, ToolError> {
    PAID.fetch_add(1, SeqCst); // here your client calls the bank
    Ok(format!("invoice {} is paid", input.number))
}

fn policy(_call: &Checkpoint<'_>) -> Decision {
    Decision::ask("every payment needs a second person")
}

/// One program of the agent: the answer for the model, or nothing: the call waits, and the program may end.
async fn agent(url: &str) -> Result<Option<String>, Box<dyn Error>> {
    let idem = Idem::open(url).await?.tool::<pay_invoice>();
    let idem = idem.policy(policy).build()?;
    let tenant = idem.organization(ORGANIZATION.parse()?);
    let turn = tenant.principal("ann")?.run("run-7")?.turn(1);
    let call = ProposedCall::new("call_a", "pay_invoice", r#"{"number": 12}"#);
    let settled = turn.call(call).await?;
    Ok(settled.answer().map(|answer| answer.to_model_text()))
}

/// Bob decides what is pending, in a program of his own: only the store is shared.
async fn approver(url: &str) -> Result<(), Box<dyn Error>> {
    let idem = Idem::open(url).await?.tool::<pay_invoice>().build()?;
    let desk = idem.approvals(ORGANIZATION.parse()?);
    for card in desk.list(&CardFilter::default()).await? {
        println!("{} {}: {}", card.tool, card.effective.input, card.rule);
        let yes = DecisionRequest {
            id: card.id,
            shown_hash: card.effective.shown_hash,
            by: Principal::new("bob")?,
            verdict: Verdict::Approve,
        };
        assert!(matches!(desk.decide(&yes).await?, Decided::Done(_)));
    }
    Ok(())
}

pub(crate) async fn story() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite://{}/agent.db", folder.path().display());
    assert_eq!(agent(&url).await?, None); // it waits, and holds nothing
    assert_eq!(PAID.load(SeqCst), 0);
    approver(&url).await?;
    let first = agent(&url).await?; // another program makes the same call
    assert_eq!(first.as_deref(), Some(r#""invoice 12 is paid""#));
    assert_eq!(agent(&url).await?, first); // and a repeat gets its answer
    println!("invoices paid: {}", PAID.load(SeqCst));
    assert_eq!(PAID.load(SeqCst), 1);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    block_on(story())
}
