//! A worker: runs the turns of its order, one proposed call after the other, and tells what it does.

use std::process::ExitCode;

use crate::conversation::Conversation;
use crate::protocol::{Counters, Event, Mode, Order, announce};
use crate::wire::Vendor;
use crate::{Outcome, plain, tools};

/// Reads the order from standard input, and leaves the rest of it to the watch on the parent.
pub(crate) fn read_order() -> Outcome<Order> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}

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
    let vendor = Vendor::new(order)?;
    let mut replayed = 0;
    match &order.mode {
        Mode::Plain => {
            for turn in &order.turns {
                for call in conversation.calls(*turn, order.sample)? {
                    announce(&Event::proposed(call));
                    let answer = plain::call(&vendor, call).await?;
                    announce(&Event::Settled {
                        answer,
                        replayed: false,
                    });
                }
            }
        }
        Mode::Idem { store } => {
            let agent = tools::Agent::open(store, order, vendor.clone()).await?;
            for turn in &order.turns {
                for call in conversation.calls(*turn, order.sample)? {
                    announce(&Event::proposed(call));
                    let settled = agent.call(*turn, call).await?;
                    replayed += u32::from(settled.replayed);
                    announce(&Event::Settled {
                        answer: settled.answer,
                        replayed: settled.replayed,
                    });
                }
            }
        }
    }
    Ok(Counters {
        replayed,
        vendor_repeats: vendor.repeats(),
    })
}
