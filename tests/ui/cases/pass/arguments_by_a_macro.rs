//! Arguments and their types that come out of a macro of the user.

use idem_core::canonical::Canonical;
use idem_tools::{Tool, ToolError, tool};

macro_rules! mailer {
    ($name:ident, $argument:ident: $type:ty, $more:ident: $text:ty, $default:expr) => {
        #[tool(scope = "tool.email.send", timeout_s = 60)]
        async fn $name(
            $argument: $type,
            #[arg(default = $default)] $more: u8,
            text: $text,
        ) -> Result<String, ToolError> {
            Ok(format!("{:?}{}{text}", $argument, $more))
        }
    };
}

mailer!(send_email, to: Vec<String>, copies: &str, 3);

fn main() {
    let fields = <<send_email as Tool>::Input as Canonical>::FIELDS;
    let names: Vec<_> = fields.iter().map(|field| field.name).collect();
    assert_eq!(names, ["to", "copies", "text"]);
}
