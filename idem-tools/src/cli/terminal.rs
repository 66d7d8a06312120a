//! Asking a person.

use std::io::{self, BufRead, IsTerminal, Write};

/// Whether a person can be asked: both ends are a terminal.
pub(super) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Asks for a yes. Anything else, and the end of the input, is a no.
pub(super) fn says_yes(question: &str) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    write!(out, "{question} [y/N] ")?;
    out.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// Prints, and takes a closed pipe for a reader that has seen enough.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

/// Says what went wrong. Where nobody can be told, there is nobody to tell that.
pub(super) fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
