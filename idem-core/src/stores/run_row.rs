//! Reads the rows of a run. The store's clock has decided `live` and the durations already.

use super::row::{StoredRow, get, micros, number};
use crate::approval::ApprovalId;
use crate::error::RepositoryError;
use crate::identity::{LogicalTurn, MessageId, RunId};
use crate::organization::{OrganizationId, Principal};
use crate::runs::{
    MessageKind, NewMessage, OnMessage, RunRecord, RunStatus, RunTurn, SegmentToken, StartKey,
    StoredMessage, corrupt,
};
use uuid::Uuid;

pub(crate) fn run(row: &impl StoredRow) -> Result<RunRecord, RepositoryError> {
    let organization: Uuid = get(row, "organization_id")?;
    let (id, principal): (String, String) = (get(row, "run_id")?, get(row, "principal")?);
    let start_key: Option<String> = get(row, "start_key")?;
    let (status, on_message): (String, String) = (get(row, "status")?, get(row, "on_message")?);
    let waits_for: Option<String> = get(row, "waits_for")?;
    let start_key = start_key.map(StartKey::new).transpose();
    Ok(RunRecord {
        organization: OrganizationId::new(organization).map_err(|_| corrupt("organization"))?,
        run: RunId::new(id).map_err(|_| corrupt("id"))?,
        principal: Principal::new(&principal).map_err(|_| corrupt("principal"))?,
        start_key: start_key.map_err(|_| corrupt("start key"))?,
        status: RunStatus::from_word(&status).ok_or_else(|| corrupt("status"))?,
        reason: get(row, "reason")?,
        starts_at_once: get(row, "starts_at_once")?,
        keeps_open: get(row, "keeps_open")?,
        on_message: OnMessage::from_word(&on_message).ok_or_else(|| corrupt("on_message"))?,
        segments: number(get::<i32>(row, "segments")?, "segments")?,
        failures: number(get::<i32>(row, "failures")?, "failures")?,
        token: get::<Option<Uuid>>(row, "segment_token")?.map(SegmentToken::from_uuid),
        live: get(row, "live")?,
        lease_left: micros(get(row, "lease_left_us")?),
        waits_for: cards(waits_for.as_deref().unwrap_or_default())?,
        cancel_requested_by: get(row, "cancel_requested_by")?,
        created_at: row.instant("created_at")?,
        time_left: micros(get(row, "time_left_us")?),
        ended_at: row.maybe_instant("ended_at")?,
    })
}

/// Ids as 32 hexadecimal digits each, with a comma between two.
fn cards(text: &str) -> Result<Vec<ApprovalId>, RepositoryError> {
    let ids = text.split(',').filter(|id| !id.is_empty());
    ids.map(|id| {
        let id = Uuid::try_parse(id).map_err(|_| corrupt("waits_for"))?;
        Ok(ApprovalId::from_uuid(id))
    })
    .collect()
}

pub(crate) fn message(row: &impl StoredRow) -> Result<StoredMessage, RepositoryError> {
    let (id, kind): (String, String) = (get(row, "message_id")?, get(row, "kind")?);
    let run: String = get(row, "run_id")?;
    Ok(StoredMessage {
        run: RunId::new(run).map_err(|_| corrupt("id"))?,
        place: number(get::<i32>(row, "place")?, "place")?,
        message: NewMessage {
            id: MessageId::new(id).map_err(|_| corrupt("message id"))?,
            kind: MessageKind::from_word(&kind).ok_or_else(|| corrupt("message kind"))?,
            body: get(row, "body")?,
        },
        received_at: row.instant("received_at")?,
    })
}

pub(crate) fn turn(row: &impl StoredRow) -> Result<RunTurn, RepositoryError> {
    Ok(RunTurn {
        number: number(get::<i32>(row, "number")?, "number")?,
        turn: LogicalTurn::stored(get(row, "turn")?),
        upto: number(get::<i32>(row, "upto")?, "upto")?,
        began_at: row.instant("began_at")?,
        ended_at: row.maybe_instant("ended_at")?,
    })
}
