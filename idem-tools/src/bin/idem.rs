//! The program `idem`. What it does is in `idem_tools::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    idem_tools::cli::main()
}
