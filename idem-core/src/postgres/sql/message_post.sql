-- Stores a message at the next place of its run, under the lock of the run's row, so that no end of the run overlooks it.
-- Zero rows: its id is there already, or the run has ended. A unique violation: its id came this very moment.
WITH placed AS (
    UPDATE agent.runs
       SET last_place = last_place + 1
     WHERE organization_id = $1 AND run_id = $2
       AND ended_at IS NULL
       AND NOT EXISTS (
           SELECT 1 FROM agent.run_messages AS m
            WHERE m.organization_id = $1 AND m.message_id = $3)
    RETURNING last_place
)
INSERT INTO agent.run_messages (organization_id, run_id, message_id, place, kind, body, received_at)
SELECT $1, $2, $3, last_place, $4, $5, now()
  FROM placed
RETURNING run_id, place, message_id, kind, body, received_at
