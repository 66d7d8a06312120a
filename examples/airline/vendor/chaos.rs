//! What goes wrong between the airline and its clients, scripted: the same seed breaks the same requests.

use idem_tools::plane::identity::free_text_key;
use serde::{Deserialize, Serialize};

/// A call is not broken more often than this, so that it comes to an end.
pub(crate) const FAULTS_PER_CALL_MAX: u32 = 3;

/// What happens to one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fault {
    /// It is worked, and the connection closes without a reply.
    DropAfter,
    /// It is worked, and the reply comes when nobody waits for it any more.
    Late,
    /// It is refused with 429 and not worked.
    TooManyRequests,
    /// It is worked, and the reply is 502.
    BadGatewayAfter,
    /// It is not worked, and the reply is 502.
    BadGatewayBefore,
    /// It is not worked, and the connection closes without a reply.
    DropBefore,
}

impl Fault {
    const ALL: [Self; 6] = [
        Self::DropAfter,
        Self::Late,
        Self::TooManyRequests,
        Self::BadGatewayAfter,
        Self::BadGatewayBefore,
        Self::DropBefore,
    ];

    /// A fault by its name, as a request's header gives it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        serde_json::from_value(name.into()).ok()
    }
}

/// Which requests break.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chaos {
    pub(crate) seed: u64,
    /// How many of a thousand requests.
    pub(crate) per_mille: u16,
}

impl Chaos {
    /// What happens to the n-th request of a call, from 1. It depends on nothing else: calls that run side by side, in
    /// whatever order they arrive, break in the same way each time.
    pub(crate) fn fault(self, call: &str, nth: u32) -> Option<Fault> {
        if nth > FAULTS_PER_CALL_MAX {
            return None;
        }
        let digest = free_text_key(&format!("{} {nth} {call}", self.seed)).to_string();
        let number = u64::from_str_radix(digest.get(..16)?, 16).ok()?;
        if number % 1000 >= u64::from(self.per_mille) {
            return None;
        }
        let kind = usize::try_from(number / 1000 % 6).ok()?;
        Self::kind(kind)
    }

    fn kind(at: usize) -> Option<Fault> {
        Fault::ALL.get(at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn script(seed: u64, per_mille: u16) -> Vec<Option<Fault>> {
        let chaos = Chaos { seed, per_mille };
        (0..500)
            .map(|call| chaos.fault(&format!("call {call}"), 1))
            .collect()
    }

    #[test]
    fn one_seed_is_one_script() {
        assert_eq!(script(7, 300), script(7, 300));
        assert_ne!(script(7, 300), script(8, 300));
    }

    #[test]
    fn every_fault_comes_and_some_requests_are_left_alone() {
        let script = script(7, 300);
        let faults: BTreeSet<_> = script.iter().flatten().collect();
        assert_eq!(faults.len(), Fault::ALL.len());
        assert!(script.contains(&None));
    }

    #[test]
    fn a_call_comes_to_an_end() {
        let chaos = Chaos {
            seed: 7,
            per_mille: 1000,
        };
        assert!(chaos.fault("a", FAULTS_PER_CALL_MAX).is_some());
        assert_eq!(chaos.fault("a", FAULTS_PER_CALL_MAX + 1), None);
        assert!(script(7, 0).iter().all(Option::is_none));
    }

    #[test]
    fn a_fault_has_a_name() {
        assert_eq!(
            Fault::named("bad-gateway-after"),
            Some(Fault::BadGatewayAfter)
        );
        assert_eq!(Fault::named("x"), None);
    }
}
