//! For tests and demonstrations, never for production (feature `testing`).

use crate::idem::IdemBuilder;
use std::time::Duration;

impl IdemBuilder {
    /// Makes leases shorter than they are safe: each is the tool's timeout and this. For tests that kill a worker and
    /// go on at once.
    pub fn lease_margin(mut self, margin: Duration) -> Self {
        self.margin = margin;
        self
    }
}
