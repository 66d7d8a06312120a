-- Lets one migrator in at a time, for the length of its transaction. One row is always returned.
SELECT pg_advisory_xact_lock(7235419820341)
