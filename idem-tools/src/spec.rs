//! What a tool declares about itself: facts that the macro writes down and the runtime obeys.

use idem_core::canonical::KeyPaths;
use std::time::Duration;

/// The longest timeout a tool may declare: one step's budget, in seconds (R28).
pub const TIMEOUT_S_MAX: u64 = 120;

/// What a takeover in doubt does, and so what the tool may promise (R32).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// It only looks. No claim is taken, and a takeover runs it again.
    Read,
    /// The vendor keeps our key for `window`: the call is sent again with the same key inside it.
    Keyed {
        /// How long the vendor remembers a key, from the first dispatch.
        window: Duration,
    },
    /// It is rows of the application's own tables in the store's database, and commits together with its answer: there
    /// is nothing to be in doubt about.
    Transactional,
    /// The vendor is asked what became of an earlier attempt before anything is sent again.
    Reconcile,
    /// It is never sent a second time. The default for whatever declares nothing.
    AtMostOnce,
}

/// The words of the effect classes there are.
#[cfg(feature = "policy-file")]
pub(crate) const EFFECT_WORDS: [&str; 5] = [
    Effect::Read.word(),
    Effect::Keyed {
        window: Duration::ZERO,
    }
    .word(),
    Effect::Transactional.word(),
    Effect::Reconcile.word(),
    Effect::AtMostOnce.word(),
];

impl Effect {
    /// The word of the `effect = "…"` option.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Keyed { .. } => "keyed",
            Self::Transactional => "transactional",
            Self::Reconcile => "reconcile",
            Self::AtMostOnce => "at_most_once",
        }
    }
}

/// Whether a person is asked before the tool runs. A policy's denial stands above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ApprovalRule {
    /// Where the policy says so.
    #[default]
    Policy,
    /// Always, also where no policy is set.
    Always,
    /// Never: a policy that would ask allows this tool. Its denial stands.
    Never,
}

/// What the second of two equal calls of one turn is (R26).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OnRepeat {
    /// The same effect: it gets the first one's answer.
    #[default]
    Merge,
    /// An effect of its own, by its place among the equal calls that were proposed. Only where proposals are journaled,
    /// since a turn that is sampled anew would shift the places.
    Count,
}

/// The facts of one tool. Built in a constant, so that a wrong one does not compile.
#[derive(Clone, Copy, Debug)]
pub struct ToolSpec {
    name: &'static str,
    scope: &'static str,
    timeout_s: u64,
    description: &'static str,
    effect: Effect,
    effect_declared: bool,
    marks_dispatch: bool,
    approval: ApprovalRule,
    reconciles: bool,
    key: Option<KeyPaths>,
    is_natural: bool,
    intent: Option<&'static str>,
    on_repeat: OnRepeat,
    serial: bool,
}

impl ToolSpec {
    /// States a tool's name, scope and timeout in seconds.
    ///
    /// # Panics
    ///
    /// In a constant this is a compile error: a name that is not 1 to 64 of `A-Z a-z 0-9 _ -`, a scope that is not
    /// `tool.<word>(.<word>)+` in lower case, or a timeout outside 1 to 120 seconds (R28).
    #[must_use]
    #[allow(clippy::panic)]
    pub const fn new(name: &'static str, scope: &'static str, timeout_s: u64) -> Self {
        assert!(
            name_is_valid(name),
            "a tool's name is 1 to 64 of A-Z a-z 0-9 _ -"
        );
        assert!(
            scope_is_valid(scope),
            "a tool's scope is `tool.<word>(.<word>)+` in lower case"
        );
        assert!(
            timeout_s >= 1 && timeout_s <= TIMEOUT_S_MAX,
            "a tool's timeout is 1 to 120 seconds: the budget of one step"
        );
        Self {
            name,
            scope,
            timeout_s,
            description: "",
            effect: Effect::AtMostOnce,
            effect_declared: false,
            marks_dispatch: false,
            approval: ApprovalRule::Policy,
            reconciles: false,
            key: None,
            is_natural: false,
            intent: None,
            on_repeat: OnRepeat::Merge,
            serial: false,
        }
    }

    /// What the model is told the tool does.
    #[must_use]
    pub const fn description(mut self, text: &'static str) -> Self {
        self.description = text;
        self
    }

