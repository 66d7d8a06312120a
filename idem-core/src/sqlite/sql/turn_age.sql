-- How long ago a logical turn began. Zero rows: it has not.
SELECT ((SELECT now_ms FROM agent_clock) - started_at) * 1000 AS age_us
  FROM agent_turns
 WHERE organization_id = $1 AND turn = $2
