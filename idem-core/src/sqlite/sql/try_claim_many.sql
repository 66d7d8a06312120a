-- Claims many keys that nobody holds. Zero rows: every key is taken; read them with get.sql. `$1` is a list of lists;
-- bytes and texts in it are hexadecimal.
INSERT INTO agent_idempotency_keys (
    id, organization_id, scope, key, key_text, request_hash, hash_version, status, lease_token,
    attempt, claimed_at, first_claimed_at, lease_expires_at, retain_until, dispatched_at,
    first_dispatched_at, epoch_started_at, run_id, principal, trace_id, input
)
SELECT unhex(asked.value ->> 0), unhex(asked.value ->> 1), CAST(unhex(asked.value ->> 2) AS TEXT), unhex(asked.value ->> 3),
       CAST(unhex(asked.value ->> 4) AS TEXT), unhex(asked.value ->> 5), $2, 'processing', unhex(asked.value ->> 6),
       1, (SELECT now_ms FROM agent_clock), (SELECT now_ms FROM agent_clock), (SELECT now_ms FROM agent_clock) + (asked.value ->> 7),
       (SELECT now_ms FROM agent_clock) + max(asked.value ->> 8, asked.value ->> 7), CASE WHEN asked.value ->> 9 THEN (SELECT now_ms FROM agent_clock) END,
       CASE WHEN asked.value ->> 9 THEN (SELECT now_ms FROM agent_clock) END, CASE WHEN asked.value ->> 9 THEN (SELECT now_ms FROM agent_clock) END,
       CAST(unhex(asked.value ->> 10) AS TEXT), CAST(unhex(asked.value ->> 11) AS TEXT), unhex(asked.value ->> 12),
       unhex(asked.value ->> 13)
  FROM json_each($1) AS asked
 WHERE true
ON CONFLICT (organization_id, scope, key) DO NOTHING
RETURNING id, request_hash, hash_version, status, lease_token, attempt, epoch, epoch_started_at, doubt,
       claimed_at, first_claimed_at, dispatched_at, first_dispatched_at, completed_at, outcome_kind,
       response, response_encoding, resource_type, resource_id, settled_as, settled_at, settled_by,
       settled_response, run_id, principal, trace_id,
       lease_expires_at > (SELECT now_ms FROM agent_clock) AS live, retain_until > (SELECT now_ms FROM agent_clock) AS kept,
       (lease_expires_at - (SELECT now_ms FROM agent_clock)) * 1000 AS lease_left_us,
       ((SELECT now_ms FROM agent_clock) - epoch_started_at) * 1000 AS epoch_age_us
