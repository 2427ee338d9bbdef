//! The operations, one module each: form, requests, report, and `Descriptor`.
//!
//! Each `perform` runs in an [`Execution`](crate::execution::Execution).

pub mod deactivate_webhooks;
mod descriptor;
pub mod export_portal;
pub mod export_server;
pub mod find_items;
pub mod import_portal;
pub mod import_server;
pub mod refresh_invitation;
pub mod update_participant;

use std::sync::Arc;

use serde::Deserialize;
use steward_client::{ClientError, Endpoint, Request};
use steward_journal::StoredRecord;

use crate::history::summary::Summary;
use crate::model::operation::OperationKey;
use crate::operations::refresh_invitation::unsaved_invitations::UnsavedInvitations;
use crate::outcome_facts::{CheckFact, CheckedRequest, Suggestion};
use crate::sites::TargetSite;
use crate::sites::availability::SiteFacts;

/// Declares the operations: the key of each, its module, which has its descriptor, and what its request preview is made
/// of.
macro_rules! operations {
    ($($variant:ident = $module:ident, $form:ty;)+) => {
        /// The form of an operation, complete or not; of a batch, one form for each request.
        #[derive(Deserialize, specta::Type)]
        #[serde(tag = "operation", content = "form", rename_all = "snake_case")]
        pub enum OperationForm {
            $(#[doc = concat!("Form of [`", stringify!($module), "`].")] $variant($form),)+
        }

        impl OperationForm {
            /// Returns the operation and the requests that it sends.
            pub(crate) fn requests(self, site: &TargetSite, known: &SiteFacts) -> (OperationKey, Vec<Request>) {
                match self {
                    $(Self::$variant(form) => {
                        (OperationKey::$variant, ($module::DESCRIPTOR.requests)(form, site, known))
                    })+
                }
            }
        }

        /// Returns the parameters that tell what a record of an operation is about.
        #[must_use]
        pub fn subject(operation: OperationKey) -> &'static [&'static str] {
            match operation {
                $(OperationKey::$variant => $module::DESCRIPTOR.subject,)+
            }
        }

        /// Returns the summary of a record of an operation.
        pub(crate) fn summary(operation: OperationKey, record: &StoredRecord) -> Option<Summary> {
            match operation {
                $(OperationKey::$variant => ($module::DESCRIPTOR.summary)(record),)+
            }
        }

        /// Looks for what a request of an operation left whose response is missing.
        pub(crate) async fn check_outcome(
            operation: OperationKey,
            request: &CheckedRequest<'_>,
            unsaved: &Arc<UnsavedInvitations>,
            endpoint: &Endpoint,
            facts: &mut Vec<CheckFact>,
        ) -> Result<Suggestion, ClientError> {
            let check = match operation {
                $(OperationKey::$variant => $module::DESCRIPTOR.check_outcome,)+
            };
            check(request, unsaved, endpoint, facts).await
        }
    };
}

operations! {
    ExportPortal = export_portal, export_portal::ExportPortalForm;
    ExportServer = export_server, export_server::ExportServerForm;
    ImportServer = import_server, import_server::ImportServerForm;
    DeactivateWebhooks = deactivate_webhooks, deactivate_webhooks::DeactivateWebhooksForm;
    FindItems = find_items, find_items::FindItemsForm;
    UpdateParticipant = update_participant, Vec<update_participant::UpdateParticipantForm>;
    RefreshInvitation = refresh_invitation, Vec<refresh_invitation::RefreshInvitationForm>;
    ImportPortal = import_portal, import_portal::ImportPortalForm;
}
