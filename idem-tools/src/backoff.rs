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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_of_any_length_is_spread() {
        for attempt in [0, 1, 2, 3, 40, u32::MAX] {
            let wait = spread(Duration::MAX, Duration::MAX, attempt);
            assert!(wait > Duration::from_secs(1 << 40), "{wait:?}");
            assert_eq!(
                spread(Duration::ZERO, Duration::MAX, attempt),
                Duration::ZERO
            );
        }
        let second = Duration::from_secs(1);
        let wait = spread(second, second, 9);
        assert!(wait >= second * 3 / 4 && wait <= second * 5 / 4, "{wait:?}");
    }
}
