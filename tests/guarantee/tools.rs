//! One tool for each effect class: the same letter, sent to the vendor or written into the application's own table.

use idem_tests::StoreKind;
use idem_tests::vendor::Gate;
use idem_tools::http::ResponseExt;
use idem_tools::{IdemBuilder, Reconciled, ToolContext, ToolError, tool_input, tool_output};
use serde_json::{Value, json};

#[tool_input]
pub(crate) struct Letter {
    to: String,
}

#[tool_output]
#[derive(Debug, PartialEq)]
pub(crate) struct Sent {
    id: String,
}

/// The way to the vendor, and to its book.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    pub(crate) client: reqwest::Client,
    pub(crate) effects: String,
    pub(crate) book: String,
}

/// A place in a body. For a transaction the mark is its beginning and the wire is its COMMIT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    BeforeMark,
    BeforeWire,
    AfterWire,
}

/// What a body does at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Hold,
    Fail,
    Panic,
}

/// What the bodies of one worker do besides their work.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    at: Option<(Point, Act)>,
    pub(crate) reached: Gate,
    pub(crate) go: Gate,
}

impl Plan {
    /// Waits there until it may go on.
    pub(crate) fn hold(point: Point) -> Self {
        Self::at(point, Act::Hold)
    }

    /// Fails there with an error that says nothing of the effect.
    pub(crate) fn fail(point: Point) -> Self {
        Self::at(point, Act::Fail)
    }

    pub(crate) fn panic(point: Point) -> Self {
        Self::at(point, Act::Panic)
    }

    fn at(point: Point, act: Act) -> Self {
        Self {
            at: Some((point, act)),
            ..Self::default()
        }
    }

    async fn pass(&self, here: Point) -> Result<(), ToolError> {
        let Some((_, act)) = self.at.filter(|(point, _)| *point == here) else {
            return Ok(());
        };
        self.reached.open();
        match act {
            Act::Hold => self.go.opened().await,
            Act::Fail => return Err(ToolError::unknown("as the plan says")),
            Act::Panic => panic!("as the plan says"),
        }
        Ok(())
    }
}

async fn post(ctx: &ToolContext, letter: Letter) -> Result<Sent, ToolError> {
    let (desk, plan) = (ctx.state::<Desk>()?, ctx.state::<Plan>()?);
    plan.pass(Point::BeforeMark).await?;
    ctx.dispatching().await?;
    plan.pass(Point::BeforeWire).await?;
    let request = desk.client.post(&desk.effects);
    let request = request.header("Idempotency-Key", ctx.vendor_key().as_str());
    let reply = request.json(&json!({ "what": letter.to })).send().await?;
    let sent = reply.for_tool()?.json().await?;
    plan.pass(Point::AfterWire).await?;
    Ok(sent)
}

/// Looks the letter up in the vendor's book.
async fn find(ctx: &ToolContext, _letter: &Letter) -> Result<Reconciled<Sent>, ToolError> {
    let desk = ctx.state::<Desk>()?;
    let book: Value = desk.client.get(&desk.book).send().await?.json().await?;
    let key = ctx.vendor_key().as_str();
    let done = book["done"].as_array().cloned().unwrap_or_default();
    Ok(match done.iter().position(|effect| effect["key"] == key) {
        Some(at) => Reconciled::Happened(Sent {
            id: format!("effect-{}", at + 1),
        }),
        None => Reconciled::DidNotHappen,
    })
}

