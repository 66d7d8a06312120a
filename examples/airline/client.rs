//! The tools' way to the airline: one request for a call, and what its reply means.

use std::time::Duration;

use idem_tools::http::{ResponseExt, client_builder};
use idem_tools::plane::canonical::{Form, text_of};
use idem_tools::{Effect, Tool, ToolContext, ToolError};
use reqwest::StatusCode;
use serde::{Deserialize, Serialize};

use crate::place::{Place, Places};
use crate::vendor::book::Call;

/// The request header that carries a key, and the reply's that says the key was known.
pub(crate) const KEY_HEADER: &str = "idempotency-key";
pub(crate) const REPLAYED_HEADER: &str = "idempotent-replayed";

/// The code of a refusal that is the airline's final answer.
pub(crate) const REFUSED: &str = "refused";

/// Shorter than the tools' timeout: a request that is given up leaves time to say so.
const REQUEST_MAX: Duration = Duration::from_millis(1500);

/// What a tool asks of the airline.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    #[serde(flatten)]
    pub(crate) place: Place,
    /// Which of the turn's responses proposed it, from 0: a look-up that is made twice is answered twice.
    pub(crate) step: u32,
    /// The canonical text of the arguments.
    pub(crate) arguments: String,
}

/// What the airline answers when it did as it was asked.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Done {
    pub(crate) result: String,
}

/// What it answers when it did not.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) code: String,
    pub(crate) message: String,
}

/// The airline, as the tools see it.
#[derive(Clone, Debug)]
pub(crate) struct Airline {
    client: reqwest::Client,
    base: String,
    places: Places,
    watcher: Option<Watcher>,
}

/// Who watches the calls that cannot be repeated: each before it is sent, and again (`true`) where it is in doubt.
pub(crate) type Watcher = fn(&Call, bool);

/// A call that is being watched. Dropped, also by the tool's timeout, it is in doubt.
#[derive(Debug)]
pub(crate) struct Watch {
    call: Call,
    watcher: Option<Watcher>,
}

impl Watch {
    /// What became of it is known.
    pub(crate) fn known(mut self) {
        self.watcher = None;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(watcher) = self.watcher {
            watcher(&self.call, true);
        }
    }
}

impl Airline {
    /// An airline at an address, for the turns of these recordings.
    pub(crate) fn new(base: String, places: Places) -> Result<Self, reqwest::Error> {
        // One request is one request in the airline's book: no retries of the client's own, and no pooled connection
        // that could be found closed.
        let client = client_builder()
            .no_proxy()
            .retry(reqwest::retry::never())
            .pool_max_idle_per_host(0)
            .timeout(REQUEST_MAX)
            .build()?;
        Ok(Self {
            client,
            base,
            places,
            watcher: None,
        })
    }

    /// Lets somebody watch the calls that cannot be repeated.
    pub(crate) fn watched(mut self, watcher: Watcher) -> Self {
        self.watcher = Some(watcher);
        self
    }

    /// Tells the watcher, if there is one, that a call is about to be sent.
    pub(crate) fn watch<T: Tool>(
        &self,
        ctx: &ToolContext,
        input: &T::Input,
    ) -> Result<Watch, ToolError> {
        let call = self.call::<T>(ctx, input)?;
        if let Some(watcher) = self.watcher {
            watcher(&call, false);
        }
        let watcher = self.watcher;
        Ok(Watch { call, watcher })
    }

    fn call<T: Tool>(&self, ctx: &ToolContext, input: &T::Input) -> Result<Call, ToolError> {
        let place = self.places.find(ctx.turn()).ok_or_else(|| {
            ToolError::no_effect("unknown_turn", "the turn is not one of the recordings")
        })?;
        Ok(Call {
            place: place.clone(),
            tool: T::SPEC.name().to_owned(),
            arguments: text_of(input, Form::Key).map_err(ToolError::before_effect)?,
        })
    }
}

/// Makes one call of a tool at the airline.
///
/// # Errors
///
/// A refusal is the call's answer, word for word; every other failure has the class of its status or of its error.
pub(crate) async fn ask<T: Tool>(ctx: &ToolContext, input: &T::Input) -> Result<String, ToolError> {
    let airline = ctx.state::<Airline>()?;
    let Call {
        place, arguments, ..
    } = airline.call::<T>(ctx, input)?;
    let request = Request {
        place,
        step: ctx.step(),
        arguments,
    };
    let url = format!("{}/tools/{}", airline.base, T::SPEC.name());
    let mut sending = airline.client.post(url).json(&request);
    if let Effect::Keyed { .. } = T::SPEC.effect_class() {
        sending = sending.header(KEY_HEADER, ctx.vendor_key().as_str());
    }
    let reply = sending.send().await?;
    if reply.status() == StatusCode::UNPROCESSABLE_ENTITY {
        let refusal: Refusal = reply.json().await?;
        return Err(match refusal.code == REFUSED {
            true => ToolError::answer(REFUSED, refusal.message),
            // A key that belongs to another request: a defect, which says nothing of an earlier attempt.
            false => ToolError::unknown(refusal.message),
        });
    }
    Ok(reply.for_tool()?.json::<Done>().await?.result)
}
