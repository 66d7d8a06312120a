//! An agent's turn with Idem: what the model proposes is settled, or it waits for a person.

use idem_tools::{CallError, Idem, OrganizationId, ProposedCall, Settled};

use crate::Outcome;
use crate::conversation::ToolCall;
use crate::protocol::{Event, Order, announce};
use crate::stops::Stops;
use crate::tools;
use crate::wire::Vendor;

/// How often a worker waits for another's lease before it gives up.
const WAITS_MAX: u32 = 5;

/// What a call came to.
#[derive(Debug)]
pub(crate) enum Answer {
    /// It has its answer.
    Settled { answer: String, replayed: bool },
    /// A person is asked, and this is the card's id: nothing is held, and the worker may end.
    Waits { card: String },
}

/// The tools on a store, for one run of Ann's.
#[derive(Debug)]
pub(crate) struct Agent {
    idem: Idem,
    organization: OrganizationId,
    run: String,
}

impl Agent {
    /// Opens the store and registers the tools.
    pub(crate) async fn open(
        store: &str,
        order: &Order,
        vendor: Vendor,
        stops: Stops,
    ) -> Outcome<Self> {
        Ok(Self {
            idem: tools::open(store, vendor, stops).await?,
            organization: order.organization.parse()?,
            run: order.run.clone(),
        })
    }

    /// Settles one proposed call. While another worker's lease runs, it waits: the call is that worker's.
    pub(crate) async fn call(&self, turn: u32, call: &ToolCall) -> Outcome<Answer> {
        let actor = self.idem.organization(self.organization).principal("ann")?;
        let turn = actor.run(&self.run)?.turn(turn);
        for _ in 0..WAITS_MAX {
            let function = &call.function;
            let proposed = ProposedCall::new(&call.id, &function.name, &function.arguments);
            match turn.call(proposed).await {
                Ok(settled) => return answer(settled),
                Err(CallError::ClaimInFlight { retry_after, .. }) => {
                    let for_ms = u64::try_from(retry_after.as_millis())?;
                    announce(&Event::LeaseRuns { for_ms });
                    tokio::time::sleep(retry_after).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
        let name = &call.function.name;
        Err(format!("{name} is still another worker's after {WAITS_MAX} waits").into())
    }
}

fn answer(settled: Settled) -> Outcome<Answer> {
    match settled {
        Settled::Answer(answered) => {
            let result = answered.result.map_err(|failure| failure.to_string())?;
            Ok(Answer::Settled {
                answer: result.to_text(),
                replayed: answered.replayed,
            })
        }
        Settled::Waiting(waiting) => Ok(Answer::Waits {
            card: waiting.card.id.to_string(),
        }),
        _ => Err("a call came to what this program does not know".into()),
    }
}
