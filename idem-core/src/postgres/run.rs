//! The verbs on runs.

use super::{PostgresStore, sort_error};

crate::stores::runs::bind_runs!(PostgresStore);

impl PostgresStore {
    async fn post(&self, statement: Statement<'_>) -> Result<Vec<Row>, RepositoryError> {
        match self.answered(statement).await {
            // The same message came this very moment; nothing of this statement stays.
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Ok(Vec::new()),
            rows => rows.map_err(sort_error),
        }
    }
}
