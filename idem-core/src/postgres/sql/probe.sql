-- What a connection promises. One row is always returned.
SELECT current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('fsync') AS fsync,
       current_setting('transaction_isolation') AS isolation,
       current_setting('transaction_read_only') AS read_only,
       pg_is_in_recovery() AS replica,
       (SELECT setting::bigint FROM pg_settings WHERE name = 'lock_timeout') AS lock_timeout_ms,
       session_user::text AS role,
       current_database()::text AS database,
       clock_timestamp() AS clock
