-- What a run did, by scope. The status is left out, so that a completion touches no index.
CREATE INDEX idempotency_keys_of_a_run
    ON agent.idempotency_keys (organization_id, run_id, scope) WHERE run_id IS NOT NULL;
