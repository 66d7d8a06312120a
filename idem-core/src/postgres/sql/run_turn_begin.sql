-- Writes down, once, which messages a turn answers. Zero rows: that turn is there already, or the run is
-- another's.
INSERT INTO agent.run_turns (organization_id, run_id, number, turn, upto, began_at)
SELECT r.organization_id, r.run_id, $4, $5, $6, now()
  FROM agent.runs AS r
 WHERE r.organization_id = $1 AND r.run_id = $2
   AND r.segment_token = $3 AND r.ended_at IS NULL
ON CONFLICT DO NOTHING
RETURNING number, turn, upto, began_at, ended_at
