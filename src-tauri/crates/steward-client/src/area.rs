//! One administrative area of a site, and the way to ask it something.

use std::time::Duration;

use serde::de::DeserializeOwned;
use steward_vault::Secret;
use url::Url;

use crate::answer::Sent;
use crate::decode;
use crate::error::ClientError;
use crate::http::Http;

const MINUTE: Duration = Duration::from_secs(60);

/// How long an answer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// A minute.
    Minute,
    /// As long as it takes: the service keeps the request open until an export or import is done.
    Hours,
}

/// A web context, as in `https://gis.example.org/portal`, with the token to use there.
#[derive(Debug, Clone)]
pub struct Area {
    http: Http,
    root: Url,
    token: Option<Secret<String>>,
}

impl Area {
    /// The area at `root`, asked without a token.
    #[must_use]
    pub const fn new(http: Http, root: Url) -> Self {
        Self { http, root, token: None }
    }

    /// The same area, asked with `token`.
    #[must_use]
    pub fn with_token(self, token: Secret<String>) -> Self {
        Self { token: Some(token), ..self }
    }

    /// The same area, asked without a token.
    #[must_use]
    pub fn without_token(self) -> Self {
        Self { token: None, ..self }
    }

    /// Another root, over the same connection settings, asked without a token.
    #[must_use]
    pub fn at(&self, root: Url) -> Self {
        Self::new(self.http.clone(), root)
    }

    /// The root, as it was given.
    #[must_use]
    pub const fn root(&self) -> &Url {
        &self.root
    }

    /// The address of a resource. Each segment is encoded; a segment is never a path of its own.
    #[must_use]
    pub fn address(&self, segments: &[&str]) -> Url {
        let mut url = self.root.clone();
        // Addresses that cannot be a base, such as `mailto:`, are refused when a site is saved.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// Sends a form and reads the JSON answer.
    pub(crate) async fn post<R: DeserializeOwned>(
        &self,
        segments: &[&str],
        form: &[(&str, &str)],
        patience: Patience,
        expected: &'static str,
    ) -> Result<R, ClientError> {
        let response = self.send_form(segments, form, patience).await?;
        decode::json(response, &self.sent(form), expected).await
    }

    /// Sends a form, once, and leaves the answer to the caller.
    pub(crate) async fn send_form(
        &self,
        segments: &[&str],
        form: &[(&str, &str)],
        patience: Patience,
    ) -> Result<reqwest::Response, ClientError> {
        let mut fields = form.to_vec();
        fields.push(("f", "json"));
        // In the body, where no log of addresses sees it.
        if let Some(token) = &self.token {
            fields.push(("token", token.expose()));
        }
        let fill = |request: reqwest::RequestBuilder| {
            let request = request.form(&fields);
            if patience == Patience::Minute { request.timeout(MINUTE) } else { request }
        };
        self.http.post(self.address(segments), fill).await
    }

    /// Reads a resource.
    pub(crate) async fn get<R: DeserializeOwned>(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
        expected: &'static str,
    ) -> Result<R, ClientError> {
        let mut url = self.address(segments);
        url.query_pairs_mut().extend_pairs(query).append_pair("f", "json");
        let response = self.http.get(url, |request| self.signed(request).timeout(MINUTE)).await?;
        decode::json(response, &self.sent(query), expected).await
    }

    /// Asks a resource without a token, and leaves the answer to the caller.
    pub(crate) async fn look(
        &self,
        segments: &[&str],
        within: Duration,
    ) -> Result<reqwest::Response, ClientError> {
        let mut url = self.address(segments);
        url.query_pairs_mut().append_pair("f", "json");
        self.http.get(url, |request| request.timeout(within)).await
    }

    /// Opens a file of this area for reading. There is no time-out: it may be large.
    pub(crate) async fn open(&self, url: Url) -> Result<reqwest::Response, ClientError> {
        self.http.get(url, |request| self.signed(request)).await
    }

    /// Opens a file of this area with headers of one's own.
    pub(crate) async fn open_with(
        &self,
        url: Url,
        headers: &[(reqwest::header::HeaderName, String)],
    ) -> Result<reqwest::Response, ClientError> {
        let fill = |request: reqwest::RequestBuilder| {
            headers.iter().fold(self.signed(request), |request, (name, value)| request.header(name, value))
        };
        self.http.get(url, fill).await
    }

    /// What of a request must not be seen in the account of its answer.
    pub(crate) fn sent(&self, form: &[(&str, &str)]) -> Sent {
        Sent::new(self.token.as_ref(), form)
    }

    /// In a header, where no log of addresses sees it.
    fn signed(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        match &self.token {
            Some(token) => {
                let mut value = reqwest::header::HeaderValue::from_str(&format!("Bearer {}", token.expose()))
                    .unwrap_or_else(|_| reqwest::header::HeaderValue::from_static(""));
                value.set_sensitive(true);
                request.header("X-Esri-Authorization", value)
            }
            None => request,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::Trust;

    #[test]
    fn a_segment_from_the_site_cannot_leave_its_place_in_the_address() {
        let http = Http::new(&Trust::default()).unwrap();
        let area = Area::new(http, Url::parse("https://gis.example.org/server/").unwrap());

        let url = area.address(&["admin", "services", "a/../b c?x#y.FeatureServer"]);

        assert_eq!(
            url.as_str(),
            "https://gis.example.org/server/admin/services/a%2F..%2Fb%20c%3Fx%23y.FeatureServer"
        );
    }
}
