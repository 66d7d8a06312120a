//! One argument of a type of the user's own is the whole input, and with `#[arg]` it is one argument.

use idem_core::canonical::Canonical;
use idem_tools::{Tool, ToolError, tool, tool_input};

#[tool_input]
struct Customer(String);

#[tool_input]
struct Name {
    first: String,
    last: String,
}

#[tool(scope = "tool.customer.look", timeout_s = 5)]
async fn by_id(#[arg] customer: Customer) -> Result<String, ToolError> {
    Ok(customer.0)
}

#[tool(scope = "tool.customer.look", timeout_s = 5)]
async fn by_name(name: Name) -> Result<String, ToolError> {
    Ok(name.first + &name.last)
}

#[tool(scope = "tool.customer.look", timeout_s = 5)]
async fn by_names(names: Vec<Name>) -> Result<usize, ToolError> {
    Ok(names.len())
}

#[tool(scope = "tool.customer.look", timeout_s = 5)]
async fn by_both(name: Name, customer: Customer) -> Result<String, ToolError> {
    Ok(name.first + &customer.0)
}

fn names<T: Tool>() -> Vec<&'static str> {
    let fields = <T::Input as Canonical>::FIELDS.iter();
    fields.map(|field| field.name).collect()
}

fn main() {
    assert_eq!(names::<by_id>(), ["customer"]);
    assert_eq!(names::<by_name>(), ["first", "last"]);
    assert_eq!(names::<by_names>(), ["names"]);
    assert_eq!(names::<by_both>(), ["name", "customer"]);
}
