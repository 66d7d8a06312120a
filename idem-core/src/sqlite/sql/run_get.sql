-- Reads a run. Zero rows: it is not there.
SELECT organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > (SELECT now_ms FROM agent_clock), false) AS live,
       coalesce((segment_expires_at - (SELECT now_ms FROM agent_clock)) * 1000, 0) AS lease_left_us,
       (deadline_at - (SELECT now_ms FROM agent_clock)) * 1000 AS time_left_us
  FROM agent_runs
 WHERE organization_id = $1 AND run_id = $2
