-- Lets one migrator in at a time, for the length of its transaction. Zero rows, always.
BEGIN IMMEDIATE
