-- Moves each row whose lease is alive back by what the lease has left and no further, so that no vendor's window
-- closes with it; of all organizations: the database is a test's own. Zero rows: no lease is alive.
UPDATE agent.idempotency_keys
   SET claimed_at = claimed_at - (lease_expires_at - now()),
       first_claimed_at = first_claimed_at - (lease_expires_at - now()),
       lease_expires_at = now(),
       retain_until = retain_until - (lease_expires_at - now()),
       completed_at = completed_at - (lease_expires_at - now()),
       dispatched_at = dispatched_at - (lease_expires_at - now()),
       first_dispatched_at = first_dispatched_at - (lease_expires_at - now()),
       epoch_started_at = epoch_started_at - (lease_expires_at - now()),
       settled_at = settled_at - (lease_expires_at - now())
 WHERE status = 'processing' AND lease_expires_at > now()
