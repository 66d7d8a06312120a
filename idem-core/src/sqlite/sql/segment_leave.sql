-- Ends the owner's lease and says how the run goes on: it rests no longer than it may last. Zero rows: it is another's, or the run has ended.
UPDATE agent_runs
   SET segment_expires_at = NULL,
       status = $4,
       waits_for = $5,
       due_at = min((SELECT now_ms FROM agent_clock) + $6, deadline_at),
       failures = $7
 WHERE organization_id = $1 AND run_id = $2
   AND segment_token = $3
   AND ended_at IS NULL
RETURNING organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > (SELECT now_ms FROM agent_clock), false) AS live,
       coalesce((segment_expires_at - (SELECT now_ms FROM agent_clock)) * 1000, 0) AS lease_left_us,
       (deadline_at - (SELECT now_ms FROM agent_clock)) * 1000 AS time_left_us
