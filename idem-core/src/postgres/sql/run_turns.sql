-- A run's turns, in their order. Zero rows: none was begun.
SELECT number, turn, upto, began_at, ended_at
  FROM agent.run_turns
 WHERE organization_id = $1 AND run_id = $2
 ORDER BY number
