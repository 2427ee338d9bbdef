//! The request preview: the requests of an operation before they are sent.
//!
//! [`preview`] builds them from the form, as the operation does.

use serde::Serialize;
use steward_client::{Component, Request};

use crate::access::Access;
use crate::model::ids::Target;
use crate::model::problem::Problem;
use crate::operations::OperationForm;

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
    let operation = key.descriptor();
    let component = operation.component();
    let roots = match component {
        Component::Portal => site.portal.as_ref().map(|portal| (&portal.address, portal.admin_url())),
        Component::Server => site.server().map(|server| (&server.address, server.admin_url())),
    };
    let (in_use, direct) = roots.ok_or(Problem::NoAddress { component })?;
    let root = direct.filter(|_| operation.needs_admin_url.is_preferred()).unwrap_or(in_use);
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
