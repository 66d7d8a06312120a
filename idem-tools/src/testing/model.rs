//! A model whose every response is written down beforehand.

use super::Proposal;
use crate::ProposedCall;

/// How a re-sampled response differs from the first, though a person would say that it asks for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Resampling {
    /// Every call has a new id.
    NewIds,
    /// The calls of a response stand in another order.
    OtherOrder,
    /// The arguments are the same JSON, written differently.
    OtherSpelling,
    /// The fields that are named as [prose](Proposal::prose) are worded differently. To Idem that is another call: a
    /// test that names a field finds out whether its tool can bear it.
    OtherProse,
    /// A response looks at something first, where the script [says what](ScriptedModel::may_look).
    ExtraRead,
}

impl Resampling {
    /// Every way there is.
    pub const ALL: [Self; 5] = [
        Self::NewIds,
        Self::OtherOrder,
        Self::OtherSpelling,
        Self::OtherProse,
        Self::ExtraRead,
    ];
}

/// A model whose responses are a script: a list of steps, each the calls that it proposes. Plain data; it asks nobody.
#[derive(Clone, Debug, Default)]
pub struct ScriptedModel {
    steps: Vec<Step>,
    sample: u32,
    ways: Vec<Resampling>,
}

#[derive(Clone, Debug, Default)]
struct Step {
    calls: Vec<Proposal>,
    looks: Vec<Proposal>,
}

/// One call of a response as it is said at one sampling.
#[derive(Debug)]
pub(super) struct Said {
    /// Which proposal of its step it says; `None` for an extra read.
    pub(super) origin: Option<usize>,
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) arguments: String,
}

impl Said {
    pub(super) fn proposed(&self) -> ProposedCall {
        ProposedCall::new(&self.id, &self.tool, &self.arguments)
    }
}

impl ScriptedModel {
    /// A model that says nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a step: the calls of its next response.
    #[must_use]
    pub fn step(mut self, calls: impl IntoIterator<Item = Proposal>) -> Self {
        self.steps.push(Step {
            calls: calls.into_iter().collect(),
            looks: Vec::new(),
        });
        self
    }

    /// Adds a read that a re-sampled response of the last step makes before its other calls.
    #[must_use]
    pub fn may_look(mut self, look: Proposal) -> Self {
        if self.steps.is_empty() {
            self.steps.push(Step::default());
        }
        if let Some(step) = self.steps.last_mut() {
            step.looks.push(look);
        }
        self
    }

    /// How many steps there are.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The calls of a step, numbered from 0; none behind the last.
    #[must_use]
    pub fn calls(&self, step: usize) -> Vec<ProposedCall> {
        self.said(step).iter().map(Said::proposed).collect()
    }

    /// The same model, sampled once more: it asks for the same and says it differently, in every way there is.
    #[must_use]
    pub fn resampled(&self) -> Self {
        self.resampled_by(Resampling::ALL)
    }

    /// The same model, sampled once more, with only these differences.
    #[must_use]
    pub fn resampled_by(&self, ways: impl IntoIterator<Item = Resampling>) -> Self {
        Self {
            steps: self.steps.clone(),
            sample: self.sample + 1,
            ways: ways.into_iter().collect(),
        }
    }

    /// The calls of a step as they are said at this sampling.
    pub(super) fn said(&self, step: usize) -> Vec<Said> {
        let Some(script) = self.steps.get(step) else {
            return Vec::new();
        };
        let differs = |way| self.sample > 0 && self.ways.contains(&way);
        let sample = if differs(Resampling::NewIds) {
            self.sample
        } else {
            0
        };
        let say = |origin: Option<usize>, at: usize, call: &Proposal| {
            let kind = if origin.is_some() { "call" } else { "look" };
            Said {
                origin,
                id: format!("{kind}_{sample}_{step}_{at}"),
                tool: call.tool().to_owned(),
                arguments: call.said(self.sample, &self.ways),
            }
        };
        let calls = script.calls.iter().enumerate();
        let mut said: Vec<_> = calls.map(|(at, call)| say(Some(at), at, call)).collect();
        if differs(Resampling::OtherOrder) {
            said.reverse();
        }
        if differs(Resampling::ExtraRead) {
            let looks = script.looks.iter().enumerate();
            let looks = looks.map(|(at, call)| say(None, at, call));
            said.splice(0..0, looks);
        }
        said
    }
}
