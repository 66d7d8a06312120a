-- Moves each row whose lease is alive back by what the lease has left and no further, so that no vendor's window
-- closes with it; of all organizations: the database is a test's own. Zero rows: no lease is alive.
UPDATE agent_idempotency_keys
   SET claimed_at = claimed_at - (lease_expires_at - (SELECT now_ms FROM agent_clock)),
       first_claimed_at = first_claimed_at - (lease_expires_at - (SELECT now_ms FROM agent_clock)),
       lease_expires_at = (SELECT now_ms FROM agent_clock),
       retain_until = retain_until - (lease_expires_at - (SELECT now_ms FROM agent_clock)),
       completed_at = completed_at - (lease_expires_at - (SELECT now_ms FROM agent_clock)),
       dispatched_at = dispatched_at - (lease_expires_at - (SELECT now_ms FROM agent_clock)),
       first_dispatched_at = first_dispatched_at - (lease_expires_at - (SELECT now_ms FROM agent_clock)),
       epoch_started_at = epoch_started_at - (lease_expires_at - (SELECT now_ms FROM agent_clock)),
       settled_at = settled_at - (lease_expires_at - (SELECT now_ms FROM agent_clock))
 WHERE status = 'processing' AND lease_expires_at > (SELECT now_ms FROM agent_clock)
