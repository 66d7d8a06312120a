//! The verbs on cards.

use super::SqliteStore;

crate::stores::cards::bind_cards!(SqliteStore);
