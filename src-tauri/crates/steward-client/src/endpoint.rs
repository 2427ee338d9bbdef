//! Administrative endpoint of a site, and the requests that it receives.
//!
//! Create one with [`Endpoint::new`], or with [`Session::endpoint`](crate::Session::endpoint), which adds the tokens.
//! The modules with operations, lists and files send their requests through it.
//!
//! Invariants: path segments are always encoded; the token is sent in the body or in a header, never in the URL; a
//! posted form or file is counted in the [`SendState`] before it is passed to the HTTP library.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use steward_vault::Secret;
use url::Url;

use crate::decode::{self, Limits};
use crate::error::{ClientError, Stage};
use crate::http::{Connection, Http, StreamError};
use crate::receivers::Receivers;
use crate::referer::Referer;
use crate::request::{self, Request};
use crate::response_capture::{RawResponse, Sent};
use crate::send_state::SendState;
use crate::token_expiry::{TokenExpiry, token_expiry};
use crate::token_source::TokenSource;

/// Web context of a portal or server, for example `https://gis.example.org/portal`, with the token for requests to it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    http: Http,
    root: Url,
    token: Option<Secret<String>>,
    /// Sent with every request: the token can be bound to it.
    referer: Referer,
    /// Source of the token of each request, and of a new token after the site rejected one.
    session: Option<Arc<dyn TokenSource>>,
    /// Counter of posted forms and files, for an operation that can be stopped.
    send_state: Option<SendState>,
}

impl Endpoint {
    /// Creates an endpoint at `root` that sends no token.
    #[must_use]
    pub fn new(http: Http, root: Url) -> Self {
        Self { http, root, token: None, referer: Referer::default(), session: None, send_state: None }
    }

    /// Returns the endpoint with `token`, which is sent with each request and not renewed.
    #[must_use]
    pub fn with_token(self, token: Secret<String>) -> Self {
        Self { token: Some(token), session: None, ..self }
    }

    /// Returns the endpoint with `session`: each request is sent with the session's token at that time. If the site
    /// rejects the token, it is renewed if possible.
    #[must_use]
    pub fn with_session(self, session: Arc<dyn TokenSource>) -> Self {
        Self { token: None, session: Some(session), ..self }
    }

    /// Returns the endpoint with `referer`, which is sent with each request.
    #[must_use]
    pub fn with_referer(self, referer: Referer) -> Self {
        Self { referer, ..self }
    }

    /// Returns the `Referer` of each request.
    #[must_use]
    pub const fn referer(&self) -> &Referer {
        &self.referer
    }

    /// Returns the endpoint with `state`, which counts the posted forms and files and keeps their responses.
    #[must_use]
    pub fn watched(self, state: SendState) -> Self {
        Self { send_state: Some(state), ..self }
    }

    pub(crate) const fn send_state(&self) -> Option<&SendState> {
        self.send_state.as_ref()
    }

    /// Returns the endpoint without a token.
    #[must_use]
    pub fn without_token(self) -> Self {
        Self { token: None, session: None, ..self }
    }

    /// Returns an endpoint at another `root` with the same connection settings, without a token.
    #[must_use]
    pub fn at(&self, root: Url) -> Self {
        Self::new(self.http.clone(), root)
    }

    /// Returns an endpoint at another `root` of the same site, with the same token or session. Use it for the
    /// administration URL, which bypasses the web adaptor: the token is sent to `root`.
    #[must_use]
    pub fn moved_to(self, root: Url) -> Self {
        Self { root, ..self }
    }

    /// Returns whether both have the same root and share their connections. The tokens may differ.
    #[must_use]
    pub fn is_reached_as(&self, other: &Self) -> bool {
        self.root == other.root && self.http.is_same(&other.http)
    }

    /// Returns the root URL, as passed to [`new`](Self::new), [`at`](Self::at) or [`moved_to`](Self::moved_to).
    #[must_use]
    pub const fn root(&self) -> &Url {
        &self.root
    }

    /// Returns when the certificate expires that the site presented last, in milliseconds since 1970; `None` if there
    /// was no encrypted connection so far.
    #[must_use]
    pub fn certificate_expires_at(&self) -> Option<i64> {
        self.http.certificate_expires_at(&self.root)
    }

