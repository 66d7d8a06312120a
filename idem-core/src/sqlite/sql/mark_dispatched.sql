-- Marks, just before the wire, that the effect may begin. Zero rows: the lease moved on; do not send.
UPDATE agent_idempotency_keys
   SET dispatched_at = coalesce(dispatched_at, (SELECT now_ms FROM agent_clock)),
       first_dispatched_at = coalesce(first_dispatched_at, (SELECT now_ms FROM agent_clock)),
       epoch_started_at = coalesce(epoch_started_at, (SELECT now_ms FROM agent_clock))
 WHERE id = $1
   AND organization_id = $2
   AND lease_token = $3
   AND status = 'processing'
RETURNING (lease_expires_at - (SELECT now_ms FROM agent_clock)) * 1000 AS lease_left_us
