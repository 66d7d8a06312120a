//! The verbs that only look.

use super::SqliteStore;

crate::stores::inspection::bind_inspection!(SqliteStore);
