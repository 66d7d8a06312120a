-- Moves every instant of every key's row back, of all organizations: the database is a test's own.
-- Zero rows: no key is stored.
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
