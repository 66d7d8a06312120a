//! Reads a row. The store's clock has decided `live`, `kept` and the durations already.

use super::row::{StoredRow, array, corrupt, get, micros, number};
use crate::answer::{Encoding, OutcomeKind, Resource, Response, Settled};
use crate::error::RepositoryError;
use crate::identity::RequestHash;
use crate::record::{ClaimId, LeaseToken, Origin, Record, Status, StoredInput, TraceId};
use std::sync::Arc;
use uuid::Uuid;

pub(crate) fn record(row: &impl StoredRow) -> Result<Record, RepositoryError> {
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
        dispatched_at: row.maybe_instant("dispatched_at")?,
        first_dispatched_at: row.maybe_instant("first_dispatched_at")?,
        claimed_at: row.instant("claimed_at")?,
        first_claimed_at: row.instant("first_claimed_at")?,
        completed_at: row.maybe_instant("completed_at")?,
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
pub(crate) fn record_with_input(row: &impl StoredRow) -> Result<Record, RepositoryError> {
    let bytes: Option<Vec<u8>> = get(row, "input")?;
    let text = bytes.map(String::from_utf8).transpose();
    let text = text.map_err(|_| corrupt("input"))?;
    Ok(Record {
        input: text.map(|text| StoredInput::new(text.into())),
        ..record(row)?
    })
}

fn outcome(row: &impl StoredRow) -> Result<Option<OutcomeKind>, RepositoryError> {
    let word: Option<String> = get(row, "outcome_kind")?;
    word.map(|word| OutcomeKind::from_word(&word).ok_or_else(|| corrupt("outcome_kind")))
        .transpose()
}

fn response(row: &impl StoredRow) -> Result<Option<Response>, RepositoryError> {
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

fn resource(row: &impl StoredRow) -> Result<Option<Resource>, RepositoryError> {
    let kind: Option<String> = get(row, "resource_type")?;
    let id: Option<String> = get(row, "resource_id")?;
    let (Some(kind), Some(id)) = (kind, id) else {
        return Ok(None);
    };
    Resource::new(kind, id)
        .map(Some)
        .map_err(|_| corrupt("resource"))
}

fn settled(row: &impl StoredRow) -> Result<Option<Settled>, RepositoryError> {
    let word: Option<String> = get(row, "settled_as")?;
    let at = row.maybe_instant("settled_at")?;
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

fn origin(row: &impl StoredRow) -> Result<Origin, RepositoryError> {
    let trace: Option<Vec<u8>> = get(row, "trace_id")?;
    Ok(Origin {
        run: get::<Option<String>>(row, "run_id")?.map(Arc::from),
        principal: get::<Option<String>>(row, "principal")?.map(Arc::from),
        trace: trace
            .map(|bytes| array(&bytes, "trace_id").map(TraceId))
            .transpose()?,
    })
}
