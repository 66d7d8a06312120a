-- Asks a run to end; the first one who asks is kept. Zero rows: it has ended, or is not there.
UPDATE agent_runs
   SET cancel_requested_at = coalesce(cancel_requested_at, (SELECT now_ms FROM agent_clock)),
       cancel_requested_by = coalesce(cancel_requested_by, $3),
       due_at = min(due_at, (SELECT now_ms FROM agent_clock))
 WHERE organization_id = $1 AND run_id = $2
   AND ended_at IS NULL
RETURNING organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > (SELECT now_ms FROM agent_clock), false) AS live,
       coalesce((segment_expires_at - (SELECT now_ms FROM agent_clock)) * 1000, 0) AS lease_left_us,
       (deadline_at - (SELECT now_ms FROM agent_clock)) * 1000 AS time_left_us
