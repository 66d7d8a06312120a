-- Ends the savepoint that was set when the transaction began: gone where a statement of the application's has
-- ended that transaction. Zero rows, always.
RELEASE SAVEPOINT idem_effect
