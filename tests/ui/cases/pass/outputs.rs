//! Answers: text, nothing, what is borrowed for ever, one that names a resource, and what a tool may take and answer
//! without a crate of its own.

use idem_tools::{Date, DateTime, Resource, Time, Tool, ToolContext, ToolError, Uuid, tool, tool_input, tool_output};
use std::borrow::Cow;
use std::collections::BTreeMap;

#[tool_input]
struct When {
    id: Uuid,
    day: Date,
    from: Option<Time>,
    at: Vec<DateTime>,
}

#[tool_output(resource = "crm.company", id = number)]
struct Company {
    number: u64,
    founded: Option<Date>,
}

type Fixed = Cow<'static, str>;

macro_rules! tools {
    ($($name:ident: $answer:ty = |$input:ident| $value:expr;)*) => {$(
        #[tool(scope = "tool.answer.give", timeout_s = 60)]
        async fn $name(_ctx: &ToolContext, $input: When) -> Result<$answer, ToolError> {
            Ok($value)
        }
    )*};
}

tools! {
    text: String = |input| format!("{} {} {:?} {:?}", input.id, input.day.year(), input.from, input.at);
    nothing: () = |input| drop(input);
    fixed: Fixed = |input| if input.at.is_empty() { "never".into() } else { "once".into() };
    count: usize = |input| input.at.len();
    map: BTreeMap<String, Vec<u8>> = |input| BTreeMap::from([(input.day.to_string(), vec![1])]);
    option: Option<Uuid> = |input| Some(input.id);
    company: Company = |input| Company { number: 42, founded: Some(input.day) };
}

fn main() {
    let company = Company { number: 42, founded: None };
    assert!(company.founded.is_none());
    assert_eq!((Company::TYPE, company.resource_id()), ("crm.company", "42".to_owned()));
    let _ = (text::OUTPUT, nothing::OUTPUT, fixed::OUTPUT, count::OUTPUT, map::OUTPUT, option::OUTPUT, company::OUTPUT);
}
