//! Runs the program, and fills the store that it looks at.

use idem_core::approval::{Approval, ApprovalId, Approvers, NewCard, Proposal};
use idem_core::identity::{IdempotencyKey, LogicalTurn, RunId, ShownHash, request_hash};
use idem_core::{
    Claim, ClaimKey, ClaimOutcome, IdempotencyService, OrganizationId, Origin, Principal, Request,
    Scope, Store,
};
use idem_tests::TestStore;
use serde_json::Value;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::process::Command;

pub(crate) const SCOPE: &str = "tool.email.send";

/// One store, one organization, and the program that looks at both.
pub(crate) struct Office {
    pub(crate) database: TestStore,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) organization: OrganizationId,
}

/// How the program ended and what it said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    /// The one document of `--json`.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn has(&self, text: &str) -> &Self {
        assert!(self.out.contains(text), "`{text}` is missing: {self:?}");
        self
    }

    pub(crate) fn ends_with(&self, code: i32) -> &Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }
}

impl Office {
    pub(crate) async fn open(database: TestStore) -> Self {
        Self {
            store: database.open().await,
            database,
            organization: OrganizationId::random(),
        }
    }

    /// Runs the program for this organization.
    pub(crate) async fn idem(&self, arguments: &[&str]) -> Said {
        self.idem_for(self.organization, arguments).await
    }

    pub(crate) async fn idem_for(&self, organization: OrganizationId, arguments: &[&str]) -> Said {
        let organization = organization.to_string();
        let place = ["--store", &self.database.url, "--org", &organization];
        program(&[&place, arguments].concat()).await
    }

    /// The document of a command that ended well.
    pub(crate) async fn json(&self, arguments: &[&str]) -> Value {
        let said = self.idem(&[arguments, &["--json"]].concat()).await;
        said.ends_with(0).json()
    }

    /// Asks for one call: `ann` through a model.
    pub(crate) async fn ask(&self, input: &str) -> Approval {
        self.ask_as(input, |_| {}).await
    }

    pub(crate) async fn ask_as(&self, input: &str, change: impl FnOnce(&mut NewCard)) -> Approval {
        let run = RunId::new("run-7").unwrap();
        let mut card = NewCard {
            organization: self.organization,
            turn: LogicalTurn::numbered(&run, 1),
            run,
            scope: Scope::new(SCOPE).unwrap(),
            tool: "send_email".to_owned(),
            effect: "at_most_once".to_owned(),
            principal: Principal::new("ann").unwrap(),
            rule: "mail to outside needs a yes".to_owned(),
            approvers: Approvers::default(),
            fingerprint: "{}".to_owned(),
            proposed: proposal(input),
            expires_in: Duration::from_secs(7 * 24 * 60 * 60),
            supersedes: None,
            earlier_denial: None,
        };
        change(&mut card);
        let opened = self.store.open_card(ApprovalId::mint(), &card).await;
        opened.unwrap().expect("nobody asked before")
    }

    /// A claim that is at work.
    pub(crate) async fn claim(&self, number: u8) -> (Request, Claim) {
        let scope = Scope::new(SCOPE).unwrap();
        let key = ClaimKey::new(self.organization, scope, key(number));
        let mut request = Request::new(key, request_hash("{}")).by(Origin {
            run: Some("run-7".into()),
            principal: Some("ann".into()),
            trace: None,
        });
        request.input = Some(r#"{"to":"ann@example.test"}"#.into());
        let claimed = self
            .service()
            .claim(&request, Duration::from_secs(60))
            .await;
        match claimed.unwrap() {
            ClaimOutcome::Claimed(claim) => (request, claim),
            other => panic!("the key is taken: {other:?}"),
        }
    }

    /// A claim whose worker vanished and whose lease has passed.
    pub(crate) async fn lapse(&self, number: u8) -> Request {
        let (request, claim) = self.claim(number).await;
        self.service().leave_in_doubt(claim);
        self.database.age_all(Duration::from_secs(120)).await;
        request
    }

    pub(crate) fn service(&self) -> IdempotencyService {
        IdempotencyService::new(self.store.clone())
    }
}

/// A key whose last byte is the number: they all begin alike.
pub(crate) fn key(number: u8) -> IdempotencyKey {
    let mut bytes = [7; 32];
    bytes[31] = number;
    IdempotencyKey::from_bytes(bytes)
}

pub(crate) fn proposal(input: &str) -> Proposal {
    Proposal {
        key: key(1),
        hash: request_hash(input),
        shown_hash: ShownHash::new(SCOPE, "send_email", input),
        input: input.into(),
    }
}

/// The program with nothing but these arguments, off any terminal.
pub(crate) async fn program(arguments: &[&str]) -> Said {
    program_into(Stdio::piped(), arguments).await
}

/// The same, with what it prints going elsewhere.
pub(crate) async fn program_into(out: Stdio, arguments: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_idem-under-test"))
        .args(arguments)
        .env_remove("IDEM_STORE")
        .env_remove("IDEM_ORG")
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
        .wait_with_output()
        .await
        .expect("the program ends");
    Said {
        code: output.status.code().expect("the program ends by itself"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}
