-- Marks, just before the wire, that the effect may begin. Zero rows: the lease moved on; do not send.
UPDATE agent.idempotency_keys
   SET dispatched_at = coalesce(dispatched_at, now()),
       first_dispatched_at = coalesce(first_dispatched_at, now()),
       epoch_started_at = coalesce(epoch_started_at, now())
 WHERE id = $1
   AND organization_id = $2
   AND lease_token = $3
   AND status = 'processing'
RETURNING (extract(epoch FROM lease_expires_at - now()) * 1000000)::bigint AS lease_left_us
