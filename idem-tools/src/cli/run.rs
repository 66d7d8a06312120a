//! From the command line to a report, and from a report to the terminal.

use super::approvals;
use super::args::{Approvals, Cli, Command, Decide, Place, Settle};
use super::decide::{self, Deciding, SeenHash};
use super::paper::{document, object};
use super::settle::{Finding, settle};
use super::{CliError, Exit, Report, migrate, show_key, terminal};
use clap::Parser;
use idem_core::approval::{ApprovalDesk, ApprovalRepository, CardFilter};
use idem_core::inspection::Inspection;
use idem_core::json::{Json, Limits};
use idem_core::runs::RunDesk;
use idem_core::{
    IdempotencyRepository, IdempotencyService, OpenMode, OrganizationId, RepositoryError, Scope,
    Store, TOOL_RETENTION,
};
use std::process::ExitCode;
use std::sync::Arc;
use time::OffsetDateTime;

pub(super) fn main() -> ExitCode {
    // A wrong command line ends here, with clap's own words and its exit code 2.
    let Cli { place, command } = Cli::parse();
    let only_looks = command.only_looks();
    let outcome = crate::block_on(Box::pin(carry_out(&place, command)));
    let report = outcome.unwrap_or_else(|error| failed(&error, place.store.as_deref()));
    let printed = if place.json {
        terminal::print(&(document(&report.json) + "\n"))
    } else if report.exit == Exit::Done || report.exit == Exit::Refused {
        terminal::print(&report.text)
    } else {
        terminal::complain(&report.text);
        Ok(())
    };
    let exit = match printed {
        Ok(()) => report.exit,
        Err(error) => {
            terminal::complain(&format!("error: the report cannot be written: {error}\n"));
            // What was decided is decided, whoever hears of it; whoever only looked has seen nothing.
            if only_looks { Exit::Usage } else { report.exit }
        }
    };
    ExitCode::from(exit as u8)
}

/// An error in words that say what to do. Its lines are kept; what a server put into them is made visible.
fn failed(error: &CliError, url: Option<&str>) -> Report {
    let mut message = error.to_string();
    if matches!(error, CliError::Store(RepositoryError::SchemaOlder { .. })) {
        match url.and_then(idem_core::missing_file) {
            Some(file) => {
                message = format!(
                    "there is no file at {}: check the path; `idem migrate` makes a new store there",
                    file.display()
                );
            }
            None => message.push_str("; idem migrate does it"),
        }
    }
    let safe: Vec<_> = message.lines().map(super::paper::safe).collect();
    let json = object([
        ("code", Json::from(error.word())),
        ("message", Json::from(message.as_str())),
    ]);
    Report {
        exit: error.exit(),
        text: format!("error: {}\n", safe.join("\n")),
        json: object([("error", json)]),
    }
}

async fn carry_out(place: &Place, command: Command) -> Result<Report, CliError> {
    let url = place.store.as_deref().ok_or_else(|| {
        CliError::Usage(
            "no store: pass --store URL, such as sqlite://agent.db, or set IDEM_STORE".to_owned(),
        )
    })?;
    if matches!(command, Command::Migrate) {
        return Ok(migrate(url).await?);
    }
    let organization = place.organization.ok_or_else(|| {
        CliError::Usage("no organization: pass --org UUID, or set IDEM_ORG".to_owned())
    })?;
    let office = Office {
        store: idem_core::open(url, OpenMode::AsIs).await?,
        organization,
        json: place.json,
    };
    match command {
        Command::Approvals(command) => office.approvals(command).await,
        Command::Settle(command) => office.settle(command).await,
        Command::Show(command) => {
            let scope = command.scope.as_deref();
            let rows = &*office.store;
            Ok(show_key(rows, organization, &command.key, scope, command.values).await?)
        }
        Command::Migrate => Ok(migrate(url).await?),
    }
}

/// An open store and on whose behalf.
struct Office {
    store: Arc<dyn Store>,
    organization: OrganizationId,
    json: bool,
}

impl Office {
    fn desk(&self) -> ApprovalDesk {
        let store: Arc<dyn ApprovalRepository> = self.store.clone();
        ApprovalDesk::new(store, self.organization)
    }

    /// The store's clock, read when it is needed: a person may have thought for long before this.
    async fn now(&self) -> Result<OffsetDateTime, CliError> {
        Ok(self.store.probe().await?.clock)
    }

