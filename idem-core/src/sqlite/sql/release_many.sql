-- Forgets many claims that made no effect and that no earlier attempt left in doubt. Zero rows: each is to be released
-- alone, as a claim without a row here is: its lease moved on, or it must be kept. `$1` is a list of lists of
-- hexadecimal bytes.
DELETE FROM agent_idempotency_keys
 WHERE (id, organization_id, lease_token) IN (
           SELECT unhex(asked.value ->> 0), unhex(asked.value ->> 1), unhex(asked.value ->> 2) FROM json_each($1) AS asked
       )
   AND status = 'processing'
   AND NOT doubt
   AND epoch = 0
RETURNING id
