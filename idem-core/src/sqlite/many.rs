//! Binds the groups to their statements: the rows are one JSON text, and bytes and texts in it are hexadecimal, so
//! that nothing in them can be read as JSON.

use super::repository::version;
use super::waiting::write_on;
use super::{SqliteStore, query, sort_error, span};
use crate::answer::{Answer, Resource};
use crate::error::RepositoryError;
use crate::record::{ClaimId, Record};
use crate::repository::{Held, LeaseTerms};
use crate::request::{ClaimKey, Request};
use crate::stores::many;
use std::fmt::Write;
use time::OffsetDateTime;

impl SqliteStore {
    pub(super) async fn found(
        &self,
        keys: &[ClaimKey],
    ) -> Result<Vec<Option<Record>>, RepositoryError> {
        let statement = query(include_str!("sql/get_many.sql")).bind(key_list(keys.iter()));
        many::found(&self.look(statement).await?, keys.len())
    }

    /// Keys that are taken are found first and left out, so that nobody waits for the file to be told.
    pub(super) async fn claimed(
        &self,
        claims: &[(Request, ClaimId, LeaseTerms)],
    ) -> Result<Vec<Option<Record>>, RepositoryError> {
        let mut connection = self.writer.acquire().await.map_err(sort_error)?;
        let keys = claims.iter().map(|(request, _, _)| &request.key);
        let there = query(include_str!("sql/get_many.sql")).bind(key_list(keys));
        let there = there
            .fetch_all(&mut *connection)
            .await
            .map_err(sort_error)?;
        let taken = many::found(&there, claims.len())?;
        let free = claims
            .iter()
            .zip(taken)
            .filter(|(_, taken)| taken.is_none());
        let free = claim_list(free.map(|(claim, _)| claim));
        let ids = claims.iter().map(|(_, id, _)| id.as_uuid());
        let Some(free) = free else {
            return Ok(ids.map(|_| None).collect());
        };
        let statement = query(include_str!("sql/try_claim_many.sql"))
            .bind(free)
            .bind(version());
        let rows = write_on(&mut connection, statement).await;
        many::claimed(&rows.map_err(sort_error)?, ids)
    }

    pub(super) async fn completed(
        &self,
        endings: &[(Held, Answer)],
    ) -> Result<Vec<Option<OffsetDateTime>>, RepositoryError> {
        let mut list = List::new();
        for (held, answer) in endings {
            let (response, resource) = (answer.response(), answer.resource_named());
            list.row();
            list.held(held);
            list.hex(answer.kind().word().as_bytes());
            list.maybe(response.map(|r| &*r.bytes));
            list.maybe_number(response.map(|r| r.encoding.number().into()));
            list.maybe(resource.map(Resource::kind).map(str::as_bytes));
            list.maybe(resource.map(Resource::id).map(str::as_bytes));
        }
        let statement = query(include_str!("sql/complete_many.sql")).bind(list.end());
        let held = endings.iter().map(|(held, _)| held);
        many::completed(&self.write(statement).await?, held)
    }

    pub(super) async fn released(&self, held: &[Held]) -> Result<Vec<bool>, RepositoryError> {
        let mut list = List::new();
        for held in held {
            list.row();
            list.held(held);
        }
        let statement = query(include_str!("sql/release_many.sql")).bind(list.end());
        many::released(&self.write(statement).await?, held)
    }
}

fn key_list<'k>(keys: impl Iterator<Item = &'k ClaimKey>) -> String {
    let mut list = List::new();
    for key in keys {
        list.row();
        list.key(key);
    }
    list.end()
}

/// `None`: there is nothing to claim.
fn claim_list<'c>(
    claims: impl Iterator<Item = &'c (Request, ClaimId, LeaseTerms)>,
) -> Option<String> {
    let mut list = List::new();
    for (request, id, terms) in claims {
        let origin = &request.origin;
        list.row();
        list.hex(id.as_uuid().as_bytes());
        list.key(&request.key);
        list.maybe(request.key.text().map(str::as_bytes));
        list.hex(request.hash.as_bytes());
        list.hex(terms.token.as_uuid().as_bytes());
        list.maybe_number(Some(span(terms.lease)));
        list.maybe_number(Some(span(terms.retain)));
        list.maybe_number(Some(terms.dispatched.into()));
        list.maybe(origin.run.as_deref().map(str::as_bytes));
        list.maybe(origin.principal.as_deref().map(str::as_bytes));
        list.maybe(origin.trace.as_ref().map(|trace| &trace.0[..]));
        list.maybe(request.input.as_deref().map(str::as_bytes));
    }
    (list.rows > 0).then(|| list.end())
}

/// The JSON text of a list of lists.
struct List {
    text: String,
    rows: usize,
    cells: usize,
}

impl List {
    fn new() -> Self {
        Self {
            text: "[".to_owned(),
            rows: 0,
            cells: 0,
        }
    }

    fn row(&mut self) {
        self.text.push_str(if self.rows == 0 { "[" } else { "],[" });
        self.rows += 1;
        self.cells = 0;
    }

    fn key(&mut self, key: &ClaimKey) {
        self.hex(key.organization().as_uuid().as_bytes());
        self.hex(key.scope().as_str().as_bytes());
        self.hex(key.key().as_bytes());
    }

    fn held(&mut self, held: &Held) {
        self.hex(held.id.as_uuid().as_bytes());
        self.hex(held.organization.as_uuid().as_bytes());
        self.hex(held.token.as_uuid().as_bytes());
    }

    fn cell(&mut self) {
        if self.cells > 0 {
            self.text.push(',');
        }
        self.cells += 1;
    }

    fn hex(&mut self, bytes: &[u8]) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";

        self.cell();
        self.text.reserve(bytes.len() * 2 + 2);
        self.text.push('"');
        for byte in bytes {
            for digit in [byte >> 4, byte & 0xf] {
                self.text.push(char::from(DIGITS[usize::from(digit)]));
            }
        }
        self.text.push('"');
    }

    fn maybe(&mut self, bytes: Option<&[u8]>) {
        match bytes {
            Some(bytes) => self.hex(bytes),
            None => self.null(),
        }
    }

    fn maybe_number(&mut self, number: Option<i64>) {
        match number {
            Some(number) => {
                self.cell();
                let _infallible = write!(self.text, "{number}");
            }
            None => self.null(),
        }
    }

    fn null(&mut self) {
        self.cell();
        self.text.push_str("null");
    }

    fn end(mut self) -> String {
        self.text.push_str(if self.rows == 0 { "]" } else { "]]" });
        self.text
    }
}
