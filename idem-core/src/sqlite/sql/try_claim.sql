-- Claims a key that nobody holds. Zero rows: the key is taken; read it with get.sql.
INSERT INTO agent_idempotency_keys (
    id, organization_id, scope, key, key_text, request_hash, hash_version, status, lease_token,
    attempt, claimed_at, first_claimed_at, lease_expires_at, retain_until, dispatched_at,
    first_dispatched_at, epoch_started_at, run_id, principal, trace_id, input
) VALUES (
    $1, $2, $3, $4, $5, $6, $7, 'processing', $8,
    1, (SELECT now_ms FROM agent_clock), (SELECT now_ms FROM agent_clock), (SELECT now_ms FROM agent_clock) + $9, (SELECT now_ms FROM agent_clock) + max($10, $9), CASE WHEN $11 THEN (SELECT now_ms FROM agent_clock) END,
    CASE WHEN $11 THEN (SELECT now_ms FROM agent_clock) END, CASE WHEN $11 THEN (SELECT now_ms FROM agent_clock) END, $12, $13, $14, $15
)
ON CONFLICT (organization_id, scope, key) DO NOTHING
RETURNING id, request_hash, hash_version, status, lease_token, attempt, epoch, epoch_started_at, doubt,
       claimed_at, first_claimed_at, dispatched_at, first_dispatched_at, completed_at, outcome_kind,
       response, response_encoding, resource_type, resource_id, settled_as, settled_at, settled_by,
       settled_response, run_id, principal, trace_id,
       lease_expires_at > (SELECT now_ms FROM agent_clock) AS live, retain_until > (SELECT now_ms FROM agent_clock) AS kept,
       (lease_expires_at - (SELECT now_ms FROM agent_clock)) * 1000 AS lease_left_us,
       ((SELECT now_ms FROM agent_clock) - epoch_started_at) * 1000 AS epoch_age_us
