//! A gate: what a slow vendor, or a call that is held, waits for.

use tokio::sync::watch;

/// A gate. Stays open once it is opened; clones are the same gate.
#[derive(Debug, Clone)]
pub struct Gate(watch::Sender<bool>);

impl Default for Gate {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Gate {
    /// A closed gate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets everybody through, now and later.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    /// Waits until the gate is open.
    ///
    /// # Cancel safety
    ///
    /// Safe: waiting changes nothing.
    pub async fn opened(&self) {
        // Fails only when every sender is gone, and `self` is one.
        let _ = self.0.subscribe().wait_for(|open| *open).await;
    }
}
