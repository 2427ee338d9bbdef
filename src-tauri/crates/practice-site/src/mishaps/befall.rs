//! Makes an ordered mishap happen to a request.

use super::order::{Mishap, Operation};
use crate::app::App;
use crate::connection::ResetSwitch;
use crate::wire::{Refusal, cut_short, only_post};
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;
use std::time::Duration;

/// Around each operation.
pub(crate) async fn befall(
    State((app, operation)): State<(Arc<App>, Operation)>,
    Extension(connection): Extension<ResetSwitch>,
    mut request: Request,
    next: Next,
) -> Response {
    // Asked for the headers of an answer, not for the operation.
    if request.method() == Method::HEAD && operation != Operation::DownloadUpload {
        return only_post().await.into_response();
    }
    let Some(order) = app.mishaps.next(operation) else {
        return next.run(request).await;
    };
    tracing::info!(?operation, mishap = ?order.mishap, "a mishap that was ordered");
    let instead = match order.mishap {
        Mishap::UnwritableFolder | Mishap::ServiceWillNotStart => {
            request.extensions_mut().insert(order.mishap);
            return next.run(request).await;
        }
        Mishap::Truncated => return cut_short(next.run(request).await).await,
        Mishap::Delay => {
            tokio::select! {
                () = tokio::time::sleep(Duration::from_secs(order.seconds)) => {}
                () = app.stopping.cancelled() => {}
            }
            return next.run(request).await;
        }
        Mishap::ExpiredToken => Refusal::invalid_token().into_response(),
        Mishap::Html => page(StatusCode::OK, "Site under maintenance"),
        Mishap::BadGateway => page(StatusCode::BAD_GATEWAY, "502 Bad Gateway"),
        // Whatever is answered on this connection from now on resets it.
        Mishap::Reset => {
            connection.turn();
            StatusCode::OK.into_response()
        }
    };
    if order.after {
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
