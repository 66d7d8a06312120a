//! Tools by name: a typed tool becomes a `dyn` one here, and nowhere else.

use crate::call::ToolFailure;
use crate::envelope::Encoded;
use crate::export::Lenience;
use crate::fingerprint::Fingerprint;
use crate::input::{Forms, decode, invalid};
use crate::output;
use crate::policy_check::Misfit;
use crate::store_type::{name_of, sealed::Kind};
use crate::{
    AnyStore, Effect, LEASE_MARGIN, OnRepeat, Reconciled, StateNeed, StoreType, Tool, ToolContext,
    ToolError, ToolSpec,
};
use idem_core::canonical::{Canonical, intent_fault, key_fault};
use idem_core::identity::ToolName;
use idem_core::json::ser::to_json;
use idem_core::json::{Json, Limits};
use idem_core::{Scope, Store};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// An answer that is longer than a row takes is still written up to here, so that its digest can be kept.
const ANSWER_LIMITS: Limits = Limits {
    bytes: 8 * Limits::ANSWER.bytes,
    ..Limits::ANSWER
};

/// What a body ends with: an answer that is ready to be stored, or a failure.
pub(crate) type BodyResult = Result<Encoded, ToolError>;

/// What a look-up ends with.
pub(crate) type Found = Result<Reconciled<Encoded>, ToolError>;

type Running<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A tool with its input inside.
pub(crate) trait AnyBody: Send {
    /// Executes it.
    fn run(self: Box<Self>, context: ToolContext) -> Running<BodyResult>;

    /// Asks what became of an earlier attempt, and gives itself back.
    fn look_up(self: Box<Self>, context: ToolContext) -> Running<(Found, Body)>;
}

/// A body, ready to run once.
pub(crate) type Body = Box<dyn AnyBody>;

struct TypedBody<T: Tool> {
    input: T::Input,
}

impl<T: Tool> AnyBody for TypedBody<T> {
    fn run(self: Box<Self>, context: ToolContext) -> Running<BodyResult> {
        Box::pin(async move {
            let context = context.for_tool::<T>();
            let output = T::call(&context, self.input).await?;
            Ok(output::encode(&output, T::OUTPUT, ANSWER_LIMITS))
        })
    }

    fn look_up(self: Box<Self>, context: ToolContext) -> Running<(Found, Body)> {
        Box::pin(async move {
            let context = context.for_tool::<T>();
            let found = T::reconcile(&context, &self.input).await;
            let found = found.map(|found| match found {
                Reconciled::Happened(answer) => {
                    Reconciled::Happened(output::encode(&answer, T::OUTPUT, ANSWER_LIMITS))
                }
                Reconciled::DidNotHappen => Reconciled::DidNotHappen,
                Reconciled::StillUnknown => Reconciled::StillUnknown,
            });
            (found, self as Body)
        })
    }
}

/// A call that was decoded: its forms, and the body to run.
pub(crate) struct Prepared {
    pub(crate) forms: Forms,
    pub(crate) body: Body,
}

/// A tool whose types were forgotten.
pub(crate) trait AnyTool: Send + Sync {
    fn spec(&self) -> &ToolSpec;
    fn name(&self) -> &ToolName;
    fn scope(&self) -> &Scope;
    fn prepare(&self, arguments: &Json) -> Result<Prepared, ToolFailure>;
    fn input_schema(&self) -> schemars::Schema;
    fn fingerprint(&self) -> &Fingerprint;
    fn state(&self) -> &'static [StateNeed];
    fn check_store(&self, store: &dyn Store) -> Result<(), SetupError>;
}

struct Typed<T> {
    spec: ToolSpec,
    name: ToolName,
    scope: Scope,
    fingerprint: Fingerprint,
    lenience: Lenience,
    tool: PhantomData<fn() -> T>,
}

