//! Descriptor of an operation: what the rest of the program needs of it besides its own commands.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use steward_client::{ClientError, Endpoint, Request};
use steward_journal::StoredRecord;

use crate::history::summary::Summary;
use crate::operations::refresh_invitation::unsaved_invitations::UnsavedInvitations;
use crate::outcome_facts::{CheckFact, CheckedRequest, Suggestion};
use crate::sites::TargetSite;
use crate::sites::availability::SiteFacts;

/// Properties of an operation with the form `F` that other modules need, beside those that the specification gives it
/// ([`OperationDescriptor`](steward_client::operations::OperationDescriptor)).
pub(crate) struct Descriptor<F> {
    /// Builds the requests of a form, complete or not, as the operation does.
    pub(crate) requests: fn(F, &TargetSite, &SiteFacts) -> Vec<Request>,
    /// Parameters that name what a record is about: a success resolves an earlier failure with the same values. Empty
    /// if it is the whole portal or server.
    pub(crate) subject: &'static [&'static str],
    /// Makes the summary of a record; `None` if the operation and the note contain everything.
    pub(crate) summary: fn(&StoredRecord) -> Option<Summary>,
    /// Looks for traces of a request whose response is missing.
    pub(crate) check_outcome: CheckOutcome,
}

/// Looks for traces of a request, and adds a fact for each. Sends nothing that has an effect.
type CheckOutcome = for<'a> fn(
    &'a CheckedRequest<'a>,
    &'a Arc<UnsavedInvitations>,
    &'a Endpoint,
    &'a mut Vec<CheckFact>,
) -> BoxFuture<'a, Result<Suggestion, ClientError>>;
