-- Begins the transaction in which an effect and its answer commit together, as the writer from the start, so
-- that it cannot fail later for want of the lock. Its five seconds are kept by the caller: SQLite has no limit
-- of its own. Zero rows, always.
BEGIN IMMEDIATE;
SAVEPOINT idem_effect
