-- Whether the migration table is there. One row is always returned.
SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_idem_migrations') AS known
