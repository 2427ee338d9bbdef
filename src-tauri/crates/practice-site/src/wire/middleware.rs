//! Middleware that reads the parameters before a handler runs and writes its result afterwards.

use super::parameters::Format;
use super::response::{PendingResponse, ResponseContent};
use super::{ApiError, Parameters, html};
use axum::body::{Body, to_bytes};
use axum::extract::{OriginalUri, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Value, json};
use std::time::Duration;

/// Maximum size of a form, in bytes. Files are received by [`handle_files`].
const LONGEST_BODY: usize = 1024 * 1024;
/// Timeout for receiving a form.
const FORM_WITHIN: Duration = Duration::from_secs(30);

/// Format of errors. The HTTP status is always 200: existing clients repeat a POST or discard the message if they
/// receive another status.
#[derive(Clone, Copy)]
pub(crate) enum Family {
    /// Error object of the specification: sharing, portal administration, services directory.
    ErrorObject,
    /// Format of real server administrations: `status`, `messages`, `code`.
    StatusObject,
    /// Operations of the specification on the server: both formats combined, so that clients for either one work.
    Both,
}

pub(crate) async fn handle_form(State(family): State<Family>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let parameters = match tokio::time::timeout(FORM_WITHIN, to_bytes(body, LONGEST_BODY)).await {
        Ok(Ok(body)) => Parameters::read(&parts, body).await,
        Ok(Err(_)) => Err(ApiError::too_large()),
        Err(_) => Err(ApiError::too_slow()),
    };
    answer(family, parameters, Request::from_parts(parts, Body::empty()), next).await
}

/// Same as [`handle_form`] for requests with files, whose body the handler reads itself.
pub(crate) async fn handle_files(State(family): State<Family>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let parameters = Parameters::of_the_query(&parts);
    answer(family, Ok(parameters), Request::from_parts(parts, body), next).await
}

async fn answer(
    family: Family,
    parameters: Result<Parameters, ApiError>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = request.extensions().get::<OriginalUri>().map_or(request.uri(), |original| &original.0);
    let address = address.path().to_owned();
    let parameters = match parameters {
        Ok(parameters) => parameters,
        Err(rejection) => {
            return write(&address, ResponseContent::Value(error_object(family, &rejection)), Format::Json);
        }
    };
    let format = parameters.format();
    request.extensions_mut().insert(parameters);

    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<PendingResponse>() {
        Some(PendingResponse(Ok(said))) => write(&address, said, format),
        // The library rejected a path or a body, in plain text. A page is an error of the sign-in.
        None if response.status() == StatusCode::BAD_REQUEST && !is_page(&response) => {
            let rejection = ApiError::bad_request("The address or the body of the request cannot be read.");
            write(&address, ResponseContent::Value(error_object(family, &rejection)), format)
        }
        Some(PendingResponse(Err(rejection))) => {
            write(&address, ResponseContent::Value(error_object(family, &rejection)), format)
        }
        None => response,
    }
}

fn is_page(response: &Response) -> bool {
    let content = response.headers().get(header::CONTENT_TYPE);
    content.is_some_and(|content| content.as_bytes().starts_with(b"text/html"))
}

/// Handles unknown paths.
pub(crate) async fn no_such_resource() -> ApiError {
    ApiError::not_found("The resource")
}

/// Handles a GET of a resource for which the specification requires POST.
pub(crate) async fn only_post() -> ApiError {
    ApiError::only_post()
}

fn error_object(family: Family, rejection: &ApiError) -> Value {
    let ApiError { code, message, details } = rejection;
    let mut messages = vec![message];
    messages.extend(details.iter().flatten());
    let error = json!({ "code": code, "message": message, "details": details });
    match family {
        Family::ErrorObject => json!({ "error": error }),
        Family::StatusObject => json!({ "status": "error", "messages": messages, "code": code }),
        Family::Both => json!({ "status": "error", "messages": messages, "code": code, "error": error }),
    }
}

fn write(address: &str, said: ResponseContent, format: Format) -> Response {
    let text = match format {
        Format::Json => said.into_text(),
        Format::IndentedJson => format!("{:#}", said.into_value()),
        Format::Page => return html::page_of(address, &said.into_value()),
    };
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json;charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
