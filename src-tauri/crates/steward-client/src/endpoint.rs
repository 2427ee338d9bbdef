//! One administrative endpoint of a site, and the way to ask it something.

mod token_retry;

pub(crate) use token_retry::TokenRetry;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use steward_vault::Secret;
use url::Url;

use crate::decode;
use crate::error::ClientError;
use crate::http::{Connection, Http};
use crate::receivers::Receivers;
use crate::request::{self, Request, ResponseTimeout};
use crate::response_capture::{RawResponse, Sent};
use crate::send_state::SendState;
use crate::token_expiry::{TokenExpiry, token_expiry};
use crate::token_source::TokenSource;

const MINUTE: Duration = Duration::from_secs(60);

/// A web context, as in `https://gis.example.org/portal`, with the token to use there.
#[derive(Debug, Clone)]
pub struct Endpoint {
    http: Http,
    root: Url,
    token: Option<Secret<String>>,
    /// Brings the token at each request, and the next one when the site refuses it.
    session: Option<Arc<dyn TokenSource>>,
    /// Counts every posted form and file, for an operation that can be stopped.
    send_state: Option<SendState>,
}

impl Endpoint {
    /// The endpoint at `root`, asked without a token.
    #[must_use]
    pub const fn new(http: Http, root: Url) -> Self {
        Self { http, root, token: None, session: None, send_state: None }
    }

    /// The same endpoint, asked with `token`.
    #[must_use]
    pub fn with_token(self, token: Secret<String>) -> Self {
        Self { token: Some(token), session: None, ..self }
    }

    /// The same endpoint, asked with the token that `session` holds at that time, which is renewed where it can be.
    #[must_use]
    pub fn with_session(self, session: Arc<dyn TokenSource>) -> Self {
        Self { token: None, session: Some(session), ..self }
    }

    /// The same endpoint, whose posted forms and files are counted in `state`.
    #[must_use]
    pub fn watched(self, state: SendState) -> Self {
        Self { send_state: Some(state), ..self }
    }

    pub(crate) const fn send_state(&self) -> Option<&SendState> {
        self.send_state.as_ref()
    }

    /// The same endpoint, asked without a token.
    #[must_use]
    pub fn without_token(self) -> Self {
        Self { token: None, session: None, ..self }
    }

    /// Another root, over the same connection settings, asked without a token.
    #[must_use]
    pub fn at(&self, root: Url) -> Self {
        Self::new(self.http.clone(), root)
    }

    /// Another root of the same site, as the one past the web adaptor, asked by the same person.
    #[must_use]
    pub fn moved_to(self, root: Url) -> Self {
        Self { root, ..self }
    }

    /// Returns whether both are the same address over the same connection, with any token.
    #[must_use]
    pub fn is_reached_as(&self, other: &Self) -> bool {
        self.root == other.root && self.http.is_same(&other.http)
    }

    /// The root, as it was given.
    #[must_use]
    pub const fn root(&self) -> &Url {
        &self.root
    }

    /// The address of a resource. Each segment is encoded; a segment is never a path of its own.
    #[must_use]
    pub fn address(&self, segments: &[&str]) -> Url {
        request::below(&self.root, segments.iter().copied())
    }

    /// Sends a request and reads the JSON response.
    pub(crate) async fn send<R: DeserializeOwned>(
        &self,
        request: &Request,
        expected: &'static str,
    ) -> Result<R, ClientError> {
        let mut turn = TokenRetry::first(self).await;
        loop {
            let response = turn.endpoint().send_and_read(request, expected).await;
            if let Some(response) = turn.settled(response).await {
                return response;
            }
        }
    }

    async fn send_and_read<R: DeserializeOwned>(
        &self,
        request: &Request,
        expected: &'static str,
    ) -> Result<R, ClientError> {
        let response = self.send_once(request).await?;
        let (status, sent) = (response.status(), self.sent(&request.form()));
        let mut body = Vec::new();
        let whole = decode::read(response, &mut body, &sent, expected).await;
        // Of a report that was cut off, the beginning is all that can ever be had.
        if let Some(state) = self.send_state.as_ref().filter(|_| whole.is_ok() || !body.is_empty()) {
            let raw = sent.raw(status.as_u16(), &body);
            state.answered(RawResponse { is_cut: raw.is_cut || whole.is_err(), ..raw });
        }
        whole?;
        decode::parsed(status, &body, &sent, expected)
    }

