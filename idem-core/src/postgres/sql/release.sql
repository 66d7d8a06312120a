-- Forgets a claim that made no effect and that no earlier attempt left in doubt. Zero rows: the
-- lease moved on, or the row must be kept for its doubt or its epoch (end_lease.sql).
DELETE FROM agent.idempotency_keys
 WHERE id = $1
   AND organization_id = $2
   AND lease_token = $3
   AND status = 'processing'
   AND NOT doubt
   AND epoch = 0
RETURNING id
