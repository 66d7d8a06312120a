//! Tests of a call's arguments. A test that cannot be made is a failure of the policy and not a "no": a rule that guards
//! an amount must not let one pass because it is written as a string.

use super::decimal::Decimal;
use idem_core::json::Json;
use std::fmt;

/// One argument and what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArgumentTest {
    pub(super) path: ArgumentPath,
    pub(super) asks: Asks,
}

/// The place of an argument, `items[any].price`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArgumentPath {
    text: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Field(String),
    Any,
    All,
}

/// What is asked of an argument; all of it has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asks {
    pub(super) one_of: Option<Vec<Plain>>,
    pub(super) over: Option<Decimal>,
    pub(super) under: Option<Decimal>,
    pub(super) missing: Option<bool>,
}

/// A value that has no parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    Text(String),
    Number(Decimal),
    Bool(bool),
}

impl ArgumentPath {
    /// Reads a path. `None`: it has another form.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let (name, lists) = part.split_at(part.find('[').unwrap_or(part.len()));
            if name.is_empty() || name.contains(|c: char| c == ']' || c.is_control()) {
                return None;
            }
            steps.push(Step::Field(name.to_owned()));
            let mut lists = lists;
            while !lists.is_empty() {
                let (step, rest) = match lists.strip_prefix("[any]") {
                    Some(rest) => (Step::Any, rest),
                    None => (Step::All, lists.strip_prefix("[all]")?),
                };
                steps.push(step);
                lists = rest;
            }
        }
        Some(Self {
            text: text.to_owned(),
            steps,
        })
    }
}

impl ArgumentPath {
    /// The name of the argument itself.
    pub(super) fn first(&self) -> &str {
        match self.steps.first() {
            Some(Step::Field(name)) => name,
            _ => &self.text,
        }
    }
}

impl fmt::Display for ArgumentPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl ArgumentTest {
    /// Whether the arguments pass, or why that cannot be said.
    pub(super) fn passes(&self, arguments: &Json) -> Result<bool, String> {
        self.walk(arguments, &self.path.steps)
            .map_err(|why| format!("the argument `{}` {why}", self.path))
    }

    fn walk(&self, value: &Json, steps: &[Step]) -> Result<bool, String> {
        let Some((step, rest)) = steps.split_first() else {
            return self.asks.pass(value);
        };
        match (step, value) {
            // What is not there, and what is null, is missing.
            (_, Json::Null) => Ok(self.asks.missing == Some(true)),
            (Step::Field(name), Json::Object(members)) => match members.get(name) {
                Some(member) => self.walk(member, rest),
                None => Ok(self.asks.missing == Some(true)),
            },
            (Step::Field(name), other) => Err(format!(
                "cannot be looked up: `{name}` is asked of {}, which has no fields",
                kind(other)
            )),
            (Step::Any, Json::Array(items)) => {
                let passes = items.iter().map(|item| self.walk(item, rest));
                decided_by(true, passes)
            }
            (Step::All, Json::Array(items)) => {
                let passes = items.iter().map(|item| self.walk(item, rest));
                Ok(!items.is_empty() && decided_by(false, passes)?)
            }
            (Step::Any | Step::All, other) => Err(format!(
                "cannot be looked up: elements are asked of {}, which is no list",
                kind(other)
            )),
        }
    }
}

/// The answer of many tests, where one answer decides alone; what cannot be tested matters only where nothing decides.
pub(super) fn decided_by(
    alone: bool,
    tests: impl Iterator<Item = Result<bool, String>>,
) -> Result<bool, String> {
    let mut failure = None;
    for test in tests {
        match test {
            Ok(answer) if answer == alone => return Ok(alone),
            Ok(_) => {}
            Err(why) => failure = Some(why),
        }
    }
    failure.map_or(Ok(!alone), Err)
}

impl Asks {
    fn pass(&self, value: &Json) -> Result<bool, String> {
        if value.is_null() {
            return Ok(self.missing == Some(true));
        }
        if self.missing == Some(true) {
            return Ok(false);
        }
        let mut passes = true;
        if let Some(options) = &self.one_of {
            passes &= is_one_of(value, options)?;
        }
        if self.over.is_some() || self.under.is_some() {
            let number = number(value).ok_or_else(|| {
                format!("is {}, and the rule compares it with a number", kind(value))
            })?;
            passes &= self.over.as_ref().is_none_or(|over| number > *over);
            passes &= self.under.as_ref().is_none_or(|under| number < *under);
        }
        Ok(passes)
    }
}

fn is_one_of(value: &Json, options: &[Plain]) -> Result<bool, String> {
    let found = match value {
        Json::String(text) => Plain::Text(text.clone()),
        Json::Bool(truth) => Plain::Bool(*truth),
        Json::Array(_) => {
            return Err("is a list: ask with `[any]` or `[all]` behind its name".to_owned());
        }
        other => match number(other) {
            Some(number) => Plain::Number(number),
            None => return Err(format!("is {}, which equals no plain value", kind(other))),
        },
    };
    let comparable = |option: &&Plain| option.kind() == found.kind();
    match options.iter().find(comparable).or(options.first()) {
        Some(option) if option.kind() != found.kind() => Err(format!(
            "is {}, and the rule compares it with {}",
            found.kind(),
            option.kind()
        )),
        _ => Ok(options.contains(&found)),
    }
}

impl Plain {
    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Number(_) => "a number",
            Self::Bool(_) => "a boolean",
        }
    }
}

fn number(value: &Json) -> Option<Decimal> {
    Decimal::parse(value.as_number()?.as_str())
}

fn kind(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "a list",
        Json::Object(_) => "an object",
    }
}
