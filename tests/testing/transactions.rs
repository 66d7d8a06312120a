//! A `transactional` tool at the crash points: its body commits its answer.

use idem_tests::{StoreKind, TestStore};
use idem_tools::IdemBuilder;
use idem_tools::testing::{CrashPoint, Worker};

use crate::parts::{answered, proposed, users_store};

/// The same tool for each store: only the context's type differs.
macro_rules! filing_tool {
    ($module:ident, $store:ident) => {
        mod $module {
            use crate::parts::{Letter, Sent};
            use idem_tools::{Committed, ToolContext, ToolError, tool, $store};

            /// File a letter.
            #[tool(scope = "tool.letter.file", timeout_s = 60, effect = "transactional")]
            pub(super) async fn file(
                ctx: &ToolContext<$store>,
                input: Letter,
            ) -> Result<Committed<Sent>, ToolError> {
                let transaction = ctx.transaction().await?;
                ctx.commit(transaction, Sent { id: input.to }).await
            }
        }
    };
}

filing_tool!(on_sqlite, Sqlite);
filing_tool!(on_postgres, Postgres);

/// R32: before the wire nothing is committed; after it the answer is there at once, and no lease has to pass.
pub(crate) async fn a_transactional_tool_has_its_answer_after_the_wire(store: TestStore) {
    let kind = store.kind;
    let equip = move |builder: IdemBuilder| match kind {
        StoreKind::Sqlite => builder.tool::<on_sqlite::file>(),
        StoreKind::Postgres => builder.tool::<on_postgres::file>(),
    };
    for (point, replayed) in [
        (CrashPoint::BeforeWire, false),
        (CrashPoint::AfterWire, true),
    ] {
        let own = users_store(&store);
        let dies = Worker::start_stopping_at(point, &own, equip).await;
        dies.turn(1).begin(vec![proposed("file")]);
        dies.reached().await;
        dies.vanish();
        if !replayed {
            assert_eq!(own.leases_pass().await, 1, "{point:?}");
        }
        let next = Worker::start(&own, equip).await;
        let told = answered(next.turn(1).call(proposed("file")).await);
        assert_eq!(told.replayed, replayed, "{point:?}");
        assert!(told.result.is_ok(), "{point:?}");
    }
}
