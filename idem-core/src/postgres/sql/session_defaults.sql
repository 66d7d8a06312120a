-- Gives the sessions of this role in this database a lock timeout shorter than a lease's margin. A role
-- may set its own defaults; where it may not, the start-up check names what is missing. Zero rows, always.
DO $$
BEGIN
    IF (SELECT setting::bigint FROM pg_settings WHERE name = 'lock_timeout') NOT BETWEEN 1 AND 5000 THEN
        EXECUTE format('ALTER ROLE %I IN DATABASE %I SET lock_timeout = ''5s''',
                       session_user, current_database());
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'lock_timeout was not set: the role may not change its own defaults';
END
$$
