-- Moves every instant of every key's row back, of all organizations: the database is a test's own.
-- Zero rows: no key is stored.
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
