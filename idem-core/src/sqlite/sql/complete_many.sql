-- Stores many answers. Zero rows: each is to be completed alone, as a claim without a row here is: its lease moved on,
-- or it is stored already. `$1` is a list of lists; bytes and texts in it are hexadecimal.
UPDATE agent_idempotency_keys
   SET status = 'completed',
       completed_at = (SELECT now_ms FROM agent_clock),
       outcome_kind = CAST(unhex(asked.value ->> 3) AS TEXT),
       response = unhex(asked.value ->> 4),
       response_encoding = asked.value ->> 5,
       resource_type = CAST(unhex(asked.value ->> 6) AS TEXT),
       resource_id = CAST(unhex(asked.value ->> 7) AS TEXT)
  FROM json_each($1) AS asked
 WHERE agent_idempotency_keys.id = unhex(asked.value ->> 0)
   AND organization_id = unhex(asked.value ->> 1)
   AND lease_token = unhex(asked.value ->> 2)
   AND status = 'processing'
RETURNING id, completed_at
