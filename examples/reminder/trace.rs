//! What a person reads while the story plays.

use std::io::{IsTerminal, Write};
use std::time::Instant;

use crate::director::Verdict;
use crate::protocol::{Event, Point};
use crate::tools::{LEASE_MARGIN, TIMEOUT};
use crate::vendor::EMAILS_PATH;

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";

/// The printed trace. Colour goes to terminals only, and not where `NO_COLOR` is set.
#[derive(Debug)]
pub(crate) struct Trace {
    colour: bool,
    started: Instant,
}

impl Trace {
    pub(crate) fn new() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            colour: std::io::stdout().is_terminal() && !refused,
            started: Instant::now(),
        }
    }

    /// Says what is going to happen, and where.
    pub(crate) fn opening(&self, store: Option<&str>) {
        let Some(store) = store else {
            say(&self.paint(
                BOLD,
                "A reminder and an e-mail, without Idem: plain statements and plain HTTP calls.",
            ));
            return;
        };
        say(&self.paint(BOLD, "A reminder and an e-mail, with Idem."));
        say(&self.paint(DIM, &format!("store: {}", without_password(store))));
        let leases = format!(
            "leases shortened for this demonstration: {} s of a tool's timeout and {} s of margin",
            TIMEOUT.as_secs_f64(),
            LEASE_MARGIN.as_secs_f64(),
        );
        say(&self.paint(DIM, &leases));
    }

    pub(crate) fn chapter(&self, title: &str) {
        say("");
        say(&self.paint(BOLD, title));
    }

    /// What the user said.
    pub(crate) fn asked(&self, text: &str) {
        say(&format!("  Ann: “{text}”"));
    }

    /// One event of a worker or the approver. `dead` is the worker that was killed last.
    pub(crate) fn event(&self, who: &str, event: &Event, dead: Option<usize>) {
        if let Event::Commanded { command, text } = event {
            self.line(who, &format!("as {command}:"));
            for line in text.lines() {
                say(&self.paint(DIM, format!("           | {line}").trim_end()));
            }
            return;
        }
        if let Some(text) = self.told(event, dead) {
            self.line(who, &text);
        }
    }

    /// What an event says, where it says anything to a reader.
    fn told(&self, event: &Event, dead: Option<usize>) -> Option<String> {
        Some(match event {
            Event::Proposed {
                call_id,
                tool,
                arguments,
            } => {
                format!(
                    "the model proposes {tool} {}",
                    self.paint(DIM, &format!("{call_id} {arguments}"))
                )
            }
            Event::LeaseRuns { for_ms } => {
                let whose = dead.map_or("another worker".to_owned(), |dead| {
                    format!("dead worker {dead}")
                });
                let seconds = *for_ms as f64 / 1000.0;
                self.paint(
                    YELLOW,
                    &format!("waits {seconds:.1} s: the lease of {whose} still runs"),
                )
            }
            Event::RowWritten => "writes the row, in a transaction".to_owned(),
            Event::Committed { with_answer: true } => {
                "commits the row and the answer together".to_owned()
            }
            Event::Committed { with_answer: false } => "commits the row".to_owned(),
            Event::Waits { card } => self.paint(
                YELLOW,
                &format!("waits for a person, approval {card}, and ends"),
            ),
            Event::Sending { key: Some(key) } => {
                format!("sends POST {EMAILS_PATH}, key {}", shortened(key))
            }
            Event::Sending { key: None } => format!("sends POST {EMAILS_PATH}, no key"),
            Event::ReplyLost { why } => self.paint(YELLOW, &format!("gets no reply: {why}")),
            Event::VendorRepeated => self.paint(
                GREEN,
                "the vendor knows the key: its first answer, no second effect",
            ),
            Event::Settled {
                answer,
                replayed: true,
            } => self.paint(GREEN, &format!("replayed from the journal: {answer}")),
            Event::Settled {
                answer,
                replayed: false,
            } => format!("answer: {answer}"),
            Event::Commanded { .. }
            | Event::Approved { .. }
            | Event::At { .. }
            | Event::Done { .. }
            | Event::Failed { .. } => return None,
        })
    }

    pub(crate) fn killed(&self, worker: usize, point: Point) {
        let text = self.paint(RED, &format!("killed by SIGKILL at {point}"));
        self.line(&format!("worker {worker}"), &text);
    }

    /// What the director saw in the application's table.
    pub(crate) fn rows(&self, rows: u32) {
        self.line(
            "director",
            &format!("rows in the application's table: {rows}"),
        );
    }

    /// What the director saw under the key of the call that waits.
    pub(crate) fn claims(&self, rows: usize) {
        let text = format!("claims under the e-mail's key while it waits: {rows}");
        self.line("director", &text);
    }

    /// The application's table and the vendor's book, what is wrong, and the last line.
    pub(crate) fn ending(&self, verdict: &Verdict, with_idem: bool) {
        let Verdict {
            reminders, book, ..
        } = verdict;
        say("");
        say(&self.paint(BOLD, "The application's table"));
        say(&format!("  rows: {reminders}"));
        say(&self.paint(BOLD, "The mail service's book"));
        say(&format!(
            "  requests: {}  keys: {}  e-mails: {}  answered from keys: {}",
            book.requests, book.distinct_keys, book.effects, book.answered_from_keys
        ));
        say("");
        for difference in &verdict.differences {
            say(&self.paint(RED, &format!("not as it must be: {difference}")));
        }
        let effects = format!("reminders: {reminders}  emails: {}", book.effects);
        if with_idem {
            let prevented = verdict.counters.prevented();
            say(&format!("{effects}  duplicates prevented: {prevented}"));
        } else {
            say("Ann asked for one of each.");
            say(&effects);
        }
    }

    fn line(&self, who: &str, text: &str) {
        let seconds = format!("{:>5.1} s", self.started.elapsed().as_secs_f64());
        let seconds = self.paint(DIM, &seconds);
        say(&format!("  {seconds}  {who}  {text}"));
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

fn say(text: &str) {
    // Nobody reading (a closed pipe) changes nothing about the verdict, which the exit code carries.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Enough of a key to see that it is the same one.
fn shortened(key: &str) -> String {
    if key.len() > 16 && key.is_ascii() {
        format!("{}…", &key[..16])
    } else {
        key.to_owned()
    }
}

/// A store's URL may carry a password, before its host or among its options; a trace is shown around.
fn without_password(url: &str) -> String {
    let url = url.split('?').next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    match rest.rsplit_once('@') {
        Some((user, place)) => {
            let name = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{name}@{place}")
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trace_shows_no_password() {
        assert_eq!(
            without_password("postgres://ann:s3:cr@et@host/db"),
            "postgres://ann@host/db"
        );
        assert_eq!(
            without_password("postgres://host/db?password=s3cret"),
            "postgres://host/db"
        );
        assert_eq!(without_password("sqlite:///tmp/a.db"), "sqlite:///tmp/a.db");
    }
}