/// The tool that writes into one store's database.
// Skipped: the formatter moves an attribute with a `$` further to the right each time it comes by.
#[rustfmt::skip]
macro_rules! write_tool {
    ($module:ident, $store:ident, $seconds:tt) => {
        pub(crate) mod $module {
            use crate::tools::{Letter, Plan, Point, Sent};
            use idem_tools::{Committed, ToolContext, ToolError, tool, $store};

            #[tool(
                scope = "tool.letter.write",
                timeout_s = $seconds,
                effect = "transactional"
            )]
            pub(crate) async fn write(
                ctx: &ToolContext<$store>,
                letter: Letter,
            ) -> Result<Committed<Sent>, ToolError> {
                let plan = ctx.state::<Plan>()?;
                plan.pass(Point::BeforeMark).await?;
                let mut transaction = ctx.transaction().await?;
                let insert = sqlx::query("INSERT INTO letters (recipient) VALUES ($1)");
                let insert = insert.bind(letter.to.as_str());
                insert.execute(transaction.connection()).await?;
                plan.pass(Point::BeforeWire).await?;
                let id = format!("attempt-{}", ctx.attempt());
                let committed = ctx.commit(transaction, Sent { id }).await?;
                plan.pass(Point::AfterWire).await?;
                Ok(committed)
            }
        }
    };
}

/// All tools, with so many seconds each.
#[rustfmt::skip]
macro_rules! tools {
    ($pace:ident, $seconds:tt) => {
        pub(crate) mod $pace {
            use super::{Letter, Sent, find, post};
            use idem_tools::{ToolContext, ToolError, tool};

            #[tool(scope = "tool.letter.look", timeout_s = $seconds, effect = "read")]
            pub(crate) async fn look(ctx: &ToolContext, input: Letter) -> Result<Sent, ToolError> {
                post(ctx, input).await
            }

            write_tool!(on_sqlite, Sqlite, $seconds);
            write_tool!(on_postgres, Postgres, $seconds);

            #[tool(
                scope = "tool.letter.send",
                timeout_s = $seconds,
                effect = "keyed",
                vendor_window = "24h"
            )]
            pub(crate) async fn keyed(ctx: &ToolContext, input: Letter) -> Result<Sent, ToolError> {
                post(ctx, input).await
            }

            #[tool(
                scope = "tool.letter.send",
                timeout_s = $seconds,
                effect = "keyed",
                vendor_window = "24h",
                marks_dispatch
            )]
            pub(crate) async fn keyed_marked(
                ctx: &ToolContext,
                input: Letter,
            ) -> Result<Sent, ToolError> {
                post(ctx, input).await
            }

            #[tool(scope = "tool.letter.send", timeout_s = $seconds, reconcile = find)]
            pub(crate) async fn asked(ctx: &ToolContext, input: Letter) -> Result<Sent, ToolError> {
                post(ctx, input).await
            }

            #[tool(scope = "tool.letter.send", timeout_s = $seconds, effect = "at_most_once")]
            pub(crate) async fn once(ctx: &ToolContext, input: Letter) -> Result<Sent, ToolError> {
                post(ctx, input).await
            }

            #[tool(
                scope = "tool.letter.send",
                timeout_s = $seconds,
                effect = "at_most_once",
                marks_dispatch
            )]
            pub(crate) async fn once_marked(
                ctx: &ToolContext,
                input: Letter,
            ) -> Result<Sent, ToolError> {
                post(ctx, input).await
            }
        }
    };
}

tools!(patient, 60);
tools!(brief, 2);

/// Adds all of one module.
macro_rules! add {
    ($pace:ident, $builder:ident, $kind:ident) => {{
        let builder = match $kind {
            StoreKind::Sqlite => $builder.tool::<$pace::on_sqlite::write>(),
            StoreKind::Postgres => $builder.tool::<$pace::on_postgres::write>(),
        };
        let builder = builder.tool::<$pace::look>().tool::<$pace::asked>();
        let builder = builder.tool::<$pace::keyed>().tool::<$pace::keyed_marked>();
        builder.tool::<$pace::once>().tool::<$pace::once_marked>()
    }};
}

/// How long a worker's tools may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Longer than a case.
    Patient,
    /// So short that a case can wait for the timeout.
    Brief,
}

pub(crate) fn all(builder: IdemBuilder, kind: StoreKind, pace: Pace) -> IdemBuilder {
    match pace {
        Pace::Patient => add!(patient, builder, kind),
        Pace::Brief => add!(brief, builder, kind),
    }
}
