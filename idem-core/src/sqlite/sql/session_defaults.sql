-- A SQLite file keeps its journal mode; the rest is set on each connection. One row is always returned.
PRAGMA journal_mode = WAL
