//! The first connection to a file, while other processes open it too.

use super::BUSY_TIMEOUT;
use crate::error::RepositoryError;
use std::time::{Duration, Instant};

/// How long to wait before a file that is held is tried again.
const RETRY_AFTER: Duration = Duration::from_millis(5);

/// Opens a file and waits out whoever holds it, at most [`BUSY_TIMEOUT`].
///
/// SQLite's own busy time-out does not cover the change of a fresh file to WAL: of several that open it at once, those
/// that would have to wait are told at once that it is held.
pub(super) async fn patiently<T, Opening>(
    url: &str,
    open: impl Fn() -> Opening,
) -> Result<T, RepositoryError>
where
    Opening: Future<Output = Result<T, sqlx::Error>>,
{
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        match open().await {
            Err(error) if is_held(&error) && Instant::now() < deadline => {
                tokio::time::sleep(RETRY_AFTER).await;
            }
            opened => return opened.map_err(|error| unopened(url, &error)),
        }
    }
}

/// The primary result code, which is the low byte of the extended one.
fn primary_code(error: &sqlx::Error) -> Option<i64> {
    const PRIMARY: i64 = 0xff;

    let code = error.as_database_error()?.code()?;
    code.parse::<i64>().ok().map(|code| code & PRIMARY)
}

fn is_held(error: &sqlx::Error) -> bool {
    const BUSY: i64 = 5;
    const LOCKED: i64 = 6;

    matches!(primary_code(error), Some(BUSY | LOCKED))
}

fn unopened(url: &str, error: &sqlx::Error) -> RepositoryError {
    const NOT_A_DATABASE: i64 = 26;

    if primary_code(error) == Some(NOT_A_DATABASE) {
        return RepositoryError::Address(format!(
            "{url} is not a database: name a SQLite file, or one that is not there yet"
        ));
    }
    let advice = if is_held(error) {
        "another connection holds it: wait until that one is done, and open it again"
    } else {
        "its folder must exist and be writable"
    };
    RepositoryError::Unavailable(format!("{url} cannot be opened ({error}): {advice}").into())
}
