-- Begins and abandons a write, so that a server that cannot be written to is found at the start. Zero rows,
-- always.
BEGIN READ WRITE;
ROLLBACK
