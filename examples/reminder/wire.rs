//! The workers' way to the vendor. The tool and the plain calls share it, so both meet the same faults.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde::Serialize;

use crate::protocol::{Event, Order, Point, announce};
use crate::stops::Stops;
use crate::vendor::{EMAILS_PATH, KEY_HEADER, REPLAYED_HEADER};

/// An HTTP client of the vendor, with the hooks at which a worker waits to be killed.
#[derive(Clone, Debug)]
pub(crate) struct Vendor {
    client: reqwest::Client,
    base: String,
    stops: Stops,
    repeats: Arc<AtomicU32>,
}

impl Vendor {
    /// A client as the order wants it.
    pub(crate) fn new(order: &Order, stops: Stops) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: client()?,
            base: order.vendor.clone(),
            stops,
            repeats: Arc::default(),
        })
    }

    /// Sends one e-mail, with a key where the caller has one.
    pub(crate) async fn send_email<B: Serialize>(
        &self,
        key: Option<&str>,
        body: &B,
    ) -> Result<reqwest::Response, reqwest::Error> {
        self.stops.reach(Point::EmailBeforeWire).await;
        announce(&Event::Sending {
            key: key.map(str::to_owned),
        });
        let mut request = self
            .client
            .post(format!("{}{}", self.base, EMAILS_PATH))
            .json(body);
        if let Some(key) = key {
            request = request.header(KEY_HEADER, key);
        }
        match request.send().await {
            Ok(response) => {
                if response.headers().contains_key(REPLAYED_HEADER) {
                    self.repeats.fetch_add(1, Ordering::Relaxed);
                    announce(&Event::VendorRepeated);
                }
                Ok(response)
            }
            Err(error) => {
                announce(&Event::ReplyLost {
                    why: root_cause(&error),
                });
                self.stops.reach(Point::EmailReplyLost).await;
                Err(error)
            }
        }
    }

    /// How many requests the vendor recognised by their key.
    pub(crate) fn repeats(&self) -> u32 {
        self.repeats.load(Ordering::Relaxed)
    }
}

/// One request is one request in the vendor's book: no retries of the client's own, and no pooled connection that
/// could be found closed.
pub(crate) fn client() -> Result<reqwest::Client, reqwest::Error> {
    idem_tools::http::client_builder()
        .no_proxy()
        .retry(reqwest::retry::never())
        .pool_max_idle_per_host(0)
        .timeout(Duration::from_secs(5))
        .build()
}

fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
