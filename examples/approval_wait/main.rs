//! A person in the loop: a call waits, its program ends, somebody says yes, and another program makes it once.

use idem_tools::approval::{CardFilter, Decided, DecisionRequest, Verdict};
use idem_tools::{Checkpoint, Decision, Idem, Principal, ProposedCall, ToolContext, ToolError};
use idem_tools::{block_on, tool, tool_input};
use std::error::Error;
use std::sync::{Arc, atomic::AtomicU32, atomic::Ordering::SeqCst};

#[tool_input]
struct Invoice {
    number: u32,
    euros: u32,
}

/// Pays an invoice.
#[tool(scope = "tool.invoice.pay", timeout_s = 10)]
async fn pay_invoice(ctx: &ToolContext, input: Invoice) -> Result<String, ToolError> {
    ctx.state::<Arc<AtomicU32>>()?.fetch_add(1, SeqCst); // here your client calls the bank
    Ok(format!(
        "paid {} euros for invoice {}",
        input.euros, input.number
    ))
}

/// Money is asked about.
fn policy(call: &Checkpoint<'_>) -> Decision {
    match call.scope.as_str() {
        "tool.invoice.pay" => Decision::ask("every payment needs a second person"),
        _ => Decision::Allow,
    }
}

/// One program of the agent: the answer for the model, or nothing where the call waits and the program may end.
async fn agent(url: &str, paid: &Arc<AtomicU32>) -> Result<Option<String>, Box<dyn Error>> {
    let idem = Idem::open(url)
        .await?
        .state(paid.clone())
        .tool::<pay_invoice>();
    let idem = idem.policy(policy).build()?;
    let turn = idem
        .organization(ORGANIZATION.parse()?)
        .principal("ann")?
        .run("run-7")?
        .turn(1);
    let call = ProposedCall::new("call_a", "pay_invoice", r#"{"number": 12, "euros": 900}"#);
    Ok(turn
        .call(call)
        .await?
        .answer()
        .map(|answer| answer.to_model_text()))
}

/// Another person decides what is pending, wherever they are: only the store is shared.
async fn approver(url: &str) -> Result<(), Box<dyn Error>> {
    let idem = Idem::open(url).await?.tool::<pay_invoice>().build()?;
    let desk = idem.approvals(ORGANIZATION.parse()?);
    for card in desk.list(&CardFilter::default()).await? {
        println!(
            "bob is shown: {} {} ({})",
            card.tool, card.effective.input, card.rule
        );
        let (id, shown_hash, by) = (card.id, card.effective.shown_hash, Principal::new("bob")?);
        let yes = DecisionRequest {
            id,
            shown_hash,
            by,
            verdict: Verdict::Approve,
        };
        assert!(matches!(desk.decide(&yes).await?, Decided::Done(_)));
        assert!(matches!(desk.decide(&yes).await?, Decided::Stands(_))); // the first decision stands
    }
    Ok(())
}

const ORGANIZATION: &str = "7f3c0d9e-4d0b-4b2a-9c55-0c5f4b1d2a10";

pub(crate) async fn story() -> Result<u32, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite://{}/agent.db", folder.path().display());
    let paid = Arc::new(AtomicU32::new(0));
    assert_eq!(
        agent(&url, &paid).await?,
        None,
        "it waits, and nothing is held"
    );
    assert_eq!(paid.load(SeqCst), 0);
    approver(&url).await?;
    let first = agent(&url, &paid).await?; // after a restart
    assert_eq!(first.as_deref(), Some(r#""paid 900 euros for invoice 12""#));
    assert_eq!(
        agent(&url, &paid).await?,
        first,
        "a repeat gets the first answer"
    );
    Ok(paid.load(SeqCst))
}

fn main() -> Result<(), Box<dyn Error>> {
    let paid = block_on(story())?;
    println!("invoices paid: {paid}");
    assert_eq!(paid, 1);
    Ok(())
}
