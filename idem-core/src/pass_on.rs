//! Passes the verbs on cards and runs and the questions about the past on, for a store that stands before another one
//! and has a way of its own with other verbs. For this workspace's own use.

/// Implements `ApprovalRepository`, `RunRepository` and `Inspection` for a type by the store in one of its fields.
///
/// ```text
/// idem_core::delegate_cards!(Counting, store);
/// idem_core::delegate_cards!(Counting, store, find_card by [asked("find_card")]);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! delegate_cards {
    ($type:ty, $field:ident) => {
        $crate::delegate_cards!($type, $field, find_card by [$field]);
    };
    ($type:ty, $field:ident, find_card by $find:tt) => {
        $crate::delegate_runs!($type, [$field]);

        const _: () = {
            use $crate::approval::*;
            use $crate::identity::{LogicalTurn, RunId};
            use $crate::inspection::{Inspected, KeyPrefix};
            use $crate::{Inspection, OrganizationId, Scope};

            $crate::pass_on! { Inspection for $type, [$field], {
                fn find_keys(o: OrganizationId, p: &KeyPrefix, s: Option<&str>, rows_max: u32) -> Vec<Inspected>;
                fn answered_in_run(o: OrganizationId, s: &Scope, r: &RunId) -> bool;
            }}

            $crate::pass_on! { ApprovalRepository for $type, [$field], {
                fn open_card(id: ApprovalId, card: &NewCard) -> Option<Approval>;
                fn find_card(o: OrganizationId, at: (&RunId, &LogicalTurn), call: CardCall<'_>) -> Option<Approval>,
                    by $find;
                fn cards(o: OrganizationId, filter: &CardFilter) -> Vec<Approval>;
                fn take_edit(o: OrganizationId, id: ApprovalId, asked: &str, taken: &TakenEdit) -> Option<Approval>;
                fn card(o: OrganizationId, id: ApprovalId) -> Option<Approval>;
                fn expire_card(o: OrganizationId, id: ApprovalId) -> Option<Approval>;
                fn spend_card(o: OrganizationId, id: ApprovalId) -> Option<Approval>;
                fn decide_card(o: OrganizationId, id: ApprovalId, decision: &Decision) -> Option<Approval>;
                fn request_edit(o: OrganizationId, id: ApprovalId, edit: &EditRequest) -> Option<Approval>;
                fn withdraw_card(o: OrganizationId, id: ApprovalId, why: &str) -> Option<Approval>;
            }}
        };
    };
}

/// Implements `RunRepository` for a type, as [`pass_on`](crate::pass_on) says.
///
/// ```text
/// idem_core::delegate_runs!(Counting, [store]);
/// idem_core::delegate_runs!(Lossy, [pass around inner]);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! delegate_runs {
    ($type:ty, $to:tt) => {
        const _: () = {
            use $crate::OrganizationId;
            use $crate::identity::{MessageId, RunId};
            use $crate::runs::*;
            use ::std::time::Duration;

            $crate::pass_on! { RunRepository for $type, $to, {
                fn admit_run(run: &NewRun) -> Option<RunRecord>;
                fn run(o: OrganizationId, r: &RunId) -> Option<RunRecord>;
                fn run_of_start(o: OrganizationId, key: &StartKey) -> Option<RunRecord>;
                fn ready_runs(o: Option<OrganizationId>, rows_max: u32) -> Vec<RunRecord>;
                fn take_segment(o: OrganizationId, r: &RunId, t: SegmentToken, lease: Duration) -> Option<RunRecord>;
                fn renew_segment(o: OrganizationId, r: &RunId, t: SegmentToken, lease: Duration) -> Option<RunRecord>;
                fn leave_segment(o: OrganizationId, r: &RunId, t: SegmentToken, how: &LeaveAs) -> Option<RunRecord>;
                fn end_run(o: OrganizationId, r: &RunId, t: Option<SegmentToken>, how: &EndRun) -> Option<RunRecord>;
                fn request_cancel(o: OrganizationId, r: &RunId, by: &str) -> Option<RunRecord>;
                fn post_message(o: OrganizationId, r: &RunId, new: &NewMessage) -> Option<StoredMessage>;
                fn message(o: OrganizationId, id: &MessageId) -> Option<StoredMessage>;
                fn messages(o: OrganizationId, r: &RunId, behind: u32) -> Vec<StoredMessage>;
                fn begin_run_turn(o: OrganizationId, r: &RunId, t: SegmentToken, new: &BegunTurn) -> Option<RunTurn>;
                fn end_run_turn(o: OrganizationId, r: &RunId, number: u32) -> Option<RunTurn>;
                fn run_turns(o: OrganizationId, r: &RunId) -> Vec<RunTurn>;
                fn withdraw_cards_of_run(o: OrganizationId, r: &RunId, why: &str) -> u64;
            }}
        };
    };
}

/// Implements a trait of the store for a type by passing each verb on: to a field, `[store]`; to what a method gives,
/// `[asked("find_card")]`; or through a method that is told the verb's name and given what the field's store would do,
/// `[pass around inner]`, and given a value besides, `[pass(rows.len()) around inner]`. A verb with a way of its own names it behind its reply.
#[doc(hidden)]
#[macro_export]
macro_rules! pass_on {
    ($trait:ident for $type:ty, $to:tt, {
        $(fn $verb:ident($($argument:ident: $of:ty),*) -> $reply:ty $(, by $own:tt)?;)*
    }) => {
        #[::async_trait::async_trait]
        impl $trait for $type {
            $(
                async fn $verb(
                    &self,
                    $($argument: $of),*
                ) -> ::std::result::Result<$reply, $crate::RepositoryError> {
                    $crate::pass_on!(@ self, $($own)? $to, $verb($($argument),*))
                }
            )*
        }
    };
    (@ $self:ident, $own:tt $to:tt, $verb:ident $arguments:tt) => {
        $crate::pass_on!(@ $self, $own, $verb $arguments)
    };
    (@ $self:ident, [$pass:ident around $field:ident], $verb:ident($($argument:ident),*)) => {
        $self.$pass(stringify!($verb), $self.$field.$verb($($argument),*)).await
    };
    (@ $self:ident, [$pass:ident($with:expr) around $field:ident], $verb:ident($($argument:ident),*)) => {
        $self.$pass(stringify!($verb), $with, $self.$field.$verb($($argument),*)).await
    };
    (@ $self:ident, [$($store:tt)+], $verb:ident($($argument:ident),*)) => {
        $self.$($store)+.$verb($($argument),*).await
    };
}
