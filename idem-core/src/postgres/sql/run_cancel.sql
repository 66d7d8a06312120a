-- Asks a run to end; the first one who asks is kept. Zero rows: it has ended, or is not there.
UPDATE agent.runs
   SET cancel_requested_at = coalesce(cancel_requested_at, now()),
       cancel_requested_by = coalesce(cancel_requested_by, $3),
       due_at = least(due_at, now())
 WHERE organization_id = $1 AND run_id = $2
   AND ended_at IS NULL
RETURNING organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > now(), false) AS live,
       coalesce((extract(epoch FROM segment_expires_at - now()) * 1000000)::bigint, 0) AS lease_left_us,
       (extract(epoch FROM deadline_at - now()) * 1000000)::bigint AS time_left_us
