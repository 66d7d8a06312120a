//! `idem migrate`.

use super::paper::{maybe, object};
use super::{Exit, Report};
use idem_core::RepositoryError;
use idem_core::json::Json;

/// Brings a store's schema up to this build and says from where to where. A schema that is there already is no
/// refusal: any number of processes may migrate.
///
/// # Errors
///
/// [`RepositoryError`]: the schema is newer, a migration failed, or the store cannot be opened.
pub async fn migrate(url: &str) -> Result<Report, RepositoryError> {
    let done = idem_core::migrate(url).await?;
    let to = done.to;
    let text = match done.from {
        None => format!("Made the schema, version {to}.\n"),
        Some(from) if from == to => format!("Nothing to do: the schema is at version {to}.\n"),
        Some(from) => format!("Brought the schema from version {from} to version {to}.\n"),
    };
    let json = object([
        ("from", maybe(done.from)),
        ("to", Json::from(to)),
        ("changed", Json::from(done.from != Some(to))),
    ]);
    Ok(Report {
        exit: Exit::Done,
        text,
        json,
    })
}
