-- Begins and abandons a write, so that a file that cannot be written to is found at the start. Zero rows,
-- always.
BEGIN IMMEDIATE;
ROLLBACK
