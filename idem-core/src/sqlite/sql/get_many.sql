-- Reads many keys, each with the arguments that it was claimed with. Zero rows: nothing is stored under any of them.
-- `place` counts the keys that were asked for from 1. The cross join reads the keys first and looks each one up.
SELECT asked.key + 1 AS place, kept_row.id, request_hash, hash_version, status, lease_token, attempt, epoch, epoch_started_at, doubt,
       claimed_at, first_claimed_at, dispatched_at, first_dispatched_at, completed_at, outcome_kind,
       response, response_encoding, resource_type, resource_id, settled_as, settled_at, settled_by,
       settled_response, run_id, principal, trace_id, input,
       lease_expires_at > (SELECT now_ms FROM agent_clock) AS live, retain_until > (SELECT now_ms FROM agent_clock) AS kept,
       (lease_expires_at - (SELECT now_ms FROM agent_clock)) * 1000 AS lease_left_us,
       ((SELECT now_ms FROM agent_clock) - epoch_started_at) * 1000 AS epoch_age_us
  FROM json_each($1) AS asked
 CROSS JOIN agent_idempotency_keys AS kept_row
 WHERE kept_row.organization_id = unhex(asked.value ->> 0)
   AND kept_row.scope = CAST(unhex(asked.value ->> 1) AS TEXT)
   AND kept_row.key = unhex(asked.value ->> 2)
