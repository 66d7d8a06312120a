//! The other processes, seen from the director: this program again, in another role.

use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde::Serialize;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::Outcome;
use crate::book::Book;
use crate::protocol::Event;
use crate::vendor::DROP_PATH;

/// No step of the story takes longer, waits for leases included.
const STEP_MAX: Duration = Duration::from_secs(10);
const SIGKILL: i32 = 9;

/// A child that ends with the director: killed when dropped, and its standard input closes when the director is
/// gone without having dropped anything.
#[derive(Debug)]
struct Role {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Role {
    fn start(role: &str) -> Outcome<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(role)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            // Ctrl-C is the director's to handle: a worker that it killed would look like a fault of the story.
            .process_group(0)
            .spawn()?;
        let input = child.stdin.take().ok_or("a child has no standard input")?;
        let output = child
            .stdout
            .take()
            .ok_or("a child has no standard output")?;
        Ok(Self {
            child,
            input,
            lines: BufReader::new(output).lines(),
        })
    }

    async fn line(&mut self) -> Outcome<Option<String>> {
        let line = timeout(STEP_MAX, self.lines.next_line()).await;
        Ok(line.map_err(|_| format!("a process said nothing for {} s", STEP_MAX.as_secs()))??)
    }

    async fn ended(&mut self) -> Outcome<ExitStatus> {
        let status = timeout(STEP_MAX, self.child.wait()).await;
        Ok(status.map_err(|_| format!("a process did not end in {} s", STEP_MAX.as_secs()))??)
    }
}

/// The vendor's process.
#[derive(Debug)]
pub(crate) struct VendorProcess {
    role: Role,
    client: reqwest::Client,
    base: String,
}

impl VendorProcess {
    pub(crate) async fn start() -> Outcome<Self> {
        let mut role = Role::start("vendor")?;
        let port: u16 = role
            .line()
            .await?
            .ok_or("the vendor ended at its start")?
            .parse()?;
        let base = format!("http://127.0.0.1:{port}");
        Ok(Self {
            role,
            client: crate::wire::client()?,
            base,
        })
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    pub(crate) async fn drop_next_reply(&self) -> Outcome<()> {
        let url = format!("{}{DROP_PATH}", self.base);
        self.client.post(url).send().await?.error_for_status()?;
        Ok(())
    }

    pub(crate) async fn book(&self) -> Outcome<Book> {
        let answer = self
            .client
            .get(format!("{}/book", self.base))
            .send()
            .await?;
        Ok(answer.error_for_status()?.json().await?)
    }

    /// Closes the vendor's standard input, which ends it, and waits for that.
    pub(crate) async fn stop(mut self) -> Outcome<()> {
        drop(self.role.input);
        let status = timeout(STEP_MAX, self.role.child.wait()).await??;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the vendor ended with {status}").into())
        }
    }
}

/// A process that gets an order and tells what it does: a worker, or the approver.
#[derive(Debug)]
pub(crate) struct OrderedProcess {
    role: Role,
}

impl OrderedProcess {
    pub(crate) async fn start(role: &str, order: &impl Serialize) -> Outcome<Self> {
        let mut role = Role::start(role)?;
        let mut line = serde_json::to_vec(order)?;
        line.push(b'\n');
        role.input.write_all(&line).await?;
        role.input.flush().await?;
        Ok(Self { role })
    }

    /// The next thing it tells; none when it has ended.
    pub(crate) async fn next(&mut self) -> Outcome<Option<Event>> {
        match self.role.line().await? {
            Some(line) => Ok(Some(serde_json::from_str(&line)?)),
            None => Ok(None),
        }
    }

    /// Kills it with SIGKILL while it waits, and makes sure that this is what it died of.
    pub(crate) async fn kill(mut self) -> Outcome<()> {
        if let Some(status) = self.role.child.try_wait()? {
            return Err(format!("it had ended with {status} before it was killed").into());
        }
        self.role.child.start_kill()?;
        let status = self.role.ended().await?;
        if status.signal() != Some(SIGKILL) {
            return Err(format!("it ended with {status} and not by signal {SIGKILL}").into());
        }
        match self.next().await? {
            None => Ok(()),
            Some(event) => Err(format!("it went on after the point: {event:?}").into()),
        }
    }

    /// Waits for its own end.
    pub(crate) async fn finish(mut self) -> Outcome<()> {
        let status = self.role.ended().await?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("it ended with {status}").into())
        }
    }
}
