//! Ends a process the hard way and makes sure that it ended that way.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// SIGKILL: no handler, no unwinding, no `Drop`.
const SIGKILL: i32 = 9;

/// Kills a child by SIGKILL and waits for its end.
///
/// # Panics
/// Where the child had ended before in another way: then the crash that the test is about did not
/// happen.
pub async fn kill(child: &mut tokio::process::Child) {
    child.start_kill().expect("a child that is still running");
    assert_killed(child.wait().await.expect("the end of a child"));
}

/// Asserts that a process died by SIGKILL and did not end by itself.
///
/// # Panics
/// Where it ended in any other way.
pub fn assert_killed(status: ExitStatus) {
    assert_eq!(
        status.signal(),
        Some(SIGKILL),
        "the process ended by itself: {status}"
    );
}

#[cfg(test)]
mod tests {
    use super::{assert_killed, kill};

    #[tokio::test]
    async fn a_killed_child_died_by_signal_9() {
        let mut child = tokio::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("cat");
        kill(&mut child).await;
    }

    #[test]
    #[should_panic(expected = "ended by itself")]
    fn an_exit_is_not_a_kill() {
        assert_killed(std::process::Command::new("true").status().expect("true"));
    }
}