    /// Sends a request, once, and leaves the response to the caller.
    pub(crate) async fn send_once(&self, request: &Request) -> Result<reqwest::Response, ClientError> {
        let mut fields = request.form();
        fields.push(("f", "json"));
        // In the body, where no log of URLs has it.
        if let Some(token) = &self.token {
            fields.push(("token", token.expose()));
        }
        let fill = |builder: reqwest::RequestBuilder| {
            let builder = builder.form(&fields);
            if request.timeout() == ResponseTimeout::Minute { builder.timeout(MINUTE) } else { builder }
        };
        self.hand_over().await;
        self.http.post(request.url(&self.root), Connection::Fresh, fill).await
    }

    /// Reads a resource.
    pub(crate) async fn get<R: DeserializeOwned>(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
        expected: &'static str,
    ) -> Result<R, ClientError> {
        let mut turn = TokenRetry::first(self).await;
        loop {
            let answer = turn.endpoint().get_once(segments, query, expected).await;
            if let Some(answer) = turn.settled(answer).await {
                return answer;
            }
        }
    }

    /// Reads a resource with the token at hand.
    pub(crate) async fn get_once<R: DeserializeOwned>(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
        expected: &'static str,
    ) -> Result<R, ClientError> {
        let response = self.get_unread(segments, query).await?;
        decode::json(response, &self.sent(query), expected).await
    }

    async fn get_unread(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
    ) -> Result<reqwest::Response, ClientError> {
        let mut url = self.address(segments);
        url.query_pairs_mut().extend_pairs(query).append_pair("f", "json");
        self.http.get(url, |request| self.signed(request).timeout(MINUTE)).await
    }

    /// Reads the list in one field of a resource, element by element, as [`decode::list`] does, and the other fields.
    pub(crate) async fn get_list<H>(
        &self,
        segments: &[&str],
        field: &str,
        expected: &'static str,
        mut read: impl FnMut(&str) -> Option<H> + Send,
    ) -> Result<(Vec<H>, serde_json::Value), ClientError> {
        let mut turn = TokenRetry::first(self).await;
        loop {
            let endpoint = turn.endpoint();
            let answer = match endpoint.get_unread(segments, &[]).await {
                Ok(response) => decode::list(response, &endpoint.sent(&[]), field, expected, &mut read).await,
                Err(error) => Err(error),
            };
            if let Some(answer) = turn.settled(answer).await {
                return answer.map(|(_, found, rest)| (found, rest));
            }
        }
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

    /// Opens a file of this endpoint for reading, with these headers. There is no time-out: it may be large.
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
        // Before the file: some sites read no further when it is missing.
        if let Some(token) = &self.token {
            fields = fields.text("token", token.expose().clone());
        }
        for (name, value) in form {
            fields = fields.text((*name).to_owned(), (*value).to_owned());
        }
        let fields = fields.part(field.to_owned(), file);
        self.hand_over().await;
        self.http.post(self.address(segments), connection, |request| request.multipart(fields)).await
    }

    /// The last step before a request is given to the HTTP library.
    async fn hand_over(&self) {
        if let Some(state) = &self.send_state {
            state.hand_over().await;
        }
    }

    /// What of a request must not be seen in the account of its answer.
    pub(crate) fn sent(&self, form: &[(&str, &str)]) -> Sent {
        Sent::new(self.token.as_ref(), form).and_receivers(self.http.receivers().finder())
    }

    /// The addresses of receivers that the site named so far.
    pub(crate) const fn receivers(&self) -> &Receivers {
        self.http.receivers()
    }

    /// The session that brings the tokens, if there is one.
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

    /// In a header, where no log of addresses sees it.
    fn signed(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
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
