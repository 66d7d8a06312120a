//! Everything that a store keeps at the boundaries.

use crate::error::RepositoryError;
use crate::open::{self, OpenMode};
use crate::repository::Store;
use std::sync::Arc;

/// A [`Store`] that keeps the rows of the boundaries too. Both databases do; a store for tests need not.
pub trait BoundaryStore: Store {}

impl<T> BoundaryStore for T where T: Store {}

/// Opens a store by URL as [`open`](crate::open) does, with the same checks, for a program that has a boundary.
///
/// # Errors
///
/// [`RepositoryError`] says what is wrong and what to do.
pub async fn open_boundaries(
    url: &str,
    mode: OpenMode,
) -> Result<Arc<dyn BoundaryStore>, RepositoryError> {
    let store = open::connect(url, mode).await?;
    store.probe().await?;
    Ok(store)
}
