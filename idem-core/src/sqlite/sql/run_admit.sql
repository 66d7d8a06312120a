-- Admits a run. Zero rows: its id or its start key is there already.
INSERT INTO agent_runs (
    organization_id, run_id, principal, start_key, status, starts_at_once, keeps_open, on_message,
    due_at, created_at, deadline_at, retain_until
) VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8,
    (SELECT now_ms FROM agent_clock), (SELECT now_ms FROM agent_clock), (SELECT now_ms FROM agent_clock) + $9, (SELECT now_ms FROM agent_clock) + $10
)
ON CONFLICT DO NOTHING
RETURNING organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > (SELECT now_ms FROM agent_clock), false) AS live,
       coalesce((segment_expires_at - (SELECT now_ms FROM agent_clock)) * 1000, 0) AS lease_left_us,
       (deadline_at - (SELECT now_ms FROM agent_clock)) * 1000 AS time_left_us
