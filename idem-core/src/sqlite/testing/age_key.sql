-- Moves every instant of one key's row back, so that the row keeps its own order in time. NULL stays NULL.
-- Zero rows: there is no such row.
UPDATE agent_idempotency_keys
   SET claimed_at = claimed_at - $1,
       first_claimed_at = first_claimed_at - $1,
       lease_expires_at = lease_expires_at - $1,
       retain_until = retain_until - $1,
       completed_at = completed_at - $1,
       dispatched_at = dispatched_at - $1,
       first_dispatched_at = first_dispatched_at - $1,
       epoch_started_at = epoch_started_at - $1,
       settled_at = settled_at - $1
 WHERE organization_id = $2 AND scope = $3 AND key = $4