    /// Declares the effect class. Without it the tool is [`Effect::AtMostOnce`].
    #[must_use]
    pub const fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self.effect_declared = true;
        self
    }

    /// The tool calls [`ToolContext::dispatching`](crate::ToolContext::dispatching) just before the wire.
    #[must_use]
    pub const fn marks_dispatch(mut self) -> Self {
        self.marks_dispatch = true;
        self
    }

    /// Says when a person is asked.
    #[must_use]
    pub const fn approval(mut self, rule: ApprovalRule) -> Self {
        self.approval = rule;
        self
    }

    /// When a person is asked.
    #[must_use]
    pub const fn approval_rule(&self) -> ApprovalRule {
        self.approval
    }

    /// The tool has a look-up, [`Tool::reconcile`](crate::Tool::reconcile). Declares [`Effect::Reconcile`], unless the
    /// effect is keyed: then it is asked once the vendor's window is over.
    #[must_use]
    pub const fn reconciles(mut self) -> Self {
        self.reconciles = true;
        if !matches!(self.effect, Effect::Keyed { .. }) {
            self.effect = Effect::Reconcile;
        }
        self.effect_declared = true;
        self
    }

    /// Names the identity arguments, each as the names that lead to it. The others are checked: in the request hash and
    /// not in the key (R24).
    #[must_use]
    pub const fn key(mut self, paths: KeyPaths) -> Self {
        self.key = Some(paths);
        self
    }

    /// Names the identity arguments, as [`ToolSpec::key`] does, of an effect that is one whoever asks and in whatever turn:
    /// publishing revision 12 of a page (R25). Its answer is remembered for the scope's retention.
    #[must_use]
    pub const fn natural_key(mut self, paths: KeyPaths) -> Self {
        self.key = Some(paths);
        self.is_natural = true;
        self
    }

    /// Names the field whose text, where it is given, is the call's intent and stands in the key in place of the
    /// arguments (R26).
    #[must_use]
    pub const fn intent(mut self, field: &'static str) -> Self {
        self.intent = Some(field);
        self
    }

    /// Says what the second of two equal calls of one turn is.
    #[must_use]
    pub const fn on_repeat(mut self, on_repeat: OnRepeat) -> Self {
        self.on_repeat = on_repeat;
        self
    }

    /// The calls of one response run one after the other.
    #[must_use]
    pub const fn serial(mut self) -> Self {
        self.serial = true;
        self
    }

    /// The identity arguments; `None` where every argument is one.
    #[must_use]
    pub const fn key_paths(&self) -> Option<KeyPaths> {
        self.key
    }

    /// Whether the identity arguments alone name the effect, without the turn (R25).
    #[must_use]
    pub const fn has_natural_key(&self) -> bool {
        self.is_natural
    }

    /// The field that holds the call's intent.
    #[must_use]
    pub const fn intent_field(&self) -> Option<&'static str> {
        self.intent
    }

    /// What the second of two equal calls of one turn is.
    #[must_use]
    pub const fn repeats(&self) -> OnRepeat {
        self.on_repeat
    }

    /// Whether the calls of one response run one after the other.
    #[must_use]
    pub const fn is_serial(&self) -> bool {
        self.serial
    }

    /// The name the model calls; part of the identity (R20).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The kind of effect, `tool.email.send`.
    #[must_use]
    pub const fn scope(&self) -> &'static str {
        self.scope
    }

    /// The longest that one execution may take.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_s)
    }

    /// What the model is told the tool does; empty where nothing was written.
    #[must_use]
    pub const fn description_text(&self) -> &'static str {
        self.description
    }

    /// The effect class.
    #[must_use]
    pub const fn effect_class(&self) -> Effect {
        self.effect
    }

    /// Whether the class was written down, or is the default.
    #[must_use]
    pub const fn effect_is_declared(&self) -> bool {
        self.effect_declared
    }

    /// Whether the tool marks its dispatch itself.
    #[must_use]
    pub const fn marks_its_dispatch(&self) -> bool {
        self.marks_dispatch
    }

    /// Whether the tool has a look-up.
    #[must_use]
    pub const fn has_look_up(&self) -> bool {
        self.reconciles
    }

    /// How long a look-up may take: a third of the timeout, and at least a second.
    #[must_use]
    pub const fn look_up_time(&self) -> Duration {
        let third = self.timeout_s / 3;
        Duration::from_secs(if third == 0 { 1 } else { third })
    }

    /// The time that one claim may need for its work: the timeout, and the look-up before it where there is one. The
    /// lease is this and a margin.
    #[must_use]
    pub const fn longest_work(&self) -> Duration {
        if self.reconciles {
            self.timeout().saturating_add(self.look_up_time())
        } else {
            self.timeout()
        }
    }

    /// Whether a claim alone says that the effect may begin. Not where the tool marks its dispatch, and not where the
    /// effect is a transaction: what did not commit did not happen, so a takeover of it is never in doubt.
    #[must_use]
    pub const fn claim_dispatches(&self) -> bool {
        !self.marks_dispatch && !matches!(self.effect, Effect::Transactional)
    }
}

const fn name_is_valid(name: &str) -> bool {
    let bytes = name.as_bytes();
    if bytes.is_empty() || bytes.len() > 64 {
        return false;
    }
    let mut at = 0;
    while at < bytes.len() {
        if !(bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_' || bytes[at] == b'-') {
            return false;
        }
        at += 1;
    }
    true
}

/// `tool.<word>(.<word>)+`, a word being a lower-case letter followed by lower-case letters, digits or `_`.
const fn scope_is_valid(scope: &str) -> bool {
    let bytes = scope.as_bytes();
    if bytes.len() > 128 || bytes.len() < 5 {
        return false;
    }
    let head = b"tool.";
    let mut at = 0;
    while at < head.len() {
        if bytes[at] != head[at] {
            return false;
        }
        at += 1;
    }
    let mut words = 0;
    let mut word_len = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'.' {
            if word_len == 0 {
                return false;
            }
            words += 1;
            word_len = 0;
        } else if byte.is_ascii_lowercase()
            || (word_len > 0 && (byte.is_ascii_digit() || byte == b'_'))
        {
            word_len += 1;
        } else {
            return false;
        }
        at += 1;
    }
    word_len > 0 && words >= 1
}
