//! What a handler returns.

use super::Refusal;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

/// What a handler has to say; [`super::converse`] writes it down.
pub(crate) enum Answer {
    /// An object, written compactly or, for `f=pjson`, indented.
    Json(Value),
    /// An object that is JSON text already.
    JsonText(String),
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
pub(super) struct Unwritten(pub(super) Result<Said, Refusal>);

/// What was said, as far as it is written yet.
#[derive(Clone)]
pub(super) enum Said {
    Value(Value),
    Text(String),
}

impl Said {
    /// As compact JSON.
    pub(super) fn into_text(self) -> String {
        match self {
            Said::Value(value) => value.to_string(),
            Said::Text(text) => text,
        }
    }

    pub(super) fn into_value(self) -> Value {
        match self {
            Said::Value(value) => value,
            // Written by us, so it can be read.
            Said::Text(text) => serde_json::from_str(&text).unwrap_or_default(),
        }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        match self {
            Answer::Json(value) => unwritten(Ok(Said::Value(value))),
            Answer::JsonText(text) => unwritten(Ok(Said::Text(text))),
            Answer::File(response) => response,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        unwritten(Err(self))
    }
}

fn unwritten(said: Result<Said, Refusal>) -> Response {
    let mut response = Response::default();
    response.extensions_mut().insert(Unwritten(said));
    response
}
