-- Moves every instant of one key's row back, so that the row keeps its own order in time. NULL stays NULL.
-- Zero rows: there is no such row.
UPDATE agent.idempotency_keys
   SET claimed_at = claimed_at - $1::bigint * interval '1 microsecond',
       first_claimed_at = first_claimed_at - $1::bigint * interval '1 microsecond',
       lease_expires_at = lease_expires_at - $1::bigint * interval '1 microsecond',
       retain_until = retain_until - $1::bigint * interval '1 microsecond',
       completed_at = completed_at - $1::bigint * interval '1 microsecond',
       dispatched_at = dispatched_at - $1::bigint * interval '1 microsecond',
       first_dispatched_at = first_dispatched_at - $1::bigint * interval '1 microsecond',
       epoch_started_at = epoch_started_at - $1::bigint * interval '1 microsecond',
       settled_at = settled_at - $1::bigint * interval '1 microsecond'
 WHERE organization_id = $2 AND scope = $3 AND key = $4
