//! The verbs on cards.

use super::PostgresStore;

crate::stores::cards::bind_cards!(PostgresStore);
