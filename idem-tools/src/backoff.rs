//! How long to wait before something is tried again.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// The wait before an attempt, from the second on: doubled with each, up to a bound, and a quarter more or less, so that
/// those who failed together do not come back together.
pub(crate) fn spread(first: Duration, last: Duration, attempt: u32) -> Duration {
    let doublings = attempt.saturating_sub(2).min(16);
    let wait = first.saturating_mul(1 << doublings).min(last);
    let part = RandomState::new().build_hasher().finish() % 501;
    wait.saturating_mul(u32::try_from(750 + part).unwrap_or(1000)) / 1000
}
