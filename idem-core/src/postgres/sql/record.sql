-- Stores an answer without a claim; a row past its retention counts as absent. Zero rows: somebody
-- was first; read the row with get.sql.
INSERT INTO agent.idempotency_keys AS kept (
    id, organization_id, scope, key, key_text, request_hash, hash_version, status, lease_token,
    attempt, claimed_at, first_claimed_at, lease_expires_at, retain_until, completed_at,
    outcome_kind, response, response_encoding, resource_type, resource_id, run_id, principal,
    trace_id, input
) VALUES (
    $1, $2, $3, $4, $5, $6, $7, 'completed', $8,
    1, now(), now(), now(), now() + $9::bigint * interval '1 microsecond', now(),
    $10, $11, $12, $13, $14, $15, $16,
    $17, $18
)
ON CONFLICT (organization_id, scope, key) DO UPDATE
   SET id = excluded.id,
       request_hash = excluded.request_hash,
       hash_version = excluded.hash_version,
       status = excluded.status,
       lease_token = excluded.lease_token,
       attempt = 1,
       epoch = 0,
       epoch_started_at = NULL,
       doubt = false,
       claimed_at = excluded.claimed_at,
       first_claimed_at = excluded.first_claimed_at,
       dispatched_at = NULL,
       first_dispatched_at = NULL,
       lease_expires_at = excluded.lease_expires_at,
       retain_until = excluded.retain_until,
       completed_at = excluded.completed_at,
       outcome_kind = excluded.outcome_kind,
       response = excluded.response,
       response_encoding = excluded.response_encoding,
       resource_type = excluded.resource_type,
       resource_id = excluded.resource_id,
       settled_as = NULL,
       settled_at = NULL,
       settled_by = NULL,
       settled_note = NULL,
       settled_response = NULL,
       run_id = excluded.run_id,
       principal = excluded.principal,
       trace_id = excluded.trace_id,
       input = excluded.input
 WHERE kept.retain_until <= now()
RETURNING id, request_hash, hash_version, status, lease_token, attempt, epoch, epoch_started_at, doubt,
       claimed_at, first_claimed_at, dispatched_at, first_dispatched_at, completed_at, outcome_kind,
       response, response_encoding, resource_type, resource_id, settled_as, settled_at, settled_by,
       settled_response, run_id, principal, trace_id,
       lease_expires_at > now() AS live, retain_until > now() AS kept,
       (extract(epoch FROM lease_expires_at - now()) * 1000000)::bigint AS lease_left_us,
       (extract(epoch FROM now() - epoch_started_at) * 1000000)::bigint AS epoch_age_us
