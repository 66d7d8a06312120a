//! An orchestrator's retries, checked against the longest lease at start-up (R31).

use std::time::Duration;

/// The waits between an orchestrator's attempts, in order. No wait means no second attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryPlan {
    gaps: Vec<Duration>,
}

/// A plan whose last attempt would meet the lease of a worker that died.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the last attempt comes {gap:?} after the one before it, and a lease may run {lease:?}: a worker that dies then \
     ends the run. Make the last gap longer than the lease, or wait out `ClaimInFlight` by its retry-after without \
     spending an attempt"
)]
pub struct RetryPlanError {
    /// The gap before the last attempt.
    pub gap: Duration,
    /// The longest lease.
    pub lease: Duration,
}

impl RetryPlan {
    /// A plan by its gaps.
    #[must_use]
    pub fn of_gaps(gaps: impl IntoIterator<Item = Duration>) -> Self {
        Self {
            gaps: gaps.into_iter().collect(),
        }
    }

    /// Refuses a plan in which the gap before the last attempt does not outlast the lease.
    pub(crate) fn check(&self, lease: Duration) -> Result<(), RetryPlanError> {
        match self.gaps.last() {
            Some(gap) if *gap <= lease => Err(RetryPlanError { gap: *gap, lease }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(gaps: &[u64]) -> RetryPlan {
        RetryPlan::of_gaps(gaps.iter().map(|s| Duration::from_secs(*s)))
    }

    /// hazards P6: what matters is the gap before the last attempt, not the sum.
    #[test]
    fn a_retry_plan_whose_last_gap_is_within_the_longest_lease_is_refused() {
        let lease = Duration::from_secs(75);
        for gaps in [&[1, 2, 4, 8][..], &[60, 60], &[10, 20, 40, 75]] {
            assert!(plan(gaps).check(lease).is_err(), "{gaps:?}");
        }
        for gaps in [&[][..], &[10, 20, 40, 80], &[76]] {
            assert!(plan(gaps).check(lease).is_ok(), "{gaps:?}");
        }
        assert!(
            plan(&[10, 20, 40, 80])
                .check(Duration::from_secs(135))
                .is_err()
        );
        assert!(
            plan(&[30, 60, 120, 240])
                .check(Duration::from_secs(135))
                .is_ok()
        );
    }
}
