//! Reads a row. The store's clock has decided `live`, `kept` and the durations already.

use super::sort_error;
use crate::answer::{Encoding, OutcomeKind, Resource, Response, Settled};
use crate::error::RepositoryError;
use crate::identity::RequestHash;
use crate::record::{ClaimId, LeaseToken, Origin, Record, Status, StoredInput, TraceId};
use sqlx::Row;
use sqlx::postgres::PgRow;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;
use uuid::Uuid;

pub(super) fn record(row: &PgRow) -> Result<Record, RepositoryError> {
    let hash: Vec<u8> = get(row, "request_hash")?;
    let status: String = get(row, "status")?;
    Ok(Record {
        id: ClaimId::from_uuid(get::<Uuid>(row, "id")?),
        request_hash: RequestHash::from_bytes(array(&hash, "request_hash")?),
        hash_version: number(get::<i16>(row, "hash_version")?, "hash_version")?,
        status: Status::from_word(&status).ok_or_else(|| corrupt("status"))?,
        lease_token: LeaseToken::from_uuid(get::<Uuid>(row, "lease_token")?),
        attempt: number(get::<i32>(row, "attempt")?, "attempt")?,
        epoch: number(get::<i32>(row, "epoch")?, "epoch")?,
        doubt: get(row, "doubt")?,
        dispatched_at: get(row, "dispatched_at")?,
        first_dispatched_at: get(row, "first_dispatched_at")?,
        claimed_at: get(row, "claimed_at")?,
        first_claimed_at: get(row, "first_claimed_at")?,
        completed_at: get(row, "completed_at")?,
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
pub(super) fn record_with_input(row: &PgRow) -> Result<Record, RepositoryError> {
    let bytes: Option<Vec<u8>> = get(row, "input")?;
    let text = bytes.map(String::from_utf8).transpose();
    let text = text.map_err(|_| corrupt("input"))?;
    Ok(Record {
        input: text.map(|text| StoredInput::new(text.into())),
        ..record(row)?
    })
}

pub(super) fn get<'r, T>(row: &'r PgRow, column: &'static str) -> Result<T, RepositoryError>
where
    T: sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
{
    row.try_get(column).map_err(sort_error)
}

/// A duration that has passed already is zero.
pub(super) fn micros(us: i64) -> Duration {
    Duration::from_micros(u64::try_from(us).unwrap_or(0))
}

fn outcome(row: &PgRow) -> Result<Option<OutcomeKind>, RepositoryError> {
    let word: Option<String> = get(row, "outcome_kind")?;
    word.map(|word| OutcomeKind::from_word(&word).ok_or_else(|| corrupt("outcome_kind")))
        .transpose()
}

fn response(row: &PgRow) -> Result<Option<Response>, RepositoryError> {
    let bytes: Option<Vec<u8>> = get(row, "response")?;
    let number: Option<i16> = get(row, "response_encoding")?;
    let (Some(bytes), Some(number)) = (bytes, number) else {
        return Ok(None);
    };
    let encoding = Encoding::from_number(number).ok_or_else(|| corrupt("response_encoding"))?;
    Ok(Some(Response {
        bytes: bytes.into(),
        encoding,
    }))
}

fn resource(row: &PgRow) -> Result<Option<Resource>, RepositoryError> {
    let kind: Option<String> = get(row, "resource_type")?;
    let id: Option<String> = get(row, "resource_id")?;
    let (Some(kind), Some(id)) = (kind, id) else {
        return Ok(None);
    };
    Resource::new(kind, id)
        .map(Some)
        .map_err(|_| corrupt("resource"))
}

fn settled(row: &PgRow) -> Result<Option<Settled>, RepositoryError> {
    let word: Option<String> = get(row, "settled_as")?;
    let at: Option<OffsetDateTime> = get(row, "settled_at")?;
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

fn origin(row: &PgRow) -> Result<Origin, RepositoryError> {
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
