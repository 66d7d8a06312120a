//! The other processes, seen from the director: this program again, as the airline and as workers.

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::protocol::{Errand, Order, Said, line};
use crate::Outcome;
use crate::vendor::book::{Book, Call};

/// No process takes longer to start or to end.
const STEP_MAX: Duration = Duration::from_secs(30);
const SIGKILL: i32 = 9;

/// Starts this program in a role. It ends with the director: it is killed when dropped, and its standard input closes
/// when the director is gone without having dropped anything.
fn start(arguments: &[String]) -> Outcome<(Child, ChildStdin, ChildStdout)> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        // Ctrl-C is the director's to handle: a worker that it killed would look like a fault.
        .process_group(0)
        .spawn()?;
    let input = child.stdin.take().ok_or("a child has no standard input")?;
    let output = child
        .stdout
        .take()
        .ok_or("a child has no standard output")?;
    Ok((child, input, output))
}

/// The airline's process.
#[derive(Debug)]
pub(crate) struct VendorProcess {
    child: Child,
    input: ChildStdin,
    pub(crate) base: String,
}

impl VendorProcess {
    /// Starts it with these arguments of `airline vendor`.
    pub(crate) async fn start(arguments: &[String]) -> Outcome<Self> {
        let (child, input, output) = start(arguments)?;
        let mut lines = BufReader::new(output).lines();
        let port = timeout(STEP_MAX, lines.next_line()).await??;
        let port: u16 = port.ok_or("the airline ended at its start")?.parse()?;
        Ok(Self {
            child,
            input,
            base: format!("http://127.0.0.1:{port}"),
        })
    }

    /// What the airline did.
    pub(crate) async fn book(&self) -> Outcome<Book> {
        let client = reqwest::Client::builder().no_proxy().build()?;
        let answer = client.get(format!("{}/book", self.base)).send().await?;
        Ok(answer.error_for_status()?.json().await?)
    }

    /// How often the airline did this call: quicker than its whole book.
    pub(crate) async fn effects(&self, call: &Call) -> Outcome<u32> {
        let client = reqwest::Client::builder().no_proxy().build()?;
        let asked = client.post(format!("{}/effects", self.base)).json(call);
        Ok(asked.send().await?.error_for_status()?.json().await?)
    }

    /// Closes its standard input, which ends it, and waits for that.
    pub(crate) async fn stop(mut self) -> Outcome<()> {
        drop(self.input);
        timeout(STEP_MAX, self.child.wait()).await??;
        Ok(())
    }
}

/// One worker's process; what it says goes to the director with its number.
#[derive(Debug)]
pub(crate) struct WorkerProcess {
    child: Child,
    input: ChildStdin,
    listening: JoinHandle<()>,
}

impl WorkerProcess {
    pub(crate) async fn start(
        order: &Order,
        to: (u32, UnboundedSender<(u32, Said)>),
    ) -> Outcome<Self> {
        let (child, mut input, output) = start(&["worker".to_owned()])?;
        input.write_all(&line(order)?).await?;
        let listening = tokio::spawn(async move {
            let mut lines = BufReader::new(output).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                // A line that was cut short by a kill says nothing.
                if let Ok(said) = serde_json::from_str(&line) {
                    // The director has stopped listening.
                    let _ = to.1.send((to.0, said));
                }
            }
        });
        Ok(Self {
            child,
            input,
            listening,
        })
    }

    /// Asks it for something. A worker that is gone does nothing.
    pub(crate) async fn ask(&mut self, errand: &Errand) -> Outcome<()> {
        let _ = self.input.write_all(&line(errand)?).await;
        Ok(())
    }

    /// Whether it ended by itself, which no worker does.
    pub(crate) fn has_ended(&mut self) -> Outcome<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Kills it with SIGKILL, and waits until it is gone and all that it said has been heard.
    pub(crate) async fn kill(mut self) -> Outcome<()> {
        self.child.start_kill()?;
        let status = timeout(STEP_MAX, self.child.wait()).await??;
        timeout(STEP_MAX, self.listening).await??;
        match status.signal() {
            Some(SIGKILL) => Ok(()),
            _ => Err(format!("a worker ended by itself with {status}").into()),
        }
    }

    /// Closes its standard input, which ends it.
    pub(crate) async fn stop(mut self) -> Outcome<()> {
        drop(self.input);
        timeout(STEP_MAX, self.child.wait()).await??;
        Ok(())
    }
}
