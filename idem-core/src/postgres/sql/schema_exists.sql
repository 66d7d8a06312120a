-- Whether the migration table is there. One row is always returned.
SELECT to_regclass('agent._idem_migrations') IS NOT NULL AS known
