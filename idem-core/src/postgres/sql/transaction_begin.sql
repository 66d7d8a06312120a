-- Begins the transaction in which an effect and its answer commit together. A worker that stalls inside it
-- holds the row for five seconds at most: then the server ends the session. Zero rows, always.
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SET LOCAL statement_timeout = '5s';
SET LOCAL idle_in_transaction_session_timeout = '5s';
SAVEPOINT idem_effect
