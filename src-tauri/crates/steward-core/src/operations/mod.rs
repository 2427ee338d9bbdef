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
        pub fn summary(operation: OperationKey, record: &StoredRecord) -> Option<Summary> {
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use steward_client::{GatedParameter, Version};

    use super::*;
    use crate::sites::Site;

    /// Fields that every version has.
    const OF_EVERY_VERSION: [&str; 5] = [
        "location",
        "EXPORT_LOCATION",
        "backupObjectStore",
        "backupObjectStoreRegion",
        "backupObjectStoreConnectionStr",
    ];

    /// Returns forms that use every option of an operation; none for operations that are the same in every version.
    fn forms(operation: OperationKey) -> Vec<Value> {
        let bucket = json!({ "kind": "bucket", "location": "/a", "bucket": "b", "region": "r" });
        let blob = json!({ "kind": "blob", "location": "/a", "container": "https://a.example.net/c",
            "accountName": "a", "accountKey": "k", "accountEndpoint": "example.net" });
        match operation {
            OperationKey::ExportPortal => {
                let folder = json!({ "kind": "folder", "location": "/a" });
                [folder, bucket, blob, json!({ "kind": "portal" })]
                    .into_iter()
                    .flat_map(|target| {
                        [true, false].map(|check| json!({ "target": target, "checkOnly": check }))
                    })
                    .collect()
            }
            OperationKey::ExportServer => vec![
                json!({ "place": { "kind": "serverFolder", "location": "/a" } }),
                json!({ "place": { "kind": "thisComputer" } }),
            ],
            OperationKey::ImportServer => [true, false]
                .map(|chosen| {
                    json!({ "location": "/a", "confirmation": "", "safetyBackup": null,
                        "deactivateWebhooks": null, "options": { "checkFirst": chosen,
                        "restartWebServer": chosen, "throughWebAdaptor": chosen } })
                })
                .into(),
            OperationKey::ImportPortal => [Value::Null, bucket, blob]
                .into_iter()
                .flat_map(|store| {
                    [true, false].map(|check| {
                        json!({ "location": "/a", "store": store, "exportVersion": null,
                            "safetyBackup": null, "confirmation": "", "checkOnly": check })
                    })
                })
                .collect(),
            OperationKey::DeactivateWebhooks
            | OperationKey::FindItems
            | OperationKey::UpdateParticipant
            | OperationKey::RefreshInvitation => Vec::new(),
        }
    }

    /// Returns the parameters in the requests of all forms that not every version has.
    fn sent(operation: OperationKey, version: &str) -> Vec<GatedParameter> {
        let site = Site::example("a").at_current();
        let version = Version::parse(version);
        let known = SiteFacts { portal_version: version, server_version: version, ..SiteFacts::default() };
        let mut sent = Vec::new();
        for form in forms(operation) {
            let form = json!({ "operation": operation.name(), "form": form });
            let form: OperationForm = serde_json::from_value(form).unwrap();
            for request in form.requests(&site, &known).1 {
                let names: Vec<&str> = request.fields().map(|(name, _)| name).collect();
                let gated = names.iter().filter(|name| !OF_EVERY_VERSION.contains(name));
                sent.extend(gated.map(|name| match *name {
                    "validate" => GatedParameter::Validate,
                    "locationConfig" => GatedParameter::LocationConfig,
                    "restartWebServer" => GatedParameter::RestartWebServer,
                    other => panic!("{operation:?} sends {other}, which no descriptor has"),
                }));
                if !names.contains(&"location") {
                    sent.push(GatedParameter::NoLocation);
                }
            }
        }
        sent
    }

    #[test]
    fn every_parameter_of_a_descriptor_can_be_sent_and_no_other_one() {
        for operation in OperationKey::ALL {
            let described = operation.descriptor().parameters;
            let sent = sent(operation, "12.0");
            for parameter in described {
                assert!(sent.contains(parameter), "{operation:?} never sends {parameter:?}");
            }
            for parameter in sent {
                assert!(described.contains(&parameter), "{operation:?} does not describe {parameter:?}");
            }
        }
    }

    #[test]
    fn a_server_is_told_to_restart_its_web_server_only_if_its_version_has_that() {
        for (version, is_told) in [("11.2", false), ("11.3", true), ("12.0", true), ("unknown", false)] {
            let sent = sent(OperationKey::ImportServer, version);
            assert_eq!(sent.contains(&GatedParameter::RestartWebServer), is_told, "{version}");
        }
    }
}
