//! The agent that the workers run and the director looks through: the tools, the policy, the recorded model.

use std::time::Duration;

use idem_tools::agent::{AgentHarness, Retries, RunLimits};
use idem_tools::{Checkpoint, Decision, Effect, Idem};

use super::model::Recorded;
use super::protocol::{Order, Said, say};
use crate::Outcome;
use crate::client::Airline;
use crate::place::Places;
use crate::recording;
use crate::tools::{HANDOVER, NOTICE, register, register_made_up};
use crate::vendor::book::Call;

/// A recorded model answers at once; a segment's lease need not be longer for it.
const MODEL_TIMEOUT: Duration = Duration::from_secs(1);

/// More than the airline breaks any call.
const CALL_RETRIES: Retries = Retries {
    attempts: 12,
    first_wait: Duration::from_millis(20),
    last_wait: Duration::from_millis(250),
};

/// Kills follow one another faster than a run makes progress: a run is not given up for that.
const SEGMENT_RETRIES: Retries = Retries {
    attempts: 10_000,
    first_wait: Duration::from_millis(50),
    last_wait: Duration::from_millis(500),
};

/// Opens the store and puts the agent together.
pub(crate) async fn open(order: &Order) -> Outcome<AgentHarness> {
    let conversations = recording::read(&order.recordings)?;
    let airline = Airline::new(order.vendor.clone(), Places::of(&conversations)?)?;
    let airline = airline.watched(tell);
    let mut idem = Idem::open(&order.store).await?.state(airline);
    idem = register_made_up(register(idem)).lease_margin(Duration::from_millis(order.lease_ms));
    idem = idem.coalesce(order.coalesce);
    if order.asks {
        idem = idem.policy(writes_ask);
    }
    let limits = RunLimits {
        steps_a_turn: 100,
        ..RunLimits::default()
    };
    let agent = idem.agent(Recorded::new(conversations, order.sample));
    let agent = agent.limits(limits).model_timeout(MODEL_TIMEOUT);
    let agent = agent.call_retries(CALL_RETRIES);
    Ok(agent.segment_retries(SEGMENT_RETRIES).build()?)
}

/// What changes a booking or sends a certificate is asked about; a hand-over and a notice are not.
fn writes_ask(call: &Checkpoint<'_>) -> Decision {
    match call.effect {
        Effect::Read => Decision::Allow,
        _ if [HANDOVER, NOTICE].contains(&call.tool) => Decision::Allow,
        _ => Decision::ask("what changes a booking needs a second person's yes"),
    }
}

/// Tells the director of a call that cannot be repeated.
fn tell(call: &Call, in_doubt: bool) {
    let call = call.clone();
    say(&match in_doubt {
        false => Said::Dispatches { call },
        true => Said::InDoubt { call },
    });
}
