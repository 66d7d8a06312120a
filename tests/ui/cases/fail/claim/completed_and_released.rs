use idem_core::{Answer, Claim, IdempotencyService};

async fn end(service: &IdempotencyService, claim: Claim, answer: &Answer) {
    let _ = service.complete(claim, answer).await;
    let _ = service.release(claim).await;
}

fn main() {}
