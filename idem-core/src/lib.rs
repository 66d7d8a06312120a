//! The plane of Idem: one table, one trait, one service.
//!
//! It protects an effect, and knows nothing of tools, of HTTP or of schemas. A caller asks the
//! [`IdempotencyService`] to [`read`](IdempotencyService::read) a key, to [`claim`](IdempotencyService::claim) it,
//! and to end the claim: [`complete`](IdempotencyService::complete) stores the answer,
//! [`release`](IdempotencyService::release) gives the key up as if never claimed. Every claim carries a lease and a
//! fence: a worker that stalls past its lease can be replaced, and cannot write afterwards.
//!
//! What every verb does to a row in every state is one pure function, [`states::decide`].

pub mod answer;
pub mod approval;
pub mod boundary;
mod calendar;
pub mod canonical;
mod claim;
mod claiming;
pub mod coalesce;
mod committing;
mod error;
pub mod identity;
pub mod inspection;
mod journal;
pub mod json;
mod markdown;
mod open;
mod organization;
mod outcome;
mod pass_on;
#[cfg(feature = "postgres")]
pub mod postgres;
mod record;
mod repository;
mod request;
pub mod runs;
#[cfg(feature = "schemars")]
mod schema;
mod scope;
mod service;
#[cfg(feature = "sqlite")]
pub mod sqlite;
pub mod states;
pub mod states_table;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod stores;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "testing")]
pub mod volatile;

pub use answer::{
    Answer, AnswerError, Encoding, OutcomeKind, RESPONSE_BYTES_MAX, Resource, Response, Settled,
};
pub use calendar::{CalendarError, Date, DateTime, Time};
pub use claim::{Claim, Ending, EndingError, Fence, Takeover, abandoned_claims};
pub use claiming::CLAIM_ATTEMPTS_MAX;
pub use error::{CommitError, RepositoryError, Source};
pub use inspection::Inspection;
pub use open::{Migrated, OpenMode, migrate, missing_file, open};
pub use organization::{
    NilOrganization, OrganizationId, OrganizationIdError, PRINCIPAL_BYTES_MAX, Principal,
    PrincipalError,
};
pub use outcome::{ClaimOutcome, Conflict, InFlight, ReadOutcome, RecordOutcome, StoredAnswer};
pub use record::{ClaimId, LeaseToken, Origin, Record, Status, StoredInput, TraceId};
pub use repository::{
    EndLease, Held, IdempotencyRepository, LeaseTerms, Probe, Settlement, Store, SweepReport,
    TRANSACTION_MAX, TakeOver, TakeOverReason, TurnRepository,
};
pub use request::{ClaimKey, KEY_TEXT_BYTES_MAX, KeyTextError, Request};
pub use scope::{SCOPE_BYTES_MAX, Scope, ScopeError, TOOL_RETENTION};
pub use service::{IdempotencyService, STORE_FAILURES_MAX, insist};
pub use uuid::Uuid;
