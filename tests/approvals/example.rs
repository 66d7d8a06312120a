//! The example that a reader copies runs, and checks itself.

#[path = "../../examples/approval_wait/main.rs"]
#[allow(dead_code, reason = "its own `main` is the program's")]
mod approval_wait;

#[tokio::test]
async fn approval_wait_pays_once() {
    approval_wait::story().await.unwrap();
}
