//! Numbers from a seed: the same seed is the same plan and the same made-up conversations.

use idem_tools::plane::identity::free_text_key;

/// A source of numbers.
#[derive(Debug)]
pub(super) struct Dice {
    seed: String,
    thrown: u64,
}

impl Dice {
    /// Dice for one purpose: what one of them throws says nothing about another's.
    pub(super) fn new(seed: u64, purpose: &str) -> Self {
        Self {
            seed: format!("{seed} {purpose}"),
            thrown: 0,
        }
    }

    /// A number below this, which is not 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.thrown += 1;
        let digest = free_text_key(&format!("{} {}", self.seed, self.thrown)).to_string();
        let digits = digest.get(..15).unwrap_or_default();
        u64::from_str_radix(digits, 16).unwrap_or_default() % end.max(1)
    }

    /// One of these.
    pub(super) fn one_of<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let at = self.below(u64::try_from(of.len()).unwrap_or(1));
        of.get(usize::try_from(at).ok()?)
    }

    /// Whether something happens that does so in that many of a hundred cases.
    pub(super) fn percent(&mut self, of_hundred: u64) -> bool {
        self.below(100) < of_hundred
    }
}
