//! A worker: runs the turns of its order, one proposed call after the other, and tells what it does.

use std::process::ExitCode;

use crate::Outcome;
use crate::agent::{Agent, Answer};
use crate::conversation::Conversation;
use crate::plain::Plain;
use crate::protocol::{Counters, Event, Mode, Order, announce};
use crate::stops::Stops;
use crate::wire::Vendor;

/// Carries the order out; why it could not is the last event.
pub(crate) async fn run(order: Order) -> ExitCode {
    match work(&order).await {
        Ok(counters) => {
            announce(&Event::Done { counters });
            ExitCode::SUCCESS
        }
        Err(error) => {
            announce(&Event::Failed {
                why: error.to_string(),
            });
            ExitCode::FAILURE
        }
    }
}

async fn work(order: &Order) -> Outcome<Counters> {
    let conversation = Conversation::recorded()?;
    let stops = Stops(order.stop_at);
    let vendor = Vendor::new(order, stops)?;
    let replayed = match &order.mode {
        Mode::Plain { database } => {
            let plain = Plain {
                database,
                order,
                vendor: &vendor,
                stops,
            };
            work_plainly(order, &conversation, &plain).await?;
            0
        }
        Mode::Idem { store } => {
            let agent = Agent::open(store, order, vendor.clone(), stops).await?;
            work_with_idem(order, &conversation, &agent).await?
        }
    };
    Ok(Counters {
        replayed,
        vendor_repeats: vendor.repeats(),
    })
}

async fn work_plainly(
    order: &Order,
    conversation: &Conversation,
    plain: &Plain<'_>,
) -> Outcome<()> {
    for turn in &order.turns {
        for call in conversation.calls(*turn, order.sample)? {
            announce(&Event::proposed(call));
            let answer = plain.call(call).await?;
            announce(&Event::Settled {
                answer,
                replayed: false,
            });
        }
    }
    Ok(())
}

/// Answers how many calls were answered from the journal.
async fn work_with_idem(order: &Order, conversation: &Conversation, agent: &Agent) -> Outcome<u32> {
    let mut from_journal = 0;
    for turn in &order.turns {
        for call in conversation.calls(*turn, order.sample)? {
            announce(&Event::proposed(call));
            match agent.call(*turn, call).await? {
                Answer::Settled { answer, replayed } => {
                    from_journal += u32::from(replayed);
                    announce(&Event::Settled { answer, replayed });
                }
                Answer::Waits { card } => {
                    // Nothing is held: the turn is run again once somebody has decided.
                    announce(&Event::Waits { card });
                    return Ok(from_journal);
                }
            }
        }
    }
    Ok(from_journal)
}
