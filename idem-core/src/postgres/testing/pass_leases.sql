-- Moves each held row back by what its lease has left and no further, so that no vendor's window closes with
-- it; of all organizations: the database is a test's own. Zero rows: no key is held.
UPDATE agent.idempotency_keys
   SET claimed_at = claimed_at - greatest(lease_expires_at - now(), interval '0'),
       first_claimed_at = first_claimed_at - greatest(lease_expires_at - now(), interval '0'),
       lease_expires_at = lease_expires_at - greatest(lease_expires_at - now(), interval '0'),
       retain_until = retain_until - greatest(lease_expires_at - now(), interval '0'),
       completed_at = completed_at - greatest(lease_expires_at - now(), interval '0'),
       dispatched_at = dispatched_at - greatest(lease_expires_at - now(), interval '0'),
       first_dispatched_at = first_dispatched_at - greatest(lease_expires_at - now(), interval '0'),
       epoch_started_at = epoch_started_at - greatest(lease_expires_at - now(), interval '0'),
       settled_at = settled_at - greatest(lease_expires_at - now(), interval '0')
 WHERE status = 'processing'
