-- Reads one message, of whichever run. Zero rows: it is not there.
SELECT run_id, place, message_id, kind, body, received_at
  FROM agent_run_messages
 WHERE organization_id = $1 AND message_id = $2
