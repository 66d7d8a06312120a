-- The newest migration that this database has. One row is always returned.
SELECT max(version) AS version FROM _idem_migrations WHERE success
