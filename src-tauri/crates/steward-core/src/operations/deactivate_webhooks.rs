//! Operation 4: webhook deactivation.
//!
//! [`perform`] sends one request per service. The active webhooks of each service are stored in the
//! [deactivation log](crate::webhooks::deactivation_log) first, so that exactly these can be reactivated. [`single`]
//! deactivates one webhook of a service.

mod outcome;
pub mod single;
mod summary;

use futures_util::FutureExt;
use serde::Deserialize;

use crate::execution::Execution;
use crate::model::ids::Target;
use crate::model::operation::{Operation, OperationKey};
use crate::model::problem::{FieldError, Problem};
use crate::model::run_result::RunResult;
use crate::model::typed;
use crate::operations::descriptor::Descriptor;
use crate::runs::NewRun;
use crate::site_context::SiteContext;
use crate::sites::confirmation;
use crate::webhooks::deactivation::{self, DeactivateReport, Otherwise, deactivate_services};

/// Operation of this module.
pub const OPERATION: Operation = Operation::of(OperationKey::DeactivateWebhooks);

/// Descriptor of the operation.
pub(super) const DESCRIPTOR: Descriptor<DeactivateWebhooksForm> = Descriptor {
    requests: |form, _, _| form.services.iter().map(|path| deactivation::request(path).request()).collect(),
    subject: &[],
    summary: summary::summary,
    check_outcome: |request, _, server, facts| outcome::check_outcome(request, server, facts).boxed(),
};

/// Form of the operation.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivateWebhooksForm {
    /// Paths of services, for example `Hosted/Hydrants.FeatureServer`.
    pub services: Vec<String>,
    /// Reason for the deactivation log; may be empty.
    pub why: String,
    /// Name of the site, as typed; only required for production sites.
    pub confirmation: String,
}

/// Deactivates the webhooks of services, one request per service.
///
/// A missing response ends the operation as unknown. Services after it are not sent.
///
/// # Errors
/// - [`Problem::Form`] if no service is selected, or the site name is not confirmed.
/// - Those of [`Execution::admit`] and `deactivate_services`.
pub async fn perform(
    context: &SiteContext,
    target: &Target,
    run: impl Into<NewRun>,
    form: DeactivateWebhooksForm,
) -> Result<RunResult<DeactivateReport>, Problem> {
    if form.services.is_empty() || form.services.iter().any(String::is_empty) {
        return Err(Problem::form("services", FieldError::Required));
    }
    typed::check(form.services.iter().map(|service| ("services", service.as_str())))?;
    let saved = context.access.sites.get(&target.site)?;
    confirmation::check(&form.confirmation, confirmation::for_deactivation(&saved))?;
    let (site, run) = Execution::admit(context, &OPERATION, target, run.into().because(&form.why))?;
    let (services, why) = (form.services, form.why.trim());
    let ended = deactivate_services(context, site, run, services, why, Otherwise::Continue, None).await?;
    Ok(ended.1)
}
