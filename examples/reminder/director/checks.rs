//! What the director looks up itself between two workers: the application's table, and what the store holds while a call
//! waits for a person.

use idem_tools::OrganizationId;
use idem_tools::approval::ApprovalDesk;
use idem_tools::plane::inspection::KeyPrefix;
use idem_tools::plane::{OpenMode, open};

use super::{Director, Told};
use crate::process::OrderedProcess;
use crate::protocol::{ApproverOrder, Point};
use crate::{Outcome, table};

/// More rows than one call can have under its key.
const ROWS_MAX: u32 = 10;

impl Director<'_> {
    /// What a worker that died around its commit left in the application's table.
    pub(super) async fn look_into_table(&mut self, point: Point) -> Outcome<()> {
        let expected = match point {
            Point::ReminderBeforeCommit => 0,
            Point::ReminderAfterCommit => 1,
            Point::EmailBeforeWire | Point::EmailReplyLost => return Ok(()),
        };
        let rows = self.rows().await?;
        self.trace.rows(rows);
        if rows != expected {
            let wrong = format!("rows after {point}: expected {expected}, saw {rows}");
            self.differences.push(wrong);
        }
        Ok(())
    }

    /// Makes sure that nothing is claimed while the call waits, and lets the approver say yes.
    pub(super) async fn ask_bob(&mut self, card: &str) -> Outcome<()> {
        let claims = self.rows_under_key(card, 0, "while it waits").await?;
        self.trace.claims(claims);
        self.card = Some(card.to_owned());
        let order = ApproverOrder {
            store: self.mode.database().to_owned(),
            organization: self.organization.clone(),
        };
        let mut process = OrderedProcess::start("approver", &order).await?;
        let told = self.follow("approver", &mut process).await;
        match told.map_err(|error| format!("approver: {error}"))? {
            Told::Done {
                card: Some(approved),
            } if approved == card => process.finish().await,
            _ => Err(format!("the approver did not say yes to {card}").into()),
        }
    }

    /// What the plane's table holds under the key of a card's call, and whether it is what must be there.
    pub(super) async fn rows_under_key(
        &mut self,
        card: &str,
        expected: usize,
        when: &str,
    ) -> Outcome<usize> {
        let store = self.mode.database();
        let rows = rows_under_key(store, &self.organization, card).await?;
        if rows != expected {
            let wrong =
                format!("rows under the e-mail's key {when}: expected {expected}, saw {rows}");
            self.differences.push(wrong);
        }
        Ok(rows)
    }

    pub(super) async fn rows(&self) -> Outcome<u32> {
        table::count(self.mode.database(), &self.organization).await
    }
}

/// How many rows the plane's table holds under the key of a card's call: claims, answers, whatever there is.
async fn rows_under_key(store: &str, organization: &str, card: &str) -> Outcome<usize> {
    let organization: OrganizationId = organization.parse()?;
    let store = open(store, OpenMode::AsIs).await?;
    let desk = ApprovalDesk::new(store.clone(), organization);
    let shown = desk.show(card.parse()?).await?;
    let shown = shown.ok_or("the store has no such card")?;
    let key = KeyPrefix::from(shown.effective.key);
    let rows = store.find_keys(organization, &key, Some(&shown.scope), ROWS_MAX);
    Ok(rows.await?.len())
}
