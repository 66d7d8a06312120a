//! Where a worker waits to be killed.

use std::future::pending;

use crate::protocol::{Event, Point, announce};

/// The point at which this worker was told to stop, if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stops(pub(crate) Option<Point>);

impl Stops {
    /// Says where the worker is and waits for its end, if this is the point it was sent to.
    pub(crate) async fn reach(self, point: Point) {
        if self.0 == Some(point) {
            announce(&Event::At { point });
            pending::<()>().await;
        }
    }
}
