//! Running services: features are edited and jobs are run, so that webhooks have something to deliver.

mod apply_edits;
mod catalogue;
mod extract_changes;
mod job_runner;
mod jobs;
mod layers;

pub(crate) use job_runner::{JobRunner, run_jobs};

use crate::app::below;
use crate::router::{Routes, both};
use crate::sign_in::{Caller, Capability, Component};
use crate::store::services::{self, ServiceName};
use crate::wire::{ApiError, RequestContext};
use axum::Router;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::routing::post;
use std::collections::HashMap;
use url::Url;

/// Returns the routes below `/server/rest/services`.
pub(crate) fn routes() -> Routes {
    let mut routes = Router::new()
        .route("/services", both(catalogue::root))
        .route("/services/{folder}", both(catalogue::folder));
    for service in ["/services/{service}", "/services/{folder}/{service}"] {
        let features = format!("{service}/FeatureServer");
        let task = format!("{service}/GPServer/{{task}}");
        routes = routes
            .route(&format!("{features}/{{layer}}/applyEdits"), post(apply_edits::apply_edits))
            .route(&format!("{features}/extractChanges"), both(extract_changes::extract_changes))
            .route(&format!("{task}/submitJob"), both(jobs::submit))
            .route(&format!("{task}/jobs/{{job}}"), both(jobs::status));
    }
    routes
}

/// Returns the URL of a service, with its names percent-encoded.
///
/// # Errors
/// Returns an error if `server_url` is not a URL.
pub(crate) fn address(server_url: &str, service: &ServiceName) -> anyhow::Result<Url> {
    below(server_url, &["rest", "services", &service.folder, &service.name, &service.kind])
}

/// Parameters of a path: folder, service, layer, task, job.
struct Names(HashMap<String, String>);

impl<S: Send + Sync> FromRequestParts<S> for Names {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Names, ApiError> {
        let names = Path::<HashMap<String, String>>::from_request_parts(parts, state).await;
        names.map(|Path(names)| Names(names)).map_err(|_| ApiError::not_found("The resource"))
    }
}

impl Names {
    fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Returns the service in the path, which must exist and be started.
    async fn service(&self, call: &RequestContext, kind: &str) -> Result<ServiceName, ApiError> {
        let name = ServiceName {
            folder: self.get("folder").to_owned(),
            name: self.get("service").to_owned(),
            kind: kind.to_owned(),
        };
        let service = call.app.server.read(move |server| services::find(server, &name)).await?;
        if service.real_time_state == "STARTED" {
            Ok(service.name)
        } else {
            Err(ApiError::failed(format!("The service {} is not started.", service.name)))
        }
    }
}

/// Requires a signed-in user.
async fn reader(call: &RequestContext) -> Result<Caller, ApiError> {
    call.caller(Component::Server).await
}

/// Requires the privilege for editing features or running jobs of this service type.
async fn editor(call: &RequestContext, kind: &str) -> Result<Caller, ApiError> {
    call.caller_with(Component::Server, Capability::for_webhooks_of(kind)).await
}
