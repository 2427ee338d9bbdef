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
mod new_file;
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

        /// Looks for traces of a request of an operation whose response is missing.
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

    /// Returns the fields of an operation that every version has.
    fn of_every_version(operation: OperationKey) -> &'static [&'static str] {
        match operation {
            OperationKey::ExportPortal => &[
                "location",
                "backupObjectStore",
                "backupObjectStoreRegion",
                "backupObjectStoreConnectionStr",
            ],
            OperationKey::ExportServer | OperationKey::ImportPortal => &["location"],
            OperationKey::ImportServer => &["location", "EXPORT_LOCATION"],
            OperationKey::DeactivateWebhooks | OperationKey::RefreshInvitation => &[],
            OperationKey::FindItems => &["parentPath", "ancestorPath", "types", "id", "isManaged", "managed"],
            OperationKey::UpdateParticipant => {
                &["contactFirstname", "contactLastname", "contactEmailAddress"]
            }
        }
    }

    /// Returns forms that use every option of an operation.
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
            OperationKey::DeactivateWebhooks => {
                vec![json!({ "services": ["A.FeatureServer"], "why": "", "confirmation": "" })]
            }
            OperationKey::FindItems => vec![json!({ "parentPath": "/a", "ancestorPath": "/b", "types": "c",
                "id": "d", "isManaged": true })],
            OperationKey::UpdateParticipant => vec![json!([{ "collaborationId": "a", "participantId": "b",
                "contactFirstname": "c", "contactLastname": "d", "contactEmailAddress": "e" }])],
            OperationKey::RefreshInvitation => {
                vec![json!([{ "collaborationId": "a", "invitationId": "b" }])]
            }
        }
    }

    /// Returns the parameters in the requests of all forms that not every version has; `None` for one that no descriptor can
    /// have.
    fn sent(operation: OperationKey, version: &str) -> Vec<(String, Option<GatedParameter>)> {
        let site = Site::example("a").at_current();
        let version = Version::parse(version);
        let known = SiteFacts { portal_version: version, server_version: version, ..SiteFacts::default() };
        let usual = of_every_version(operation);
        let mut sent = Vec::new();
        for form in forms(operation) {
            let form = json!({ "operation": operation.name(), "form": form });
            let form: OperationForm = serde_json::from_value(form).unwrap();
            for request in form.requests(&site, &known).1 {
                let names: Vec<&str> = request.fields().map(|(name, _)| name).collect();
                let gated = names.iter().filter(|name| !usual.contains(name));
                sent.extend(gated.map(|name| {
                    let parameter = match *name {
                        "validate" => Some(GatedParameter::Validate),
                        "locationConfig" => Some(GatedParameter::LocationConfig),
                        "restartWebServer" => Some(GatedParameter::RestartWebServer),
                        _ => None,
                    };
                    ((*name).to_owned(), parameter)
                }));
                if usual.contains(&"location") && !names.contains(&"location") {
                    sent.push(("no location".to_owned(), Some(GatedParameter::NoLocation)));
                }
            }
        }
        sent
    }

    #[test]
    fn every_parameter_of_a_descriptor_can_be_sent_and_no_other_one() {
        let mut wrong = Vec::new();
        for operation in OperationKey::ALL {
            let described = operation.descriptor().parameters;
            let sent = sent(operation, "12.0");
            for parameter in described {
                if !sent.iter().any(|(_, one)| one.as_ref() == Some(parameter)) {
                    wrong.push(format!("{operation:?} never sends {parameter:?}, which its descriptor has"));
                }
            }
            for (name, parameter) in sent {
                if !parameter.is_some_and(|parameter| described.contains(&parameter)) {
                    wrong.push(format!("{operation:?} sends {name}, which its descriptor lacks"));
                }
            }
        }
        assert_eq!(wrong, [] as [String; 0]);
    }

    #[test]
    fn a_server_is_told_to_restart_its_web_server_only_if_its_version_has_that() {
        for (version, is_told) in [("11.2", false), ("11.3", true), ("12.0", true), ("unknown", false)] {
            let sent = sent(OperationKey::ImportServer, version);
            let restarts = sent.iter().any(|(name, _)| name == "restartWebServer");
            assert_eq!(restarts, is_told, "{version}");
        }
    }
}
