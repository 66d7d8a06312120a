//! Call ids as each provider takes them.

use std::collections::HashSet;

/// Which ids a provider takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::agent) enum IdRule {
    /// Up to 40 printable characters: longer ones are refused.
    OpenAi,
    /// Exactly nine letters and digits.
    Mistral,
    /// Up to 64 letters, digits, `_` and `-`.
    Anthropic,
    /// Any, and none where there is none.
    Gemini,
}

impl IdRule {
    fn takes(self, id: &str) -> bool {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        match self {
            Self::OpenAi => id.len() <= 40 && id.bytes().all(|byte| byte.is_ascii_graphic()),
            Self::Mistral => id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            Self::Anthropic => id.len() <= 64 && id.bytes().all(word),
            Self::Gemini => true,
        }
    }
}

/// The ids of one conversation that is written: no two calls share one, whatever the models sent.
pub(in crate::agent) struct Ids {
    rule: IdRule,
    used: HashSet<String>,
    made: u32,
}

impl Ids {
    pub(in crate::agent) fn new(rule: IdRule) -> Self {
        Self {
            rule,
            used: HashSet::new(),
            made: 0,
        }
    }

    /// The id of the next call: its own where the provider takes it and no call before has it. It depends on what stands
    /// before the call and on nothing behind it. `None` where the form does without.
    pub(in crate::agent) fn next(&mut self, own: Option<&str>) -> Option<String> {
        let own = own.filter(|id| !id.is_empty() && self.rule.takes(id));
        if let Some(id) = own
            && self.used.insert(id.to_owned())
        {
            return Some(id.to_owned());
        }
        (self.rule != IdRule::Gemini).then(|| self.make())
    }

    /// Each round takes another number, so it ends after one more round than there are ids.
    fn make(&mut self) -> String {
        loop {
            self.made = self.made.wrapping_add(1);
            let id = match self.rule {
                IdRule::Mistral => format!("c{:08}", self.made),
                _ => format!("call_{}", self.made),
            };
            if self.used.insert(id.clone()) {
                return id;
            }
        }
    }
}