    async fn approvals(&self, command: Approvals) -> Result<Report, CliError> {
        let desk = self.desk();
        match command {
            Approvals::List {
                scope,
                older_than,
                all,
                limit,
            } => {
                let filter = CardFilter {
                    scope: scope.as_deref().map(scope_of).transpose()?,
                    min_age: older_than.unwrap_or_default(),
                    all,
                    rows_max: limit,
                };
                let now = self.now().await?;
                Ok(approvals::list(&desk, &filter, now).await?)
            }
            Approvals::Show { id } => Ok(approvals::show(&desk, id, self.now().await?).await?),
            Approvals::Approve(decide) => match self.seen(&desk, decide, "Approve?").await? {
                Ok(deciding) => {
                    let now = self.now().await?;
                    Ok(decide::approve(&desk, &deciding, now).await?)
                }
                Err(report) => Ok(report),
            },
            Approvals::Deny { decide, reason } => match self.seen(&desk, decide, "Deny?").await? {
                Ok(deciding) => decide::deny(&desk, &deciding, &reason, self.now().await?).await,
                Err(report) => Ok(report),
            },
            Approvals::Edit { decide, arguments } => {
                let arguments = text_or_file(&arguments)?;
                let question = "Ask for other arguments?";
                match self.seen(&desk, decide, question).await? {
                    Ok(deciding) => {
                        decide::edit(&desk, &deciding, &arguments, self.now().await?).await
                    }
                    Err(report) => Ok(report),
                }
            }
        }
    }

    /// What the approver saw: by its hash, or shown now and confirmed. `Err`: there is nothing to decide, or no yes.
    async fn seen(
        &self,
        desk: &ApprovalDesk,
        Decide { id, by, hash }: Decide,
        question: &str,
    ) -> Result<Result<Deciding, Report>, CliError> {
        if let Some(seen) = hash {
            return Ok(Ok(Deciding { id, by, seen }));
        }
        if self.json || !terminal::can_ask() {
            return Err(CliError::Usage(format!(
                "nobody can be asked here: pass --hash with what was seen, as `idem approvals show {}` prints it",
                id
            )));
        }
        let Some(card) = desk.show(id).await? else {
            return Ok(Err(approvals::show(desk, id, self.now().await?).await?));
        };
        let seen = SeenHash::from(card.effective.shown_hash);
        if card.current && card.status == idem_core::approval::CardStatus::Open {
            let shown = approvals::show_card(desk, &card, self.now().await?).await?;
            terminal::print(&(shown.text + "\n"))?;
            if !terminal::says_yes(question)? {
                return Ok(Err(Report {
                    exit: Exit::Refused,
                    text: "Nothing was changed.\n".to_owned(),
                    json: object([("outcome", Json::from("not_confirmed"))]),
                }));
            }
        }
        Ok(Ok(Deciding { id, by, seen }))
    }

    async fn settle(&self, command: Settle) -> Result<Report, CliError> {
        let scope = scope_of(&command.scope)?;
        let finding = match (command.found.happened, command.answer) {
            (true, Some(answer)) => {
                let answer = text_or_file(&answer)?;
                let answer = Json::parse(&answer, Limits::ANSWER)
                    .map_err(|error| CliError::Usage(format!("the answer is no JSON: {error}")))?;
                Finding::Happened(answer)
            }
            (true, None) => Finding::Happened(Json::Null),
            (false, _) => Finding::DidNotHappen,
        };
        let repository: Arc<dyn IdempotencyRepository> = self.store.clone();
        let service = IdempotencyService::new(repository);
        let place = (self.organization, &scope, &command.key);
        let who = (&command.by, command.note.as_deref());
        let runs = RunDesk::new(self.store.clone());
        let looks = (&*self.store as &dyn Inspection, &runs);
        settle(&service, looks, place, &finding, who).await
    }
}

/// A scope of a known family or an application's own. Nothing here is claimed, so how long its answers are remembered
/// does not matter.
fn scope_of(name: &str) -> Result<Scope, CliError> {
    Scope::new(name)
        .or_else(|error| Scope::application(name, TOOL_RETENTION).map_err(|_| error))
        .map_err(|error| CliError::Usage(error.to_string()))
}

/// The text itself, or the content of `@file`.
fn text_or_file(argument: &str) -> Result<String, CliError> {
    match argument.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| CliError::Usage(format!("{path} cannot be read: {error}"))),
        None => Ok(argument.to_owned()),
    }
}
