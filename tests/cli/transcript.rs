//! The session of `docs/approvals_cli.md`, run again: the page shows what the program prints (R72).

use crate::office::{Said, program};
use idem_tests::TestStore;
use idem_tools::{
    Checkpoint, Decision, Idem, OrganizationId, ProposedCall, Settled, ToolContext, ToolError,
    tool, tool_input, tool_output,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

const GOOD: &str = "billing@example.test";
const BAD: &str = "billing@ex\u{430}mple.test";

/// What the worker's tool said.
#[derive(Clone, Debug, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

#[tool_input]
struct Email {
    to: String,
    subject: String,
    body: String,
}

#[tool_output]
struct Sent {
    id: String,
}

/// Send an e-mail.
#[tool(scope = "tool.email.send", timeout_s = 60)]
async fn send_email(ctx: &ToolContext, input: Email) -> Result<Sent, ToolError> {
    let _ = (&input.subject, &input.body);
    let lines = ctx.state::<Lines>()?;
    let line = format!("worker: sending to {}", input.to);
    lines.0.lock().unwrap().push(line);
    Ok(Sent {
        id: "m-1".to_owned(),
    })
}

/// One store, and the approvals of the page under their names here.
struct Session {
    url: String,
    organization: OrganizationId,
    ids: HashMap<String, String>,
}

/// Instants, ids and hashes are others each time; the rest is what the page says, to the letter.
pub(crate) async fn the_session_of_the_page_is_what_the_program_prints(store: TestStore) {
    let mut session = Session {
        url: store.url.clone(),
        organization: OrganizationId::random(),
        ids: HashMap::new(),
    };
    let page = include_str!("../../docs/approvals_cli.md");
    let (_, block) = page.split_once("```text\n$ ").expect("a session");
    let (block, _) = block.split_once("\n```").expect("its end");
    let steps: Vec<_> = block.split("\n$ ").collect();
    assert!(steps.len() > 12, "{steps:?}");
    for step in steps {
        let (command, wanted) = step.split_once('\n').unwrap_or((step, ""));
        let printed = match command.strip_prefix("idem ") {
            Some(command) => session.idem(command, wanted.contains("[y/N] y")).await,
            None => session.worker(command, wanted).await,
        };
        assert_eq!(leveled(&printed), leveled(wanted), "$ {command}");
    }
}

impl Session {
    /// A worker's process: it makes the call, says what came of it, and is gone.
    async fn worker(&mut self, command: &str, wanted: &str) -> String {
        let to = if command == "worker bad" { BAD } else { GOOD };
        let lines = Lines::default();
        let builder = Idem::open_as_is(&self.url).await.unwrap();
        let builder = builder
            .policy(|_: &Checkpoint<'_>| Decision::ask("mail to outside needs a yes"))
            .state(lines.clone());
        let idem = builder.tool::<send_email>().build().unwrap();
        let actor = idem.organization(self.organization).principal("ann");
        let turn = actor.unwrap().run("run-7").unwrap().turn(1);
        let arguments = serde_json::json!({
            "to": to,
            "subject": "Invoice 1042",
            "body": "Dear all,\nplease find the invoice attached.",
        });
        let call = ProposedCall::new("call-1", "send_email", arguments.to_string());
        let end = match turn.call(call).await.unwrap() {
            Settled::Waiting(waiting) => {
                let id = waiting.card.id.to_string();
                let of_the_page = wanted.rsplit(' ').next().unwrap().to_owned();
                self.ids.insert(of_the_page, id.clone());
                format!("worker: waits for approval {id}")
            }
            Settled::Answer(answer) => format!(
                "worker: {} replayed: {}",
                answer.to_model_text(),
                answer.replayed
            ),
            other => panic!("{other:?}"),
        };
        let mut said = lines.0.lock().unwrap().clone();
        said.push(end);
        said.join("\n")
    }

    /// What the program prints. Where a person is asked on a terminal, `show` and `--hash` stand in for that.
    async fn idem(&self, command: &str, asks: bool) -> String {
        let (command, tells_code) = match command.strip_suffix("; echo exit code $?") {
            Some(command) => (command, true),
            None => (command.trim_end_matches(" < /dev/null"), false),
        };
        let words = words(command);
        let words: Vec<&str> = words
            .iter()
            .map(|word| self.ids.get(word).unwrap_or(word).as_str())
            .collect();
        let mut before = String::new();
        let mut hash = Vec::new();
        let closed = !asks && words.contains(&"--as") && !command.ends_with("--as ann");
        if asks || closed {
            let shown = self.run(&["approvals", "show", words[2]]).await;
            let (_, short) = shown.out.trim_end().rsplit_once(' ').expect("a hash");
            hash = vec!["--hash".to_owned(), short.to_owned()];
            if asks {
                let question = words[1][..1].to_uppercase() + &words[1][1..];
                before = format!("{}\n{question}? [y/N] y\n", shown.out);
            }
        }
        let hash: Vec<&str> = hash.iter().map(String::as_str).collect();
        let said = self.run(&[&words[..], &hash].concat()).await;
        let code = if tells_code {
            format!("exit code {}\n", said.code)
        } else {
            String::new()
        };
        format!("{before}{}{}{code}", said.out, said.err)
    }

    async fn run(&self, arguments: &[&str]) -> Said {
        let organization = self.organization.to_string();
        let place = ["--store", &self.url, "--org", &organization];
        program(&[&place[..], arguments].concat()).await
    }
}

/// The words of a command line; what stands in quotes is one.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in command.split('\'').enumerate() {
        if number % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The text with everything levelled that is another one each time: ids, hashes, ages, instants and the widths of columns.
fn leveled(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.trim_end().lines() {
        let indent = line.len() - line.trim_start().len();
        let mut out: Vec<String> = vec![" ".repeat(indent)];
        for word in line.split_whitespace() {
            let last = out.last().map_or("", String::as_str);
            let is_number = !last.is_empty() && last.chars().all(|c| c.is_ascii_digit());
            if is_number && ["s", "min", "h", "d"].contains(&word.trim_matches(',')) {
                out.pop();
                if out.last().is_some_and(|last| last == "AGE") {
                    out.pop();
                }
                out.push("AGE".to_owned());
            } else {
                out.push(level(word));
            }
        }
        lines.push(out.join(" "));
    }
    lines
}

/// Digits of an id, a hash or an instant, in whatever stands around them.
fn level(word: &str) -> String {
    let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
    let digits = inner.chars().filter(char::is_ascii_hexdigit).count();
    let dashes = inner.chars().filter(|c| matches!(c, '-' | ':')).count();
    let varies = digits + dashes == inner.len() && (digits >= 16 || (dashes == 2 && digits >= 6));
    if varies {
        word.replace(inner, "…")
    } else {
        word.to_owned()
    }
}
