-- What this connection promises. One row is always returned.
SELECT (SELECT synchronous FROM pragma_synchronous) AS synchronous,
       (SELECT journal_mode FROM pragma_journal_mode) AS journal_mode,
       (SELECT query_only FROM pragma_query_only) AS query_only,
       (SELECT file FROM pragma_database_list WHERE name = 'main') AS file,
       (SELECT now_ms FROM agent_clock) AS clock_ms
