//! The verbs that only look.

use super::PostgresStore;

crate::stores::inspection::bind_inspection!(PostgresStore);
