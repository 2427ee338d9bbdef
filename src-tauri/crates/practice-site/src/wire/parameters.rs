//! Parameters of a request: query, form, or parts of a multipart body.

use super::ApiError;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest as _, Multipart};
use axum::http::request::Parts;
use axum::http::{Request, header};
use serde_json::Value;
use std::collections::BTreeMap;

/// Parameters of one request. Those in the body override those in the query; unknown ones are ignored.
#[derive(Clone, Default)]
pub(crate) struct Parameters(BTreeMap<String, String>);

/// Maximum nesting depth of a JSON document in a parameter or an import.
const DEEPEST: usize = 32;

/// Format of a response.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Json,
    IndentedJson,
    Page,
}

impl Parameters {
    /// Returns a parameter. An empty text counts as missing (specification, operations 2 and 5).
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// Returns a Boolean parameter, `true` or `false` in any case.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, ApiError> {
        match self.text(name).map(str::to_ascii_lowercase).as_deref() {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(_) => Err(ApiError::bad_request(format!("'{name}' must be true or false."))),
        }
    }

    /// Returns a whole number. `None` if the parameter is missing or not a number.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.text(name)?.parse().ok()
    }

    /// Returns a JSON parameter. The depth is limited: it is stored inside other documents, and the library cannot read
    /// documents beyond its own limit.
    pub(crate) fn json(&self, name: &str) -> Result<Option<Value>, ApiError> {
        let unreadable = |_| ApiError::bad_request(format!("'{name}' is not readable as JSON."));
        let document: Option<Value> =
            self.text(name).map(serde_json::from_str).transpose().map_err(unreadable)?;
        if document.as_ref().is_some_and(is_too_deep) {
            return Err(ApiError::bad_request(format!("'{name}' is nested too deeply.")));
        }
        Ok(document)
    }

    /// Returns the parameters without token and format, for recognizing a repetition.
    pub(crate) fn request(&self) -> String {
        let asked = self.0.iter().filter(|(name, _)| !matches!(name.as_str(), "token" | "f"));
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(asked).finish()
    }

    /// Returns the format that `f` selects. The specification defines no default and shows JSON; real sites return a
    /// page.
    pub(super) fn format(&self) -> Format {
        match self.text("f").map(str::to_ascii_lowercase).as_deref() {
            Some("pjson") => Format::IndentedJson,
            Some("html") => Format::Page,
            _ => Format::Json,
        }
    }

    /// Reads the parameters in query and body.
    pub(super) async fn read(parts: &Parts, body: Bytes) -> Result<Parameters, ApiError> {
        let mut parameters = Parameters::of_the_query(parts);
        let kind =
            parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        if kind.to_ascii_lowercase().starts_with("multipart/form-data") {
            parameters.add_parts(parts, body).await?;
        } else {
            parameters.add_form(&body);
        }
        Ok(parameters)
    }

    /// Reads the parameters in the query only.
    pub(super) fn of_the_query(parts: &Parts) -> Parameters {
        let mut parameters = Parameters::default();
        if let Some(query) = parts.uri.query() {
            parameters.add_form(query.as_bytes());
        }
        parameters
    }

    /// Adds or replaces a parameter.
    pub(super) fn add(&mut self, name: String, value: String) {
        self.0.insert(name, value);
    }

    fn add_form(&mut self, form: &[u8]) {
        self.0.extend(url::form_urlencoded::parse(form).into_owned());
    }

    async fn add_parts(&mut self, parts: &Parts, body: Bytes) -> Result<(), ApiError> {
        let mut request = Request::new(Body::from(body));
        request.headers_mut().clone_from(&parts.headers);
        let unreadable = |_| ApiError::bad_request("The multipart body cannot be read.");
        let mut form = Multipart::from_request(request, &())
            .await
            .map_err(|_| ApiError::bad_request("The multipart body cannot be read."))?;
        while let Some(field) = form.next_field().await.map_err(unreadable)? {
            if let Some(name) = field.name().map(str::to_owned) {
                let value = field.text().await.map_err(unreadable)?;
                self.0.insert(name, value);
            }
        }
        Ok(())
    }
}

/// Returns whether a JSON document is nested too deeply to be stored inside other documents.
pub(crate) fn is_too_deep(document: &Value) -> bool {
    is_deeper_than(document, DEEPEST)
}

fn is_deeper_than(document: &Value, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else {
        return true;
    };
    match document {
        Value::Array(elements) => elements.iter().any(|element| is_deeper_than(element, levels)),
        Value::Object(members) => members.values().any(|member| is_deeper_than(member, levels)),
        _ => false,
    }
}
