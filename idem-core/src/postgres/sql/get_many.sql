-- Reads many keys, each with the arguments that it was claimed with. Zero rows: nothing is stored under any of them.
-- `place` counts the keys that were asked for from 1.
SELECT place, id, request_hash, hash_version, status, lease_token, attempt, epoch, epoch_started_at, doubt,
       claimed_at, first_claimed_at, dispatched_at, first_dispatched_at, completed_at, outcome_kind,
       response, response_encoding, resource_type, resource_id, settled_as, settled_at, settled_by,
       settled_response, run_id, principal, trace_id, input,
       lease_expires_at > now() AS live, retain_until > now() AS kept,
       (extract(epoch FROM lease_expires_at - now()) * 1000000)::bigint AS lease_left_us,
       (extract(epoch FROM now() - epoch_started_at) * 1000000)::bigint AS epoch_age_us
  FROM unnest($1::uuid[], $2::text[], $3::bytea[]) WITH ORDINALITY AS asked (organization_id, scope, key, place)
  JOIN agent.idempotency_keys USING (organization_id, scope, key)