    /// Returns when the certificate expires that is presented at a URL, in milliseconds since 1970. Nothing is
    /// requested there: the handshake ends at the certificate, which need not be trusted.
    ///
    /// # Errors
    /// [`StreamError`] if the host was not reached, or does not speak TLS.
    pub async fn presented_at(&self, url: &Url) -> Result<i64, StreamError> {
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        self.http.presented(host, url.port_or_known_default().unwrap_or_default()).await
    }

    /// Returns the URL of a resource below the root. Each segment is encoded, so that text from a site cannot change
    /// the path.
    #[must_use]
    pub fn address(&self, segments: &[&str]) -> Url {
        request::below(&self.root, segments.iter().copied())
    }

    /// Sends a request once, and decodes the JSON response.
    pub(crate) async fn send_and_read<R: DeserializeOwned>(
        &self,
        request: &Request,
        expected: &'static str,
        limits: Limits,
    ) -> Result<R, ClientError> {
        let response = self.send_once(request).await?;
        let (status, sent) = (response.status(), self.sent(Some(request)));
        let mut body = Vec::new();
        let whole = decode::read(response, &mut body, &sent, expected, limits).await;
        // Keep what arrived of a response that broke off: the site stores no copy of a report.
        if let Some(state) = self.send_state.as_ref().filter(|_| whole.is_ok() || !body.is_empty()) {
            let raw = sent.raw(status.as_u16(), &body);
            state.answered(RawResponse { is_cut: raw.is_cut || whole.is_err(), ..raw });
        }
        whole?;
        decode::parsed(status, &body, &sent, expected, |text| sent.clean_reply(text))
    }

    /// Sends a request once, with the token of this endpoint, and returns the response without reading it.
    pub(crate) async fn send_once(&self, request: &Request) -> Result<reqwest::Response, ClientError> {
        let mut fields = request.form();
        fields.push(("f", "json"));
        // In the body: URLs are logged by proxies and servers.
        if let Some(token) = &self.token {
            fields.push(("token", token.expose()));
        }
        let fill = |builder: reqwest::RequestBuilder| {
            let builder = self.referer.sign(builder).form(&fields);
            match request.limit() {
                Some(limit) => builder.timeout(limit),
                None => builder,
            }
        };
        self.hand_over();
        let response = self.http.post(request.url(&self.root), Connection::Fresh, fill);
        decode::received_within(request.stall_limit(), Stage::Wait, response).await
    }

    /// Reads a resource once, with the token of this endpoint.
    pub(crate) async fn get_once<R: DeserializeOwned>(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
        expected: &'static str,
        limits: Limits,
    ) -> Result<R, ClientError> {
        let response = self.get_unread(segments, query, limits.stall).await?;
        decode::json(response, &self.sent(None), expected, limits).await
    }

    /// Requests a resource. The limit is one for pauses, here and for whoever reads the response: a list can be long.
    async fn get_unread(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
        stall: Option<Duration>,
    ) -> Result<reqwest::Response, ClientError> {
        let mut url = self.address(segments);
        url.query_pairs_mut().extend_pairs(query).append_pair("f", "json");
        decode::received_within(stall, Stage::Wait, self.http.get(url, |request| self.signed(request))).await
    }

    /// Requests a resource without a token, and returns the response without reading it.
    pub(crate) async fn look(
        &self,
        segments: &[&str],
        within: Duration,
    ) -> Result<reqwest::Response, ClientError> {
        let mut url = self.address(segments);
        url.query_pairs_mut().append_pair("f", "json");
        self.http.get(url, |request| self.referer.sign(request).timeout(within)).await
    }

    /// Requests a file of this endpoint with `headers`, and returns the response without reading it. There is no time
    /// limit: the file can be large.
    pub(crate) async fn open(
        &self,
        url: Url,
        headers: &[(reqwest::header::HeaderName, String)],
    ) -> Result<reqwest::Response, ClientError> {
        let fill = |request| {
            headers.iter().fold(self.signed(request), |request, (name, value)| request.header(name, value))
        };
        self.http.get(url, fill).await
    }

