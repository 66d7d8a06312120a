//! What kind of effect a key belongs to, and how long its answers are remembered (R10).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The longest scope, in bytes (R75).
pub const SCOPE_BYTES_MAX: usize = 128;

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long every `tool.*` and `model.*` answer is remembered: the longest that a run may last (R10, R50).
pub const TOOL_RETENTION: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The families whose retention is a constant. An application cannot register a scope in one of them.
const FAMILIES: [(&str, Duration); 5] = [
    ("tool.", TOOL_RETENTION),
    ("model.", TOOL_RETENTION),
    ("webhook.", DAY),
    ("http.", DAY),
    ("surface.saved_search.", DAY),
];

/// What kind of effect a key belongs to: `tool.email.send`, `webhook.nylas`, `model.turn`.
///
/// A scope carries its retention, so a claim under an unknown scope cannot be written down.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Scope {
    name: Arc<str>,
    retention: Duration,
}

/// Why a scope was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScopeError {
    /// It is not lower-case words joined by dots.
    #[error(
        "`{0}` is not a scope: write two or more lower-case words joined by dots, at most 128 bytes, \
         such as `tool.email.send`"
    )]
    Form(String),
    /// No family of scopes has this beginning.
    #[error(
        "the scope `{0}` is unknown, so its retention is too: scopes begin with `tool.`, `model.`, \
         `webhook.`, `http.` or `surface.saved_search.`; register any other with `Scope::application`"
    )]
    Unknown(String),
    /// The family's retention is a constant.
    #[error(
        "`{0}` belongs to a family whose retention is a constant, so it cannot be registered with another"
    )]
    Reserved(String),
    /// A retention that forgets too early or never.
    #[error("a retention is from one hour to 400 days, and `{0}` asks for {1:?}")]
    Retention(String, Duration),
}

impl Scope {
    /// A scope of a known family.
    ///
    /// # Errors
    ///
    /// [`ScopeError::Form`] and [`ScopeError::Unknown`].
    pub fn new(name: &str) -> Result<Self, ScopeError> {
        check_form(name)?;
        let family = FAMILIES.iter().find(|(prefix, _)| name.starts_with(prefix));
        match family {
            Some((_, retention)) => Ok(Self {
                name: name.into(),
                retention: *retention,
            }),
            None => Err(ScopeError::Unknown(name.to_owned())),
        }
    }

    /// A scope of the application's own, with how long its answers are remembered.
    ///
    /// # Errors
    ///
    /// [`ScopeError::Form`], [`ScopeError::Reserved`] for a known family and [`ScopeError::Retention`].
    pub fn application(name: &str, retention: Duration) -> Result<Self, ScopeError> {
        check_form(name)?;
        if FAMILIES.iter().any(|(prefix, _)| name.starts_with(prefix))
            || name.starts_with("surface.")
        {
            return Err(ScopeError::Reserved(name.to_owned()));
        }
        if retention < HOUR || retention > DAY * 400 {
            return Err(ScopeError::Retention(name.to_owned(), retention));
        }
        Ok(Self {
            name: name.into(),
            retention,
        })
    }

    /// The scope as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// How long an answer under this scope is remembered.
    #[must_use]
    pub fn retention(&self) -> Duration {
        self.retention
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scope({})", self.name)
    }
}

fn check_form(name: &str) -> Result<(), ScopeError> {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    let words = name.split('.').count();
    if name.len() > SCOPE_BYTES_MAX || words < 2 || !name.split('.').all(is_word) {
        let shown: String = name.chars().take(SCOPE_BYTES_MAX).collect();
        return Err(ScopeError::Form(shown));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_and_model_scope_is_remembered_30_days_and_a_webhook_one() {
        for name in ["tool.email.send", "tool.a.b.c2_d", "model.turn"] {
            assert_eq!(Scope::new(name).unwrap().retention(), DAY * 30);
        }
        for name in ["webhook.nylas", "http.orders", "surface.saved_search.start"] {
            assert_eq!(Scope::new(name).unwrap().retention(), DAY);
        }
    }

    #[test]
    fn an_unknown_scope_is_refused_and_an_application_registers_its_own() {
        assert!(matches!(
            Scope::new("report.build"),
            Err(ScopeError::Unknown(_))
        ));
        let own = Scope::application("report.build", DAY * 7).unwrap();
        assert_eq!(own.retention(), DAY * 7);
        assert!(matches!(
            Scope::application("tool.email.send", DAY * 7),
            Err(ScopeError::Reserved(_))
        ));
        assert!(matches!(
            Scope::application("report.build", Duration::from_secs(1)),
            Err(ScopeError::Retention(..))
        ));
    }

    #[test]
    fn a_scope_that_is_not_lower_case_words_is_refused() {
        for name in [
            "",
            "tool",
            "tool.",
            "tool..a",
            "tool.Email",
            "tool.1a",
            "tool.a b",
            "tool.é",
        ] {
            assert!(
                matches!(Scope::new(name), Err(ScopeError::Form(_))),
                "{name}"
            );
        }
        assert!(matches!(
            Scope::new(&format!("tool.{}", "a".repeat(124))),
            Err(ScopeError::Form(_))
        ));
    }
}
