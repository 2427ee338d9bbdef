//! The request preview: the requests of an operation before they are sent.
//!
//! [`preview`] builds them from the form, as the operation does.

use serde::{Deserialize, Serialize};
use steward_client::Request;
use steward_client::operations::export_server::ExportServer;

use crate::access::Access;
use crate::model::ids::Target;
use crate::model::operation::{Component, Operation, OperationKey};
use crate::model::pasted_path::pasted_path;
use crate::model::problem::Problem;
use crate::operations::deactivate_webhooks::DeactivateWebhooksForm;
use crate::operations::export_portal::ExportPortalForm;
use crate::operations::export_server::{ExportServerForm, ServerExportDestination};
use crate::operations::find_items::FindItemsForm;
use crate::operations::import_server::{self, ImportServerForm};
use crate::operations::refresh_invitation::RefreshInvitationForm;
use crate::operations::update_participant::UpdateParticipantForm;
use crate::sites::TargetSite;
use crate::sites::availability::Known;
use crate::webhooks::deactivation;

/// The form of an operation, complete or not; of a batch, one form for each request.
#[derive(Deserialize, specta::Type)]
#[serde(tag = "operation", content = "form", rename_all = "snake_case")]
pub enum OperationForm {
    /// Form of a portal export.
    ExportPortal(ExportPortalForm),
    /// Form of a server export.
    ExportServer(ExportServerForm),
    /// Form of a server import.
    ImportServer(ImportServerForm),
    /// Form of a webhook deactivation.
    DeactivateWebhooks(DeactivateWebhooksForm),
    /// Form of a data store item search.
    FindItems(FindItemsForm),
    /// Forms of participant contact updates.
    UpdateParticipant(Vec<UpdateParticipantForm>),
    /// Forms of invitation refreshes.
    RefreshInvitation(Vec<RefreshInvitationForm>),
}

/// A request before it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RequestPreview {
    /// HTTP method, for example `POST`.
    pub method: String,
    /// URL without a query.
    pub url: String,
    /// Fields in the order in which they are sent, without `f` and `token`.
    pub fields: Vec<PreviewField>,
}

/// A field of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PreviewField {
    /// Name in the specification.
    pub name: String,
    /// Value that is sent; `null` for a secret.
    pub value: Option<String>,
}

/// Returns the requests that an operation with this form sends.
///
/// # Errors
/// - [`Problem::NoAddress`] if the site has no address for the operation.
/// - [`Problem::Unexpected`] if the site is not saved.
/// - Those of [`Access::known`].
pub async fn preview(
    access: &Access,
    target: &Target,
    form: OperationForm,
) -> Result<Vec<RequestPreview>, Problem> {
    let site = access.sites.at(target)?;
    let known = access.known(&site).await?;
    let (key, requests) = form.requests(&site, &known);
    let no_address = |component| Problem::NoAddress { component };
    let root = match (Operation::of(key).component, site.server()) {
        (Component::Portal, _) => &site.portal.as_ref().ok_or_else(|| no_address(Component::Portal))?.address,
        (Component::Server, None) => return Err(no_address(Component::Server)),
        (Component::Server, Some(server)) => match key {
            // An import uses the administration URL.
            OperationKey::ImportServer => server.admin_url().unwrap_or(&server.address),
            _ => &server.address,
        },
    };
    let shown = |request: Request| RequestPreview {
        method: request.method().to_owned(),
        url: request.url(root).to_string(),
        fields: request
            .fields()
            .map(|(name, value)| PreviewField { name: name.to_owned(), value: value.map(ToOwned::to_owned) })
            .collect(),
    };
    Ok(requests.into_iter().map(shown).collect())
}

impl OperationForm {
    fn requests(self, site: &TargetSite, known: &Known) -> (OperationKey, Vec<Request>) {
        match self {
            Self::ExportPortal(form) => (OperationKey::ExportPortal, vec![form.export().request()]),
            Self::ExportServer(form) => {
                let location = match form.place {
                    ServerExportDestination::ServerFolder { location } => pasted_path(&location),
                    ServerExportDestination::ThisComputer => String::new(),
                };
                (OperationKey::ExportServer, vec![ExportServer { location }.request()])
            }
            Self::ImportServer(form) => {
                let import = import_server::import_of(site, pasted_path(&form.location));
                (OperationKey::ImportServer, vec![import.request()])
            }
            Self::DeactivateWebhooks(form) => {
                let requests = form.services.iter().map(|path| deactivation::request(path).request());
                (OperationKey::DeactivateWebhooks, requests.collect())
            }
            Self::FindItems(form) => (OperationKey::FindItems, vec![form.request().request()]),
            Self::UpdateParticipant(forms) => {
                let requests = forms.iter().map(|form| form.update(known).request());
                (OperationKey::UpdateParticipant, requests.collect())
            }
            Self::RefreshInvitation(forms) => {
                let requests = forms.iter().map(|form| form.refresh(known).request());
                (OperationKey::RefreshInvitation, requests.collect())
            }
        }
    }
}
