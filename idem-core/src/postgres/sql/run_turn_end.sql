-- A turn is over. Zero rows: it was already, or it is not there.
UPDATE agent.run_turns
   SET ended_at = now()
 WHERE organization_id = $1 AND run_id = $2 AND number = $3
   AND ended_at IS NULL
RETURNING number, turn, upto, began_at, ended_at
