//! Middleware that applies a simulated fault to a request.

use super::rules::{InjectedFault, Operation};
use crate::app::App;
use crate::connection;
use crate::wire::{ApiError, Parameters, only_post, truncate_response};
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;
use std::time::Duration;

/// Applies the next fault rule of `operation`, if there is one.
pub(crate) async fn inject_fault(
    State((app, operation)): State<(Arc<App>, Operation)>,
    Extension(connection): Extension<Arc<connection::State>>,
    mut request: Request,
    next: Next,
) -> Response {
    // A HEAD request does not perform the operation.
    if request.method() == Method::HEAD && operation != Operation::DownloadUpload {
        return only_post().await.into_response();
    }
    let parameters = request.extensions().get::<Parameters>();
    let is_check = parameters.is_some_and(|given| given.text("validate").is_some_and(|text| text == "true"));
    let Some(rule) = app.faults.next(operation, is_check) else {
        return next.run(request).await;
    };
    tracing::info!(?operation, fault = ?rule.fault, "simulated fault applied");
    let instead = match rule.fault {
        InjectedFault::UnwritableFolder
        | InjectedFault::ServiceWillNotStart
        | InjectedFault::UnregisteredRedirect
        | InjectedFault::BoundToken
        | InjectedFault::LicenseExpiresSoon
        | InjectedFault::OtherCertificate
        | InjectedFault::IndexLags
        | InjectedFault::InvalidServer
        | InjectedFault::AbsentFolder
        | InjectedFault::OtherVersion
        | InjectedFault::Orphan => {
            request.extensions_mut().insert(rule);
            return next.run(request).await;
        }
        InjectedFault::Truncated => return truncate_response(next.run(request).await).await,
        InjectedFault::Delay => {
            let delay = async {
                tokio::select! {
                    biased;
                    () = app.stopping.cancelled() => {}
                    () = tokio::time::sleep(Duration::from_secs(rule.seconds)) => {}
                }
            };
            if rule.after {
                let response = next.run(request).await;
                delay.await;
                return response;
            }
            delay.await;
            return next.run(request).await;
        }
        InjectedFault::ExpiredToken => ApiError::invalid_token().into_response(),
        InjectedFault::Refused => ApiError::not_allowed("the default administrator role").into_response(),
        InjectedFault::Html => page(StatusCode::OK, "Site under maintenance"),
        InjectedFault::BadGateway => page(StatusCode::BAD_GATEWAY, "502 Bad Gateway"),
        // Every response on this connection resets it from now on.
        InjectedFault::Reset => {
            connection.reset();
            StatusCode::OK.into_response()
        }
    };
    if rule.after {
        next.run(request).await;
    }
    instead
}

fn page(status: StatusCode, title: &str) -> Response {
    let page = format!(
        "<!doctype html>\n<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>\n"
    );
    (status, [(header::CONTENT_TYPE, "text/html;charset=utf-8")], page).into_response()
}