    /// Sends a form with a file, once, and returns the response without reading it. There is no time limit: the caller
    /// that streams the file sees whether it progresses.
    pub(crate) async fn send_file(
        &self,
        segments: &[&str],
        form: &[(&str, &str)],
        field: &str,
        file: reqwest::multipart::Part,
        connection: Connection,
    ) -> Result<reqwest::Response, ClientError> {
        let mut fields = reqwest::multipart::Form::new().text("f", "json");
        // Add the token before the file: some sites reject a request without a token before they read the file.
        if let Some(token) = &self.token {
            fields = fields.text("token", token.expose().clone());
        }
        for (name, value) in form {
            fields = fields.text((*name).to_owned(), (*value).to_owned());
        }
        let fields = fields.part(field.to_owned(), file);
        self.hand_over();
        self.http
            .post(self.address(segments), connection, |request| self.referer.sign(request).multipart(fields))
            .await
    }

    /// Counts a request. Call this last, directly before the request is passed to the HTTP library: what Stop reports
    /// depends on it.
    fn hand_over(&self) {
        if let Some(state) = &self.send_state {
            state.hand_over();
        }
    }

    /// Returns the texts that must be masked in the response to a request: the token, its secret fields, and receiver
    /// URLs.
    pub(crate) fn sent(&self, request: Option<&Request>) -> Sent {
        let fields = request.into_iter().flat_map(Request::secrets);
        Sent::new(self.token.as_ref(), fields).and_receivers(self.http.receivers().clone())
    }

    /// Returns the receiver URLs that the site returned so far.
    pub(crate) const fn receivers(&self) -> &Receivers {
        self.http.receivers()
    }

    /// Returns the session that provides the tokens. `None` if there is none.
    #[must_use]
    pub const fn session(&self) -> Option<&Arc<dyn TokenSource>> {
        self.session.as_ref()
    }

    /// Returns the expiry of the token, in milliseconds since 1970. `None` without a session, or if the site did not
    /// return it.
    pub async fn token_ends_at(&self) -> Option<i64> {
        match &self.session {
            Some(session) => session.ends_at().await,
            None => None,
        }
    }

    /// Returns when a user has to sign in again, in milliseconds since 1970. `None` without a session, if that is not
    /// known, or if a stored password signs in.
    pub async fn session_ends_at(&self) -> Option<i64> {
        match &self.session {
            Some(session) => session.session_ends_at().await,
            None => None,
        }
    }

    /// Compares the remaining lifetime of the token with `took_before`, the duration of an earlier run.
    pub async fn token_expiry(&self, took_before: Option<Duration>) -> TokenExpiry {
        token_expiry(self.token_ends_at().await, Timestamp::now().as_millisecond(), took_before)
    }

    /// Renews the token before it expires, for an operation that would outlast it. Does nothing without a session.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] with code 498 if there is no renewal method, or the site rejects the renewal.
    /// - [`ClientError::NotRenewed`] if the renewal fails for a temporary reason.
    pub async fn renew_token(&self) -> Result<(), ClientError> {
        let Some(session) = &self.session else { return Ok(()) };
        let message = "the token ends too soon".to_owned();
        let why = ClientError::Rejected { code: 498, message, details: Vec::new() };
        session.clone().renewed(session.token().await, why).await.map(drop)
    }

    /// Adds the referer, and the token in a header: URLs are logged by proxies and servers.
    fn signed(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        let request = self.referer.sign(request);
        let Some(token) = &self.token else { return request };
        let mut value = reqwest::header::HeaderValue::from_str(&format!("Bearer {}", token.expose()))
            .unwrap_or_else(|_| reqwest::header::HeaderValue::from_static(""));
        value.set_sensitive(true);
        request.header("X-Esri-Authorization", value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::Trust;

    #[test]
    fn a_segment_from_the_site_cannot_leave_its_place_in_the_address() {
        let http = Http::new(&Trust::default()).unwrap();
        let endpoint = Endpoint::new(http, Url::parse("https://gis.example.org/server/").unwrap());

        let url = endpoint.address(&["admin", "services", "a/../b c?x#y.FeatureServer"]);

        assert_eq!(
            url.as_str(),
            "https://gis.example.org/server/admin/services/a%2F..%2Fb%20c%3Fx%23y.FeatureServer"
        );
        for name in [".", "..", "%2e%2e"] {
            let url = endpoint.address(&["admin", "uploads", name, "delete"]);
            assert_eq!(url.path_segments().map(Iterator::count), Some(5), "{url}");
            assert!(Url::parse(url.as_str()).is_ok_and(|again| again == url), "{url}");
        }
    }
}
