//! Request that changes or searches a site, as a value.
//!
//! The operations build a [`Request`] from their parameters. The same value is shown before it is sent, written to the
//! history, printed as a command, and sent by [`Endpoint`](crate::Endpoint): no request is described a second time.
//! Secret fields are marked and leave this module in the body of the request only.

use std::borrow::Cow;
use std::time::Duration;

use steward_vault::Secret;
use url::Url;

/// Limit of [`ResponseTimeout::Minute`], and of every reading.
pub(crate) const MINUTE: Duration = Duration::from_secs(60);

/// Time limit for a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseTimeout {
    /// One minute for all of the response to a request that is sent once. For a repeatable request, one minute until
    /// the response begins, and for each pause in it: a list can be long, and the connection slow.
    Minute,
    /// No limit: the service keeps the connection open until an export or import has ended.
    Hours,
}

/// A form that is posted to an [`Endpoint`](crate::Endpoint).
#[derive(Debug, Clone)]
pub struct Request {
    path: Vec<String>,
    fields: Vec<(Cow<'static, str>, Value)>,
    timeout: ResponseTimeout,
    is_sent_once: bool,
}

#[derive(Debug, Clone)]
enum Value {
    Plain(String),
    Secret(Secret<String>),
}

impl Request {
    /// Creates a request without fields that changes something and is never sent twice, whatever is received (ADR
    /// 0035). Each item of `path` is one segment below the root of the endpoint, not encoded.
    #[must_use]
    pub fn once<S: Into<String>>(path: impl IntoIterator<Item = S>, timeout: ResponseTimeout) -> Self {
        let path = path.into_iter().map(Into::into).collect();
        Self { path, fields: Vec::new(), timeout, is_sent_once: true }
    }

    /// Creates a request without fields that reads, checks, or issues a token, and can be sent again without harm.
    /// `path` is that of [`once`](Self::once).
    #[must_use]
    pub fn repeatable<S: Into<String>>(path: impl IntoIterator<Item = S>, timeout: ResponseTimeout) -> Self {
        Self { is_sent_once: false, ..Self::once(path, timeout) }
    }

    /// Returns whether the request changes something and must not be sent twice.
    #[must_use]
    pub const fn is_sent_once(&self) -> bool {
        self.is_sent_once
    }

    /// Adds a field.
    #[must_use]
    pub fn field(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> Self {
        self.fields.push((name.into(), Value::Plain(value.into())));
        self
    }

    /// Adds a field whose value is sent and never shown.
    #[must_use]
    pub fn secret(mut self, name: impl Into<Cow<'static, str>>, value: Secret<String>) -> Self {
        self.fields.push((name.into(), Value::Secret(value)));
        self
    }

    /// Returns the HTTP method.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        "POST"
    }

    /// Returns the URL of the request below the root of an endpoint.
    #[must_use]
    pub fn url(&self, root: &Url) -> Url {
        below(root, self.path.iter().map(String::as_str))
    }

    /// Returns the names and values of the fields in the order in which they are sent; the value of a secret is `None`.
    /// The fields that every request carries, `f` and `token`, are not among them.
    pub fn fields(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.fields.iter().map(|(name, value)| {
            let shown = match value {
                Value::Plain(text) => Some(text.as_str()),
                Value::Secret(_) => None,
            };
            (&**name, shown)
        })
    }

    /// Returns the values of the secret fields.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &Secret<String>> {
        self.fields.iter().filter_map(|(_, value)| match value {
            Value::Plain(_) => None,
            Value::Secret(secret) => Some(secret),
        })
    }

    /// Returns the fields with their secrets, for the body.
    pub(crate) fn form<'a>(&'a self) -> Vec<(&'a str, &'a str)> {
        let value = |value: &'a Value| match value {
            Value::Plain(text) => text.as_str(),
            Value::Secret(secret) => secret.expose().as_str(),
        };
        self.fields.iter().map(|(name, field)| (&**name, value(field))).collect()
    }

    /// Returns the limit for all of the response. `None` if there is none.
    pub(crate) const fn limit(&self) -> Option<Duration> {
        match self.timeout {
            ResponseTimeout::Minute if self.is_sent_once => Some(MINUTE),
            ResponseTimeout::Minute | ResponseTimeout::Hours => None,
        }
    }

    /// Returns the limit for the time until the response begins, and for each pause in it. `None` if there is none.
    pub(crate) const fn stall_limit(&self) -> Option<Duration> {
        match self.timeout {
            ResponseTimeout::Minute if !self.is_sent_once => Some(MINUTE),
            ResponseTimeout::Minute | ResponseTimeout::Hours => None,
        }
    }
}

/// Returns the path of a service, or of a resource below it.
pub(crate) fn of_service<'a>(folder: &'a str, service: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    let folder = (!folder.is_empty()).then_some(folder);
    ["admin", "services"].into_iter().chain(folder).chain([service]).chain(rest.iter().copied()).collect()
}

/// Returns the URL of a resource below a root. Each segment is encoded, so that text from a site cannot change the
/// path.
pub(crate) fn below<'a>(root: &Url, segments: impl IntoIterator<Item = &'a str>) -> Url {
    let mut url = root.clone();
    // A URL cannot contain `.` and `..` as segments, nor tabs and line breaks: they would be removed, and the URL would
    // be that of another resource. Encoded twice, they are a name that no resource has.
    let named = segments.into_iter().map(|segment| match segment {
        "." => Cow::Borrowed("%2E"),
        ".." => Cow::Borrowed("%2E%2E"),
        other if other.contains(['\t', '\n', '\r']) => {
            Cow::Owned(other.replace('\t', "%09").replace('\n', "%0A").replace('\r', "%0D"))
        }
        other => Cow::Borrowed(other),
    });
    // URLs that cannot be a base, such as `mailto:`, are rejected when a site is saved.
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(named);
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_tab_or_a_line_break_is_not_the_url_of_another_resource() {
        let root = Url::parse("https://gis.example.org/server").unwrap();
        for (name, path) in [
            ("Buf\tfer.GPServer", "/server/admin/services/Buf%2509fer.GPServer"),
            ("Buf\nfer.GPServer", "/server/admin/services/Buf%250Afer.GPServer"),
            ("Buf\rfer.GPServer", "/server/admin/services/Buf%250Dfer.GPServer"),
            ("Straße (Nord)", "/server/admin/services/Stra%C3%9Fe%20(Nord)"),
        ] {
            assert_eq!(below(&root, ["admin", "services", name]).path(), path);
        }
    }

    #[test]
    fn a_secret_is_sent_and_never_shown() {
        let request = Request::once(["admin", "x"], ResponseTimeout::Minute)
            .field("user", "sam")
            .secret("password", Secret::new("open sesame".to_owned()));

        assert_eq!(request.fields().collect::<Vec<_>>(), [("user", Some("sam")), ("password", None)]);
        assert_eq!(request.form(), [("user", "sam"), ("password", "open sesame")]);
        assert!(!format!("{request:?}").contains("sesame"), "{request:?}");
    }
}
