//! One rule: its conditions, all of which have to hold, and what it decides.

use super::argument::{ArgumentTest, decided_by};
use super::pattern::ScopePattern;
use crate::policy::{Asking, Checkpoint};
use idem_core::Principal;

/// A rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) conditions: Conditions,
    pub(super) outcome: Outcome,
}

/// When a rule matches: each condition that is there. One with several values needs one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conditions {
    pub(super) scope: Option<Vec<ScopePattern>>,
    pub(super) tool: Option<Vec<String>>,
    pub(super) effect: Option<Vec<&'static str>>,
    pub(super) principal: Option<Vec<Principal>>,
    pub(super) arguments: Vec<ArgumentTest>,
    pub(super) first_in_run: Option<bool>,
}

/// What a rule decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Allow,
    Deny(String),
    Ask(Asking),
}

impl Rule {
    /// Whether all holds that the call itself can say; the run's past is asked later. The arguments are looked at only
    /// where the rest leads to them: a rule for one tool says nothing of another's.
    pub(super) fn matches_the_call(&self, checkpoint: &Checkpoint<'_>) -> Result<bool, String> {
        let Conditions {
            scope,
            tool,
            effect,
            principal,
            arguments,
            first_in_run: _,
        } = &self.conditions;
        let scope_holds = any(scope.as_deref(), |pattern| {
            pattern.matches(checkpoint.scope.as_str())
        });
        let holds = scope_holds
            && any(tool.as_deref(), |name| name == checkpoint.tool)
            && any(effect.as_deref(), |word| *word == checkpoint.effect.word())
            && any(principal.as_deref(), |name| name == checkpoint.principal);
        if !holds {
            return Ok(false);
        }
        let tests = arguments.iter().map(|test| test.passes(checkpoint.input));
        decided_by(false, tests)
            .map_err(|why| format!("the rule `{}` cannot be applied: {why}", self.name))
    }
}

/// Whether one of the values holds; a condition that is not there does.
fn any<T>(values: Option<&[T]>, holds: impl Fn(&T) -> bool) -> bool {
    values.is_none_or(|values| values.iter().any(holds))
}
