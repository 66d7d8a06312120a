//! What is written above an argument is what a model is told of it, and the compiler never sees it.

use idem_tools::__private::schemars;
use idem_tools::{Tool, ToolContext, ToolError, tool, tool_input};

#[tool_input]
struct Template {
    /// Its number in the catalogue.
    id: u32,
}

#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(
    _ctx: &ToolContext,
    /// Whom it goes to.
    ///
    /// An address.
    to: String,
    /** What it says. */
    template: Template,
    #[schemars(extend("format" = "date"))]
    /// The day.
    day: Option<&str>,
    plain: u8,
) -> Result<String, ToolError> {
    Ok(format!("{to}{}{day:?}{plain}", template.id))
}

/// A doc comment alone says that this is one argument.
#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn by_template(
    /// What it says.
    template: Template,
) -> Result<u32, ToolError> {
    Ok(template.id)
}

fn schema<T: Tool>() -> schemars::Schema {
    schemars::schema_for!(T::Input)
}

fn main() {
    let schema = schema::<send_email>();
    let schema = schema.as_value();
    let told = |name: &str| schema["properties"][name]["description"].as_str().map(str::to_owned);
    assert_eq!(told("to").unwrap(), "Whom it goes to.\n\nAn address.");
    assert_eq!(told("template").unwrap(), "What it says.");
    assert_eq!(told("day").unwrap(), "The day.");
    assert_eq!(told("plain"), None);
    assert_eq!(schema["properties"]["day"]["format"], "date");
    assert_eq!(schema["title"], "send_email");
    assert!(schema.get("description").is_none());
    let inner = &schema["$defs"]["Template"]["properties"]["id"]["description"];
    assert_eq!(inner, "Its number in the catalogue.");
    let one = self::schema::<by_template>();
    assert_eq!(one.as_value()["properties"]["template"]["description"], "What it says.");
}
