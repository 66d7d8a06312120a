-- Stores a message at the next place of its run. Zero rows: its id or that place is taken, or the run has
-- ended.
INSERT INTO agent_run_messages (organization_id, run_id, message_id, place, kind, body, received_at)
SELECT r.organization_id, r.run_id, $3,
       coalesce((SELECT max(m.place) FROM agent_run_messages AS m
                  WHERE m.organization_id = $1 AND m.run_id = $2), 0) + 1,
       $4, $5, (SELECT now_ms FROM agent_clock)
  FROM agent_runs AS r
 WHERE r.organization_id = $1 AND r.run_id = $2 AND r.ended_at IS NULL
ON CONFLICT DO NOTHING
RETURNING run_id, place, message_id, kind, body, received_at
