//! Reads a card. The store's clock has decided whether its time is over already.

use super::row::{StoredRow, array, corrupt, get};
use crate::approval::{Approval, ApprovalId, CardStatus, Proposal};
use crate::error::RepositoryError;
use crate::identity::{IdempotencyKey, RequestHash, ShownHash};
use crate::json::{Json, Limits};
use crate::organization::OrganizationId;
use std::sync::Arc;
use uuid::Uuid;

pub(crate) fn approval(row: &impl StoredRow) -> Result<Approval, RepositoryError> {
    let status: String = get(row, "status")?;
    let organization: Uuid = get(row, "organization_id")?;
    Ok(Approval {
        id: ApprovalId::from_uuid(get::<Uuid>(row, "id")?),
        organization: OrganizationId::new(organization).map_err(|_| corrupt("organization_id"))?,
        run: get(row, "run_id")?,
        turn: get(row, "turn")?,
        scope: get(row, "scope")?,
        tool: get(row, "tool")?,
        effect: get(row, "effect")?,
        principal: get(row, "principal")?,
        rule: get(row, "rule")?,
        approvers: approvers(row)?,
        requester_may_decide: get(row, "requester_may_decide")?,
        fingerprint: get(row, "fingerprint")?,
        status: CardStatus::from_word(&status).ok_or_else(|| corrupt("status"))?,
        current: get(row, "current")?,
        proposed: Proposal {
            key: IdempotencyKey::from_bytes(bytes(row, "proposed_key")?),
            hash: RequestHash::from_bytes(bytes(row, "proposed_hash")?),
            shown_hash: ShownHash::from_bytes(bytes(row, "proposed_shown_hash")?),
            input: Arc::from(get::<String>(row, "proposed_input")?),
        },
        effective: Proposal {
            key: IdempotencyKey::from_bytes(bytes(row, "effective_key")?),
            hash: RequestHash::from_bytes(bytes(row, "effective_hash")?),
            shown_hash: ShownHash::from_bytes(bytes(row, "effective_shown_hash")?),
            input: Arc::from(get::<String>(row, "effective_input")?),
        },
        edit_request: get(row, "edit_request")?,
        edit_requested_by: get(row, "edit_requested_by")?,
        edit_refusal: get(row, "edit_refusal")?,
        supersedes: get::<Option<Uuid>>(row, "supersedes")?.map(ApprovalId::from_uuid),
        earlier_denial: get(row, "earlier_denial")?,
        asked_at: row.instant("asked_at")?,
        expires_at: row.instant("expires_at")?,
        decided_at: row.maybe_instant("decided_at")?,
        decided_by: get(row, "decided_by")?,
        reason: get(row, "reason")?,
        spent_at: row.maybe_instant("spent_at")?,
    })
}

fn bytes(row: &impl StoredRow, column: &'static str) -> Result<[u8; 32], RepositoryError> {
    array(&get::<Vec<u8>>(row, column)?, column)
}

fn approvers(row: &impl StoredRow) -> Result<Option<Vec<String>>, RepositoryError> {
    let Some(text) = get::<Option<String>>(row, "approvers")? else {
        return Ok(None);
    };
    let Ok(Json::Array(names)) = Json::parse(&text, Limits::ANSWER) else {
        return Err(corrupt("approvers"));
    };
    let name = |json: Json| match json {
        Json::String(name) => Ok(name),
        _ => Err(corrupt("approvers")),
    };
    names
        .into_iter()
        .map(name)
        .collect::<Result<_, _>>()
        .map(Some)
}
