//! Reads a row. The store's clock has decided `live`, `kept` and the durations already.

use super::sort_error;
use crate::answer::{Encoding, OutcomeKind, Resource, Response, Settled};
use crate::error::RepositoryError;
use crate::identity::RequestHash;
use crate::record::{ClaimId, LeaseToken, Origin, Record, Status, StoredInput, TraceId};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;
use uuid::Uuid;

pub(super) fn record(row: &SqliteRow) -> Result<Record, RepositoryError> {
    let hash: Vec<u8> = get(row, "request_hash")?;
    let status: String = get(row, "status")?;
    Ok(Record {
        id: ClaimId::from_uuid(get::<Uuid>(row, "id")?),
        request_hash: RequestHash::from_bytes(array(&hash, "request_hash")?),
        hash_version: number(get::<i64>(row, "hash_version")?, "hash_version")?,
        status: Status::from_word(&status).ok_or_else(|| corrupt("status"))?,
        lease_token: LeaseToken::from_uuid(get::<Uuid>(row, "lease_token")?),
        attempt: number(get::<i64>(row, "attempt")?, "attempt")?,
        epoch: number(get::<i64>(row, "epoch")?, "epoch")?,
        doubt: get(row, "doubt")?,
        dispatched_at: maybe_instant(row, "dispatched_at")?,
        first_dispatched_at: maybe_instant(row, "first_dispatched_at")?,
        claimed_at: instant(row, "claimed_at")?,
        first_claimed_at: instant(row, "first_claimed_at")?,
        completed_at: maybe_instant(row, "completed_at")?,
        outcome: outcome(row)?,
        response: response(row)?,
        resource: resource(row)?,
        settled: settled(row)?,
        origin: origin(row)?,
        input: None,
        live: get(row, "live")?,
        kept: get(row, "kept")?,
        lease_left: micros(get(row, "lease_left_us")?),
        epoch_age: get::<Option<i64>>(row, "epoch_age_us")?.map(micros),
    })
}

/// The row with the arguments that it was claimed with.
pub(super) fn record_with_input(row: &SqliteRow) -> Result<Record, RepositoryError> {
    let bytes: Option<Vec<u8>> = get(row, "input")?;
    let text = bytes.map(String::from_utf8).transpose();
    let text = text.map_err(|_| corrupt("input"))?;
    Ok(Record {
        input: text.map(|text| StoredInput::new(text.into())),
        ..record(row)?
    })
}

pub(super) fn get<'r, T>(row: &'r SqliteRow, column: &'static str) -> Result<T, RepositoryError>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(column).map_err(sort_error)
}

/// Instants are milliseconds since 1970.
pub(super) fn instant(
    row: &SqliteRow,
    column: &'static str,
) -> Result<OffsetDateTime, RepositoryError> {
    from_millis(get(row, column)?, column)
}

pub(super) fn maybe_instant(
    row: &SqliteRow,
    column: &'static str,
) -> Result<Option<OffsetDateTime>, RepositoryError> {
    get::<Option<i64>>(row, column)?
        .map(|ms| from_millis(ms, column))
        .transpose()
}

pub(super) fn from_millis(ms: i64, column: &str) -> Result<OffsetDateTime, RepositoryError> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000)
        .map_err(|_| corrupt(column))
}

/// A duration that has passed already is zero.
pub(super) fn micros(us: i64) -> Duration {
    Duration::from_micros(u64::try_from(us).unwrap_or(0))
}

fn outcome(row: &SqliteRow) -> Result<Option<OutcomeKind>, RepositoryError> {
    let word: Option<String> = get(row, "outcome_kind")?;
    word.map(|word| OutcomeKind::from_word(&word).ok_or_else(|| corrupt("outcome_kind")))
        .transpose()
}

fn response(row: &SqliteRow) -> Result<Option<Response>, RepositoryError> {
    let bytes: Option<Vec<u8>> = get(row, "response")?;
    let number: Option<i64> = get(row, "response_encoding")?;
    let (Some(bytes), Some(number)) = (bytes, number) else {
        return Ok(None);
    };
    let number = self::number(number, "response_encoding")?;
    let encoding = Encoding::from_number(number).ok_or_else(|| corrupt("response_encoding"))?;
    Ok(Some(Response {
        bytes: bytes.into(),
        encoding,
    }))
}

fn resource(row: &SqliteRow) -> Result<Option<Resource>, RepositoryError> {
    let kind: Option<String> = get(row, "resource_type")?;
    let id: Option<String> = get(row, "resource_id")?;
    let (Some(kind), Some(id)) = (kind, id) else {
        return Ok(None);
    };
    Resource::new(kind, id)
        .map(Some)
        .map_err(|_| corrupt("resource"))
}

fn settled(row: &SqliteRow) -> Result<Option<Settled>, RepositoryError> {
    let word: Option<String> = get(row, "settled_as")?;
    let at = maybe_instant(row, "settled_at")?;
    let (Some(word), Some(at)) = (word, at) else {
        return Ok(None);
    };
    let response: Option<Vec<u8>> = get(row, "settled_response")?;
    Ok(Some(Settled {
        happened: word == "happened",
        at,
        by: get(row, "settled_by")?,
        response: response.map(Arc::from),
    }))
}

fn origin(row: &SqliteRow) -> Result<Origin, RepositoryError> {
    let trace: Option<Vec<u8>> = get(row, "trace_id")?;
    Ok(Origin {
        run: get::<Option<String>>(row, "run_id")?.map(Arc::from),
        principal: get::<Option<String>>(row, "principal")?.map(Arc::from),
        trace: trace
            .map(|bytes| array(&bytes, "trace_id").map(TraceId))
            .transpose()?,
    })
}

pub(super) fn array<const N: usize>(
    bytes: &[u8],
    column: &str,
) -> Result<[u8; N], RepositoryError> {
    bytes.try_into().map_err(|_| corrupt(column))
}

pub(super) fn number<S, T: TryFrom<S>>(value: S, column: &str) -> Result<T, RepositoryError> {
    T::try_from(value).map_err(|_| corrupt(column))
}

pub(super) fn corrupt(column: &str) -> RepositoryError {
    RepositoryError::Corrupt(format!("column {column}"))
}
