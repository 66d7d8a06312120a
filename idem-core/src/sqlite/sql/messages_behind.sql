-- A run's messages behind a place. Zero rows: there are none.
SELECT run_id, place, message_id, kind, body, received_at
  FROM agent_run_messages
 WHERE organization_id = $1 AND run_id = $2 AND place > $3
 ORDER BY place
