//! Reads what a request says before the handler runs, and writes what the handler said after it.

use super::answer::{Said, Unwritten};
use super::parameters::Format;
use super::{Parameters, Refusal, html};
use axum::body::{Body, to_bytes};
use axum::extract::{OriginalUri, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Value, json};
use std::time::Duration;

/// Operations are short forms. Files come by [`converse_about_files`].
const LONGEST_BODY: usize = 1024 * 1024;
/// How long a form may take to arrive.
const FORM_WITHIN: Duration = Duration::from_secs(30);

/// How a refusal is written. The HTTP status is 200 in every family: the field's clients repeat a POST, or drop
/// the message, when they see another one.
#[derive(Clone, Copy)]
pub(crate) enum Family {
    /// The specification's error object: sharing, portal administration, services directory.
    ErrorObject,
    /// What the field's server administration answers: `status`, `messages`, `code`.
    StatusObject,
    /// The specification's own operations in the server area: its error object and the field's in one, so that
    /// a client written from either finds what it looks for.
    Both,
}

pub(crate) async fn converse(State(family): State<Family>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let parameters = match tokio::time::timeout(FORM_WITHIN, to_bytes(body, LONGEST_BODY)).await {
        Ok(Ok(body)) => Parameters::read(&parts, body).await,
        Ok(Err(_)) => Err(Refusal::too_large()),
        Err(_) => Err(Refusal::too_slow()),
    };
    answer(family, parameters, Request::from_parts(parts, Body::empty()), next).await
}

/// The same where the body may hold files: the handler reads it as it comes.
pub(crate) async fn converse_about_files(
    State(family): State<Family>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let parameters = Parameters::of_the_query(&parts);
    answer(family, Ok(parameters), Request::from_parts(parts, body), next).await
}

async fn answer(
    family: Family,
    parameters: Result<Parameters, Refusal>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = request.extensions().get::<OriginalUri>().map_or(request.uri(), |original| &original.0);
    let address = address.path().to_owned();
    let parameters = match parameters {
        Ok(parameters) => parameters,
        Err(refusal) => return write(&address, Said::Value(refusal_object(family, &refusal)), Format::Json),
    };
    let format = parameters.format();
    request.extensions_mut().insert(parameters);

    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<Unwritten>() {
        Some(Unwritten(Ok(said))) => write(&address, said, format),
        // The library's own words for a path or a body that it could not read.
        None if response.status() == StatusCode::BAD_REQUEST => {
            let refusal = Refusal::bad_request("The address or the body of the request cannot be read.");
            write(&address, Said::Value(refusal_object(family, &refusal)), format)
        }
        Some(Unwritten(Err(refusal))) => {
            write(&address, Said::Value(refusal_object(family, &refusal)), format)
        }
        None => response,
    }
}

/// The fallback of every area.
pub(crate) async fn no_such_resource() -> Refusal {
    Refusal::not_found("The resource")
}

/// The answer to a GET where the specification names POST.
pub(crate) async fn only_post() -> Refusal {
    Refusal::only_post()
}

fn refusal_object(family: Family, refusal: &Refusal) -> Value {
    let Refusal { code, message, details } = refusal;
    let mut messages = vec![message];
    messages.extend(details.iter().flatten());
    let error = json!({ "code": code, "message": message, "details": details });
    match family {
        Family::ErrorObject => json!({ "error": error }),
        Family::StatusObject => json!({ "status": "error", "messages": messages, "code": code }),
        Family::Both => json!({ "status": "error", "messages": messages, "code": code, "error": error }),
    }
}

fn write(address: &str, said: Said, format: Format) -> Response {
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
