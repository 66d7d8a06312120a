//! Values that the application gives its tools, one of each type.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A value that the application gave with [`IdemBuilder::state`](crate::IdemBuilder::state), as an argument of a tool:
/// `http: State<Http>`. The model is told nothing of it, and it is in no key.
///
/// It is a shared reference: a clone is the same value, and may go with work that outlives the body.
pub struct State<T>(Arc<T>);

impl<T> State<T> {
    /// A value of its own, to call a tool's function by hand.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> From<Arc<T>> for State<T> {
    fn from(shared: Arc<T>) -> Self {
        Self(shared)
    }
}

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: fmt::Debug> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&self.0).finish()
    }
}

/// A value that a tool takes from the application: looked for when the tools are put together, so that a forgotten one
/// is no failure of a call.
#[derive(Clone, Copy)]
pub struct StateNeed {
    id: fn() -> TypeId,
    name: fn() -> &'static str,
}

impl StateNeed {
    /// The need of a value of this type.
    #[must_use]
    pub const fn of<T: Send + Sync + 'static>() -> Self {
        Self {
            id: TypeId::of::<T>,
            name: type_name::<T>,
        }
    }

    /// The type's name, for people.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        (self.name)()
    }
}

impl fmt::Debug for StateNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateNeed({})", self.type_name())
    }
}

/// One value of each type.
#[derive(Default)]
pub(crate) struct StateMap(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl StateMap {
    /// Puts a value in; the later one of a type stays.
    pub(crate) fn put<T: Send + Sync + 'static>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(value));
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }

    pub(crate) fn shared<T: Send + Sync + 'static>(&self) -> Option<State<T>> {
        let shared = self.0.get(&TypeId::of::<T>())?.clone();
        shared.downcast().ok().map(State)
    }

    /// The first of the needs that nothing here meets.
    pub(crate) fn missing(&self, needs: &[StateNeed]) -> Option<StateNeed> {
        let is_missing = |need: &&StateNeed| !self.0.contains_key(&(need.id)());
        needs.iter().find(is_missing).copied()
    }
}

impl fmt::Debug for StateMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateMap({} values)", self.0.len())
    }
}
