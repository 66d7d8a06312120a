//! The export as a document, and what tells two sets of tools apart.

use idem_tools::export::{Catalogue, ExportError, ToolForm};
use idem_tools::{SetupError, ToolContext, ToolError, tool, tool_input};

use crate::corpus;

/// R67: the same tools give the same bytes, in whatever order they were added.
#[test]
fn the_same_tools_give_the_same_bytes() {
    for form in [ToolForm::OpenAi, ToolForm::Anthropic, ToolForm::Mcp] {
        let document = corpus::catalogue().document(form).unwrap();
        assert_eq!(corpus::catalogue().document(form).unwrap(), document);
        assert!(document.ends_with("]\n") && !document.contains('\r'));
        let parsed: serde_json::Value = serde_json::from_str(&document).unwrap();
        assert_eq!(parsed.as_array().unwrap().len(), 25);
    }
    let one = Catalogue::new()
        .tool::<corpus::enums>()
        .tool::<corpus::money>();
    let other = Catalogue::new()
        .tool::<corpus::money>()
        .tool::<corpus::enums>();
    for form in ToolForm::ALL {
        assert_eq!(
            one.document(form).unwrap(),
            other.document(form).unwrap(),
            "{form}"
        );
    }
    assert_eq!(one.fingerprint().unwrap(), other.fingerprint().unwrap());
}

/// What a form cannot express is told for every tool at once.
#[test]
fn a_catalogue_is_refused_with_every_reason() {
    let error = corpus::catalogue().export(ToolForm::Gemini).unwrap_err();
    let ExportError::Tools { faults, .. } = error else {
        panic!("{error}");
    };
    let mut tools: Vec<_> = faults.iter().map(|fault| fault.tool.as_str()).collect();
    tools.dedup();
    assert_eq!(
        tools,
        ["deep", "free_form", "maps", "not_zero", "tree", "waits"]
    );
    let none = Catalogue::new().export(ToolForm::Mcp).unwrap_err();
    assert_eq!(none, ExportError::Setup(SetupError::NoTools));
    let twice = Catalogue::new()
        .tool::<corpus::enums>()
        .tool::<corpus::enums>();
    assert!(matches!(
        twice.fingerprint(),
        Err(ExportError::Setup(SetupError::TwoToolsOfOneName(_)))
    ));
}

/// One tool of this class and these words, with this input.
macro_rules! variant {
    ($module:ident, $effect:literal, $doc:literal, $($input:tt)*) => {
        mod $module {
            #[allow(unused_imports, reason = "one of the variants names it")]
            use super::{ToolContext, ToolError, five, tool, tool_input};

            $($input)*

            #[doc = $doc]
            #[tool(scope = "tool.one.call", timeout_s = 5, effect = $effect)]
            pub(super) async fn one(_ctx: &ToolContext, _input: Input) -> Result<(), ToolError> {
                Ok(())
            }
        }
    };
}

fn five() -> u8 {
    5
}

variant!(
    base,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        /** What. */
        what: String,
        #[serde(default)]
        n: u8,
    }
);
variant!(
    reworded,
    "read",
    "Another.",
    #[tool_input]
    pub(super) struct Input {
        /** Which. */
        what: String,
        #[serde(default)]
        #[schemars(extend("examples" = [1]))]
        n: u8,
    }
);
variant!(
    of_class,
    "at_most_once",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        what: String,
        #[serde(default)]
        n: u8,
    }
);
variant!(
    of_type,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        what: u8,
        #[serde(default)]
        n: u8,
    }
);
variant!(
    of_width,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        what: String,
        #[serde(default)]
        n: u16,
    }
);
variant!(
    of_default,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        what: String,
        #[serde(default = "five")]
        n: u8,
    }
);
variant!(
    required,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        what: String,
        n: u8,
    }
);
variant!(
    of_values,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        #[schemars(extend("enum" = ["a"]))]
        what: String,
        #[serde(default)]
        n: u8,
    }
);
variant!(
    of_other_values,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        #[schemars(extend("enum" = ["b"]))]
        what: String,
        #[serde(default)]
        n: u8,
    }
);
variant!(
    of_constant,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        #[schemars(extend("const" = "a"))]
        what: String,
        #[serde(default)]
        n: u8,
    }
);
variant!(
    of_pattern,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        #[schemars(regex(pattern = "a"))]
        what: String,
        #[serde(default)]
        n: u8,
    }
);
variant!(
    of_format,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        #[schemars(extend("format" = "uri"))]
        what: String,
        #[serde(default)]
        n: u8,
    }
);
variant!(
    of_bound,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        #[schemars(length(max = 9))]
        what: String,
        #[serde(default)]
        n: u8,
    }
);
variant!(
    renamed,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        #[serde(rename = "title")]
        what: String,
        #[serde(default)]
        n: u8,
    }
);
variant!(
    longer,
    "read",
    "One.",
    #[tool_input]
    pub(super) struct Input {
        what: String,
        #[serde(default)]
        n: u8,
        more: Option<u8>,
    }
);

/// The fingerprint ignores what is said to a reader, and nothing else.
#[test]
fn the_fingerprint_ignores_prose_and_nothing_else() {
    macro_rules! fingerprints {
        ($($module:ident),*) => {
            [$((stringify!($module), Catalogue::new().tool::<$module::one>().fingerprint().unwrap())),*]
        };
    }
    let [(_, base), (_, reworded)] = fingerprints!(base, reworded);
    assert_eq!(base, reworded);
    assert_eq!(base.len(), 64);
    let others = fingerprints!(
        of_class,
        of_type,
        of_width,
        of_default,
        required,
        of_values,
        of_other_values,
        of_constant,
        of_pattern,
        of_format,
        of_bound,
        renamed,
        longer
    );
    let mut seen = vec![("base", base)];
    for (name, fingerprint) in others {
        let equal = seen.iter().find(|(_, other)| *other == fingerprint);
        assert_eq!(equal, None, "{name} has the fingerprint of another");
        seen.push((name, fingerprint));
    }
}
