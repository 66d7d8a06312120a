-- Ends this owner's lease, now or a while from now and never later than it would, and keeps the row. Its own
-- mark, an earlier doubt and the epoch change only where the caller says so. Zero rows: the lease moved on.
UPDATE agent_idempotency_keys
   SET lease_expires_at = min(lease_expires_at, (SELECT now_ms FROM agent_clock) + $7),
       dispatched_at = CASE WHEN $4 THEN NULL ELSE dispatched_at END,
       doubt = doubt AND NOT $5,
       epoch = CASE WHEN $6 THEN epoch + 1 ELSE epoch END,
       epoch_started_at = CASE WHEN $6 THEN NULL ELSE epoch_started_at END
 WHERE id = $1
   AND organization_id = $2
   AND lease_token = $3
   AND status = 'processing'
RETURNING id
