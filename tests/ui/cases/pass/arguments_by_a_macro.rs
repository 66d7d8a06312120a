//! Arguments that come out of a macro of the user: their names, their defaults, and their types as it writes them.

use idem_core::canonical::Canonical;
use idem_tools::{Tool, ToolError, tool};

macro_rules! mailer {
    ($name:ident, $argument:ident, $more:ident, $default:expr) => {
        #[tool(scope = "tool.email.send", timeout_s = 60)]
        async fn $name(
            $argument: Vec<String>,
            #[arg(default = $default)] $more: u8,
            text: &str,
        ) -> Result<String, ToolError> {
            Ok(format!("{:?}{}{text}", $argument, $more))
        }
    };
}

mailer!(send_email, to, copies, 3);

fn main() {
    let fields = <<send_email as Tool>::Input as Canonical>::FIELDS;
    let names: Vec<_> = fields.iter().map(|field| field.name).collect();
    assert_eq!(names, ["to", "copies", "text"]);
}
