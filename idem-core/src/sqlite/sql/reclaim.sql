-- Takes a lapsed claim over from the owner that was seen. An earlier dispatch becomes doubt; the
-- retention never shrinks, and what may have been sent keeps its words. Zero rows: taken, completed, released or swept meanwhile; read again.
UPDATE agent_idempotency_keys
   SET lease_token = $6,
       attempt = attempt + 1,
       claimed_at = (SELECT now_ms FROM agent_clock),
       lease_expires_at = (SELECT now_ms FROM agent_clock) + $7,
       retain_until = max(retain_until, (SELECT now_ms FROM agent_clock) + max($8, $7)),
       doubt = doubt OR dispatched_at IS NOT NULL,
       dispatched_at = CASE WHEN $9 THEN (SELECT now_ms FROM agent_clock) END,
       first_dispatched_at = coalesce(first_dispatched_at, CASE WHEN $9 THEN (SELECT now_ms FROM agent_clock) END),
       epoch_started_at = coalesce(epoch_started_at, CASE WHEN $9 THEN (SELECT now_ms FROM agent_clock) END),
       run_id = $10,
       principal = $11,
       trace_id = $12,
       input = CASE WHEN doubt OR dispatched_at IS NOT NULL THEN coalesce(input, $13) ELSE $13 END
 WHERE organization_id = $1 AND scope = $2 AND key = $3
   AND status = 'processing'
   AND request_hash = $4
   AND lease_token = $5
   AND lease_expires_at <= (SELECT now_ms FROM agent_clock)
   AND retain_until > (SELECT now_ms FROM agent_clock)
RETURNING id, request_hash, hash_version, status, lease_token, attempt, epoch, epoch_started_at, doubt,
       claimed_at, first_claimed_at, dispatched_at, first_dispatched_at, completed_at, outcome_kind,
       response, response_encoding, resource_type, resource_id, settled_as, settled_at, settled_by,
       settled_response, run_id, principal, trace_id, input,
       lease_expires_at > (SELECT now_ms FROM agent_clock) AS live, retain_until > (SELECT now_ms FROM agent_clock) AS kept,
       (lease_expires_at - (SELECT now_ms FROM agent_clock)) * 1000 AS lease_left_us,
       ((SELECT now_ms FROM agent_clock) - epoch_started_at) * 1000 AS epoch_age_us
