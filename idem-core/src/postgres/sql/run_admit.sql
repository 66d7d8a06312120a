-- Admits a run. Zero rows: its id or its start key is there already.
INSERT INTO agent.runs (
    organization_id, run_id, principal, start_key, status, starts_at_once, keeps_open, on_message,
    due_at, created_at, deadline_at, retain_until
) VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8,
    now(), now(), now() + $9::bigint * interval '1 microsecond', now() + $10::bigint * interval '1 microsecond'
)
ON CONFLICT DO NOTHING
RETURNING organization_id, run_id, principal, start_key, status, reason, starts_at_once, keeps_open, on_message, segments, failures,
       segment_token, waits_for, cancel_requested_by, created_at, ended_at,
       coalesce(segment_expires_at > now(), false) AS live,
       coalesce((extract(epoch FROM segment_expires_at - now()) * 1000000)::bigint, 0) AS lease_left_us,
       (extract(epoch FROM deadline_at - now()) * 1000000)::bigint AS time_left_us
