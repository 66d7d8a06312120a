//! The attributes of Idem. Use them through `idem_tools`, where they are documented.

mod args;
mod attribute;
mod class;
mod errors;
mod expand;
mod input;
mod item;
mod resource;
#[cfg(test)]
mod tests;
mod tools;
mod types;

use attribute::Side;
use proc_macro::TokenStream;

/// Makes a function a tool.
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(args.into(), &item.into()).into()
}

/// Makes methods of an `impl` block tools.
#[proc_macro_attribute]
pub fn tools(args: TokenStream, item: TokenStream) -> TokenStream {
    tools::expand(args.into(), &item.into()).into()
}

/// Makes a struct the input of a tool, or a struct or an enum a part of one.
#[proc_macro_attribute]
pub fn tool_input(args: TokenStream, item: TokenStream) -> TokenStream {
    attribute::expand(Side::Input, args.into(), &item.into()).into()
}

/// Makes a struct or an enum the answer of a tool.
#[proc_macro_attribute]
pub fn tool_output(args: TokenStream, item: TokenStream) -> TokenStream {
    attribute::expand(Side::Output, args.into(), &item.into()).into()
}

/// Writes the canonical form of an argument's type.
#[proc_macro_derive(ToolInput, attributes(arg, serde))]
pub fn derive_tool_input(item: TokenStream) -> TokenStream {
    input::derive(item.into()).into()
}
