-- Reads one message. Zero rows: it is not there.
SELECT place, message_id, kind, body, received_at
  FROM agent_run_messages
 WHERE organization_id = $1 AND run_id = $2 AND message_id = $3
