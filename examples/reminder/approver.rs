//! Bob, in a process of his own: he decides what waits, through the functions behind `idem approvals`. Only the store
//! is shared; this process knows no tool and no worker.

use std::process::ExitCode;

use idem_tools::approval::{ApprovalDesk, CardFilter};
use idem_tools::cli::{self, Deciding, Exit, Report, SeenHash};
use idem_tools::plane::{OpenMode, open};
use idem_tools::{OrganizationId, Principal};

use crate::Outcome;
use crate::protocol::{ApproverOrder, Counters, Event, announce};

const NAME: &str = "bob";
/// As many as `show` prints.
const HASH_DIGITS: usize = 16;

/// Carries the order out; why it could not is the last event.
pub(crate) async fn run(order: &ApproverOrder) -> ExitCode {
    match decide(order).await {
        Ok(()) => {
            let counters = Counters::default();
            announce(&Event::Done { counters });
            ExitCode::SUCCESS
        }
        Err(error) => {
            let why = error.to_string();
            announce(&Event::Failed { why });
            ExitCode::FAILURE
        }
    }
}

async fn decide(order: &ApproverOrder) -> Outcome<()> {
    let organization: OrganizationId = order.organization.parse()?;
    let store = open(&order.store, OpenMode::AsIs).await?;
    let now = store.probe().await?.clock;
    let desk = ApprovalDesk::new(store, organization);
    let filter = CardFilter::default();
    said("list", cli::list(&desk, &filter, now).await?)?;
    for card in desk.list(&filter).await? {
        let id = card.id;
        // The yes names what was read here; a card that shows something else by then is not approved.
        let hash = card.effective.shown_hash.to_string();
        let hash: String = hash.chars().take(HASH_DIGITS).collect();
        let seen: SeenHash = hash.parse()?;
        said(&format!("show {id}"), cli::show(&desk, id, now).await?)?;
        let by = Principal::new(NAME)?;
        let deciding = Deciding { id, by, seen };
        let decided = cli::approve(&desk, &deciding, now).await?;
        said(&format!("approve {id} --as {NAME} --hash {hash}"), decided)?;
        let card = id.to_string();
        announce(&Event::Approved { card });
    }
    Ok(())
}

/// Tells what a command said, and ends where it was refused.
fn said(command: &str, report: Report) -> Outcome<()> {
    announce(&Event::Commanded {
        command: format!("idem approvals {command}"),
        text: report.text,
    });
    if report.exit == Exit::Done {
        Ok(())
    } else {
        Err(format!("idem approvals {command} was refused").into())
    }
}
