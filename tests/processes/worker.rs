//! A worker's process, seen from the test.

use std::process::Stdio;
use std::time::Duration;

use idem_tests::process::kill;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::order::{Event, Order, Point};

/// No worker is silent for longer unless it hangs.
const SILENCE_MAX: Duration = Duration::from_secs(60);

/// A running worker; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Worker {
    /// Starts a worker and waits until it is ready.
    pub(crate) async fn ready(order: &Order) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_idem-test-worker"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the worker program");
        let input = child.stdin.take().expect("its standard input");
        let output = child.stdout.take().expect("its standard output");
        let lines = BufReader::new(output).lines();
        let mut worker = Self {
            child,
            input,
            lines,
        };
        worker.line(&serde_json::to_string(order).unwrap()).await;
        assert_eq!(worker.event().await, Some(Event::Ready));
        worker
    }

    /// Lets it go on.
    pub(crate) async fn go(&mut self) {
        self.line("go").await;
    }

    async fn line(&mut self, line: &str) {
        let line = format!("{line}\n");
        self.input.write_all(line.as_bytes()).await.unwrap();
        self.input.flush().await.unwrap();
    }

    /// What it tells next; `None` when it has ended.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        let line = tokio::time::timeout(SILENCE_MAX, self.lines.next_line()).await;
        let line = line.expect("a worker that says something").unwrap();
        line.map(|line| serde_json::from_str(&line).expect("an event"))
    }

    /// Everything that it still tells, to its end.
    pub(crate) async fn rest(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.event().await {
            events.push(event);
        }
        let status = self.child.wait().await.unwrap();
        assert!(status.success(), "the worker ended with {status}");
        events
    }

    /// Lets it go on to its point and kills it there.
    pub(crate) async fn die_at(mut self, point: Point) {
        self.go().await;
        assert_eq!(self.event().await, Some(Event::At(point)));
        self.kill().await;
    }

    /// Kills it with SIGKILL, and makes sure that it died of that.
    pub(crate) async fn kill(mut self) {
        kill(&mut self.child).await;
        assert_eq!(self.event().await, None, "its last word was before");
    }
}
