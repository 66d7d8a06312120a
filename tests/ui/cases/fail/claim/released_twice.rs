use idem_core::{Claim, IdempotencyService};

async fn end(service: &IdempotencyService, claim: Claim) {
    let _ = service.release(claim).await;
    let _ = service.release(claim).await;
}

fn main() {}
