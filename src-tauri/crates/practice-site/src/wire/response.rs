//! Results of handlers.

use super::ApiError;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

/// Result of a handler, written by [`super::handle_form`].
pub(crate) enum ApiResponse {
    /// JSON object, compact or indented for `f=pjson`.
    Json(Value),
    /// JSON object as text.
    JsonText(String),
    /// Complete response, for example a file.
    File(Response),
}

/// Return type of every handler.
///
/// # Errors
/// Every handler that requires a user returns code 499 without a token, code 498 for an invalid token, and code 403 if
/// the user lacks the capability. Invalid parameters give code 400, missing resources code 404, and failures code 500.
pub(crate) type Reply = Result<ApiResponse, ApiError>;

/// Returns a JSON object as the result of a handler.
#[expect(clippy::unnecessary_wraps, reason = "it is the last line of every handler, which returns a Reply")]
pub(crate) fn json(value: Value) -> Reply {
    Ok(ApiResponse::Json(value))
}

/// Result that [`super::handle_form`] formats, which alone has the error family and the format of the request.
#[derive(Clone)]
pub(super) struct PendingResponse(pub(super) Result<ResponseContent, ApiError>);

/// Result as a value or as JSON text.
#[derive(Clone)]
pub(super) enum ResponseContent {
    Value(Value),
    Text(String),
}

impl ResponseContent {
    /// Returns compact JSON.
    pub(super) fn into_text(self) -> String {
        match self {
            ResponseContent::Value(value) => value.to_string(),
            ResponseContent::Text(text) => text,
        }
    }

    pub(super) fn into_value(self) -> Value {
        match self {
            ResponseContent::Value(value) => value,
            // Created by this site, so it can be parsed.
            ResponseContent::Text(text) => serde_json::from_str(&text).unwrap_or_default(),
        }
    }
}

impl IntoResponse for ApiResponse {
    fn into_response(self) -> Response {
        match self {
            ApiResponse::Json(value) => pending(Ok(ResponseContent::Value(value))),
            ApiResponse::JsonText(text) => pending(Ok(ResponseContent::Text(text))),
            ApiResponse::File(response) => response,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        pending(Err(self))
    }
}

fn pending(said: Result<ResponseContent, ApiError>) -> Response {
    let mut response = Response::default();
    response.extensions_mut().insert(PendingResponse(said));
    response
}