impl<T: Tool> AnyTool for Typed<T> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn name(&self) -> &ToolName {
        &self.name
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }

    fn prepare(&self, arguments: &Json) -> Result<Prepared, ToolFailure> {
        let left = self.lenience.left_out(arguments);
        let arguments = left.as_ref().unwrap_or(arguments);
        let (input, forms) = decode::<T::Input>(arguments, &self.spec)?;
        if let Some(broken) = self.lenience.broken_bound(arguments) {
            return Err(invalid(&broken));
        }
        let body: Body = Box::new(TypedBody::<T> { input });
        Ok(Prepared { forms, body })
    }

    fn input_schema(&self) -> schemars::Schema {
        schemars::schema_for!(T::Input)
    }

    fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    fn state(&self) -> &'static [StateNeed] {
        T::STATE
    }

    fn check_store(&self, store: &dyn Store) -> Result<(), SetupError> {
        if T::Store::is(store) {
            return Ok(());
        }
        Err(SetupError::AnotherStore {
            tool: self.spec.name().to_owned(),
            needs: T::Store::NAME,
            opened: name_of(store),
        })
    }
}

/// Why a set of tools cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Two tools of one name would be one identity.
    #[error(
        "two tools are named `{0}`: give one of them another name with `#[tool(name = \"…\")]`"
    )]
    TwoToolsOfOneName(String),
    /// An agent without tools is a mistake.
    #[error("no tool was added: write `.tool::<your_tool>()` before `.build()`")]
    NoTools,
    /// A transactional tool's effect is rows of another database than the one that was opened.
    #[error(
        "the tool `{tool}` writes in a transaction of {needs}, and the store that was opened is {opened}: open a \
         {needs} store, or write the tool for `ToolContext<…>` of the one you have"
    )]
    AnotherStore {
        /// The tool's name.
        tool: String,
        /// The store that it is written for.
        needs: &'static str,
        /// The store that was opened.
        opened: &'static str,
    },
    /// A tool takes a value that the application does not give.
    #[error(
        "the tool `{tool}` takes the application's {state}, and there is none: add `.state(…)` to the builder"
    )]
    MissingState {
        /// The tool's name.
        tool: String,
        /// The type that it takes.
        state: &'static str,
    },
    /// A tool counts its equal calls, and nothing here remembers in which order they were proposed.
    #[error(
        "the tool `{tool}` says `on_repeat = \"count\"`, which counts the equal calls in the order of the journaled \
         proposals, and nothing journals them here: leave it out, or let an argument tell the calls apart with \
         `#[tool(intent = …)]`"
    )]
    ProposalsNotJournaled {
        /// The tool's name.
        tool: String,
    },
    /// A rule of the policy names a tool, a scope or an argument that no registered tool has.
    #[error(transparent)]
    Policy(#[from] Misfit),
    /// A run whose worker vanished is taken up again after the longest thing that a step waits for.
    #[error(
        "the model's timeout is {asked:?}, and a run lasts at most {max:?}: a run whose worker vanished would rest so long"
    )]
    ModelTimeout {
        /// What was asked for.
        asked: Duration,
        /// The bound.
        max: Duration,
    },
    /// A hand-written tool declares what the attribute would have refused.
    #[error("the tool `{tool}` cannot be added: {reason}")]
    Declaration {
        /// The tool's name.
        tool: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Tools by name.
#[derive(Default, Clone)]
pub(crate) struct ToolSet {
    tools: BTreeMap<String, Arc<dyn AnyTool>>,
}

impl ToolSet {
    pub(crate) fn add<T: Tool>(&mut self) -> Result<(), SetupError> {
        let spec = T::SPEC;
        let refused = |reason: String| SetupError::Declaration {
            tool: spec.name().to_owned(),
            reason,
        };
        check_effect::<T>(&spec).map_err(|reason| refused(reason.to_owned()))?;
        check_identity::<T>(&spec).map_err(refused)?;
        let name = ToolName::new(spec.name()).map_err(|error| refused(error.to_string()))?;
        let scope = Scope::new(spec.scope()).map_err(|error| refused(error.to_string()))?;
        if let Effect::Keyed { window } = spec.effect_class()
            && window <= spec.timeout() * 2 + LEASE_MARGIN
        {
            return Err(refused(format!(
                "its vendor window of {window:?} ends before a second attempt could: after a lease of {:?} that attempt \
                 may take {:?}. Name a longer window, or a shorter timeout",
                spec.timeout() + LEASE_MARGIN,
                spec.timeout(),
            )));
        }
        let schema = schemars::schema_for!(T::Input);
        let fingerprint = Fingerprint::of(spec.name(), spec.effect_class(), &schema);
        let lenience = Lenience::of(&to_json(&schema).unwrap_or(Json::Null));
        let typed = Typed::<T> {
            spec,
            name,
            scope,
            fingerprint,
            lenience,
            tool: PhantomData,
        };
        if self
            .tools
            .insert(spec.name().to_owned(), Arc::new(typed))
            .is_some()
        {
            return Err(SetupError::TwoToolsOfOneName(spec.name().to_owned()));
        }
        tracing::info!(
            tool = spec.name(),
            scope = spec.scope(),
            effect = spec.effect_class().word(),
            declared = spec.effect_is_declared(),
            timeout = ?spec.timeout(),
            "tool registered"
        );
        Ok(())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<dyn AnyTool>> {
        self.tools.get(name)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<dyn AnyTool>> {
        self.tools.values()
    }

    /// The names, for a message: at most ten.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.tools.keys().take(10).map(String::as_str).collect();
        let more = if self.tools.len() > names.len() {
            ", …"
        } else {
            ""
        };
        format!("{}{more}", names.join(", "))
    }
}

/// What the attribute refuses when it compiles, for a tool that was written by hand.
fn check_effect<T: Tool>(spec: &ToolSpec) -> Result<(), &'static str> {
    let names_a_store = TypeId::of::<T::Store>() != TypeId::of::<AnyStore>();
    match spec.effect_class() {
        Effect::Transactional if !names_a_store => {
            Err("a transactional tool names its store: `type Store = Sqlite` or `Postgres`")
        }
        Effect::Transactional if spec.marks_its_dispatch() || spec.has_look_up() => {
            Err("a transactional tool has nothing to mark and nothing to look up")
        }
        Effect::Transactional => Ok(()),
        _ if names_a_store => Err("only a transactional tool names a store"),
        Effect::Reconcile if !spec.has_look_up() => {
            Err("the effect is declared with `ToolSpec::reconciles`")
        }
        Effect::Read | Effect::AtMostOnce if spec.has_look_up() => {
            Err("a look-up goes with the effects `reconcile` and `keyed`")
        }
        _ => Ok(()),
    }
}

/// The same of what it says about its identity.
fn check_identity<T: Tool>(spec: &ToolSpec) -> Result<(), String> {
    let fields = T::Input::FIELDS;
    for path in spec.key_paths().unwrap_or_default() {
        if let Some(fault) = key_fault(fields, path) {
            let word = if spec.has_natural_key() {
                "natural_key"
            } else {
                "key"
            };
            return Err(format!("`{word}({})`: {}", path.join("."), fault.what));
        }
    }
    if spec.key_paths().is_some_and(<[_]>::is_empty) {
        return Err("a `key` names at least one identity argument".to_owned());
    }
    if let Some(field) = spec.intent_field()
        && let Some(fault) = intent_fault(fields, field)
    {
        return Err(format!("`intent = {field}`: {fault}"));
    }
    let looks_only = spec.effect_class() == Effect::Read;
    if spec.has_natural_key() {
        if looks_only {
            return Err("a read makes no effect that a natural key could name".to_owned());
        }
        if spec.intent_field().is_some() || spec.repeats() == OnRepeat::Count {
            return Err(
                "a natural key names one effect, which an intent or a count would make two"
                    .to_owned(),
            );
        }
    }
    if looks_only && (spec.intent_field().is_some() || spec.repeats() == OnRepeat::Count) {
        return Err("a read makes no effect that an intent or a count could tell apart".to_owned());
    }
    Ok(())
}

/// One tool as a model is told about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name it is called by.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What a takeover in doubt does; the hints of MCP follow from it.
    pub effect: Effect,
    /// Its arguments, as the JSON Schema that their type wrote: the source of every [`export`](Self::export), which is
    /// what a provider is sent.
    pub input_schema: Json,
}

impl ToolDefinition {
    pub(crate) fn of(tool: &dyn AnyTool) -> Self {
        Self {
            name: tool.spec().name().to_owned(),
            description: tool.spec().description_text().to_owned(),
            effect: tool.spec().effect_class(),
            // A schema is a JSON value already; what cannot be written is not a schema.
            input_schema: to_json(&tool.input_schema()).unwrap_or(Json::Bool(true)),
        }
    }
}
