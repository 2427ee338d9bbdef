//! What a handler returns.

use super::Refusal;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

/// What a handler has to say; [`super::converse`] writes it down.
pub(crate) enum Answer {
    /// An object, written compactly or, for `f=pjson`, indented.
    Json(Value),
    /// A response that is not JSON: a file.
    File(Response),
}

/// The result of every handler.
pub(crate) type Reply = Result<Answer, Refusal>;

/// An object as an answer.
#[expect(clippy::unnecessary_wraps, reason = "it is the last line of every handler, which returns a Reply")]
pub(crate) fn json(value: Value) -> Reply {
    Ok(Answer::Json(value))
}

/// An answer on its way to [`super::converse`], which alone knows the family and the format to write it in.
#[derive(Clone)]
pub(super) struct Unwritten(pub(super) Result<Value, Refusal>);

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        match self {
            Answer::Json(value) => unwritten(Ok(value)),
            Answer::File(response) => response,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        unwritten(Err(self))
    }
}

fn unwritten(said: Result<Value, Refusal>) -> Response {
    let mut response = Response::default();
    response.extensions_mut().insert(Unwritten(said));
    response
}
