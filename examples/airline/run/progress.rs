//! How far a pass is, on a terminal.

use std::io::{IsTerminal, Write};

use super::pass::Heard;

const WIDTH: usize = 30;

/// A line that is written over itself; nothing where nobody looks.
#[derive(Debug)]
pub(super) struct Progress {
    name: &'static str,
    all: usize,
    is_shown: bool,
    last: String,
}

impl Progress {
    pub(super) fn new(name: &'static str, all: usize, wanted: bool) -> Self {
        Self {
            name,
            all,
            is_shown: wanted && std::io::stderr().is_terminal(),
            last: String::new(),
        }
    }

    pub(super) fn show(&mut self, open: &[&str], heard: &Heard, kills: u32) {
        if !self.is_shown {
            return;
        }
        let done = self.all.saturating_sub(open.len());
        let full = done * WIDTH / self.all.max(1);
        let line = format!(
            "{:<11} [{}{}] {done}/{} conversations, {} answers, {kills} kills",
            self.name,
            "#".repeat(full),
            ".".repeat(WIDTH - full),
            self.all,
            heard.answered,
        );
        if line != self.last {
            // A terminal that is gone needs no progress.
            let _ = write!(std::io::stderr(), "\r{line}");
            self.last = line;
        }
    }

    pub(super) fn end(&self) {
        if self.is_shown {
            let _ = writeln!(std::io::stderr());
        }
    }
}
