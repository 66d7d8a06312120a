//! The verbs on runs.

use super::SqliteStore;

crate::stores::runs::bind_runs!(SqliteStore);

impl SqliteStore {
    /// There is one writer, so nobody else posts meanwhile.
    async fn post(&self, statement: Statement<'_>) -> Result<Vec<Row>, RepositoryError> {
        self.write(statement).await
    }
}
