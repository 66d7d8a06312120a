//! The airline's 14 tools, as `#[tool]` functions: the part to copy.
//!
//! | tools | class | why |
//! | --- | --- | --- |
//! | the six that write, and the hand-over to a person | `keyed` | the airline remembers a key for a day |
//! | the look-ups | `read` | they only look |
//! | `calculate`, `think` | `read` | they change nothing; a repeat of the step gets the recorded answer |
//!
//! Every argument is identity: what is recorded counts as the model wrote it. A tool of one argument names it in its
//! signature; one of several takes them as a type, which it hands on whole.

mod arguments;
mod made_up;
mod numbers;
mod reads;
#[cfg(test)]
mod tests;
mod writes;

use std::collections::BTreeMap;

use idem_tools::plane::canonical::{Form, text_of};
use idem_tools::plane::json::{Limits, de::from_json};
use idem_tools::{Effect, IdemBuilder, Json, Tool};

pub(crate) use made_up::notify_customer;
pub(crate) use reads::{
    calculate, get_reservation_details, get_user_details, list_all_airports, search_direct_flight,
    search_onestop_flight, think,
};
pub(crate) use writes::{
    book_reservation, cancel_reservation, send_certificate, transfer_to_human_agents,
    update_reservation_baggages, update_reservation_flights, update_reservation_passengers,
};

/// What a tool is asked: the type of its arguments, which `#[tool]` writes where they stand in the signature.
type Asked<T> = <T as Tool>::Input;

/// The tool that hands the user over to a person: an effect, and none on a booking.
pub(crate) const HANDOVER: &str = "transfer_to_human_agents";

/// The made-up tool: a notice, and no effect on a booking either.
pub(crate) const NOTICE: &str = "notify_customer";

/// The one list of the tools.
macro_rules! each_tool {
    ($on:ident.$method:ident) => {
        $on.$method::<book_reservation>()
            .$method::<calculate>()
            .$method::<cancel_reservation>()
            .$method::<get_reservation_details>()
            .$method::<get_user_details>()
            .$method::<list_all_airports>()
            .$method::<search_direct_flight>()
            .$method::<search_onestop_flight>()
            .$method::<send_certificate>()
            .$method::<think>()
            .$method::<transfer_to_human_agents>()
            .$method::<update_reservation_baggages>()
            .$method::<update_reservation_flights>()
            .$method::<update_reservation_passengers>()
    };
}

/// Puts the tools into an agent.
pub(crate) fn register(idem: IdemBuilder) -> IdemBuilder {
    each_tool!(idem.tool)
}

/// The tools, to be shown to a provider.
pub(crate) fn exported() -> idem_tools::export::Catalogue {
    let catalogue = idem_tools::export::Catalogue::new();
    each_tool!(catalogue.tool)
}

/// Puts the made-up tool into it as well.
pub(crate) fn register_made_up(idem: IdemBuilder) -> IdemBuilder {
    idem.tool::<notify_customer>()
}

/// The canonical text of recorded arguments, or why the tool refuses them.
type Canonicalize = fn(&str) -> Result<String, String>;

/// One tool, as far as reading recorded calls needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) effect: Effect,
    /// It changes a booking, or sends a certificate.
    pub(crate) writes: bool,
    pub(crate) canonical: Canonicalize,
}

/// The tools by name.
#[derive(Debug, Default)]
pub(crate) struct Catalogue(BTreeMap<&'static str, Facts>);

impl Catalogue {
    /// All of them.
    pub(crate) fn new() -> Self {
        let empty = Self::default();
        each_tool!(empty.with)
    }

    /// All of them, and the made-up one.
    pub(crate) fn with_made_up() -> Self {
        Self::new().with::<notify_customer>()
    }

    fn with<T: Tool>(mut self) -> Self {
        let facts = Facts {
            effect: T::SPEC.effect_class(),
            writes: T::SPEC.effect_class() != Effect::Read
                && ![HANDOVER, NOTICE].contains(&T::SPEC.name()),
            canonical: canonical::<T>,
        };
        self.0.insert(T::SPEC.name(), facts);
        self
    }

    /// A tool by its name.
    pub(crate) fn get(&self, name: &str) -> Option<&Facts> {
        self.0.get(name)
    }

    /// Every tool, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &Facts)> {
        self.0.iter().map(|(name, facts)| (*name, facts))
    }
}

/// Reads arguments as a call does (exact JSON, nothing unknown, no key twice), and writes their canonical form.
fn canonical<T: Tool>(arguments: &str) -> Result<String, String> {
    let arguments = match arguments.trim() {
        "" | "null" => "{}",
        written => written,
    };
    let json = Json::parse(arguments, Limits::ARGUMENTS).map_err(|error| error.to_string())?;
    let input: T::Input = from_json(&json).map_err(|error| error.to_string())?;
    text_of(&input, Form::Key).map_err(|error| error.to_string())
}
