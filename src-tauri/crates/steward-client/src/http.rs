//! HTTP clients of one site.
//!
//! [`Http`] is shared by all endpoints of a site. Every request of this crate passes through [`Http::post`] or
//! [`Http::get_along`], which reject unencrypted URLs and unsafe redirects.

mod clients;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use reqwest::{RequestBuilder, Response};
use tokio::net::TcpStream;
use url::Url;

use crate::error::{ClientError, Stage, proxy_requires_credentials};
use crate::proxy_refusal;
use crate::receivers::Receivers;
use crate::route::{Route, is_this_computer};
use crate::trust::Trust;
use clients::{Clients, Origin};
pub use stream::StreamError;
pub(crate) use stream::{Carrier, EncryptedStream};

/// Maximum number of redirects in a row.
const MAX_REDIRECTS: usize = 5;

/// Time limit of a connection that only shows whether a host accepts it.
const ACCEPTS: Duration = Duration::from_secs(2);

/// HTTP clients of one site. Cloning is cheap and shares the connections.
#[derive(Debug, Clone)]
pub struct Http {
    transport: Arc<Transport>,
    receivers: Receivers,
}

#[derive(Debug)]
enum Transport {
    Network(Box<Clients>),
    Canned(Canned),
}

/// Connection for a POST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connection {
    /// New connection, used once. On a reused connection, the library repeats a request if it assumes that the server
    /// did not begin to process it.
    Fresh,
    /// Reused connection, if there is one. Only for requests that can be repeated without harm.
    Kept,
}

/// Function that returns the response for a URL.
type Responder = dyn Fn(&Url) -> http::Response<Vec<u8>> + Send + Sync;

/// Transport that returns generated responses, for tests of decoders.
pub(crate) struct Canned(pub(crate) Box<Responder>);

impl std::fmt::Debug for Canned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Canned")
    }
}

impl Http {
    /// Creates clients that use the system's proxy settings. Connecting times out after 10 seconds; every request sets
    /// its own response timeout.
    ///
    /// # Errors
    /// [`ClientError::Setup`] if the certificate authorities or the client certificate cannot be read.
    pub fn new(trust: &Trust) -> Result<Self, ClientError> {
        Self::with_route(trust, &Route::System)
    }

    /// Creates clients that use the given route.
    ///
    /// # Errors
    /// [`ClientError::Setup`] if the certificate authorities, the client certificate or the proxy URL cannot be used.
    pub fn with_route(trust: &Trust, route: &Route) -> Result<Self, ClientError> {
        Ok(Self::with_transport(Transport::Network(Box::new(Clients::new(trust, route)?))))
    }

    /// Returns whether both are clones of one instance, which share their connections.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.transport, &other.transport)
    }

    /// Returns clients with the same route and trust but without the client certificate, for hosts that the user did
    /// not enter. The certificate identifies the user.
    #[must_use]
    pub(crate) fn without_client_certificate(&self) -> Self {
        let transport = match &*self.transport {
            Transport::Network(clients) => {
                Arc::new(Transport::Network(Box::new(clients.without_client_certificate())))
            }
            Transport::Canned(_) => self.transport.clone(),
        };
        Self { transport, receivers: self.receivers.clone() }
    }

    pub(crate) fn canned(canned: Canned) -> Self {
        Self::with_transport(Transport::Canned(canned))
    }

    fn with_transport(transport: Transport) -> Self {
        Self { transport: Arc::new(transport), receivers: Receivers::default() }
    }

    fn network(&self) -> Result<&Clients, StreamError> {
        match &*self.transport {
            Transport::Network(clients) => Ok(clients),
            Transport::Canned(_) => Err(std::io::Error::other("no network").into()),
        }
    }

    /// Returns when the certificate of an origin expires that was accepted last, in milliseconds since 1970; `None` without
    /// an encrypted connection so far.
    pub(crate) fn certificate_expires_at(&self, url: &Url) -> Option<i64> {
        self.network().ok()?.of(url).ok()?.expiry.get()
    }

    /// Returns the receiver URLs that the site returned so far.
    pub(crate) const fn receivers(&self) -> &Receivers {
        &self.receivers
    }

    /// Opens an encrypted connection for another protocol than HTTP, to a host that is no site: by the same route and
    /// with the same trust, but without the certificates that are trusted for one origin.
    pub(crate) async fn open_stream(&self, host: &str, port: u16) -> Result<EncryptedStream, StreamError> {
        self.network()?.open_stream(host, port).await
    }

    /// Returns when the certificate expires that a host presents, in milliseconds since 1970. None is accepted: it need
    /// not be trusted, and nothing is sent over the connection.
    pub(crate) async fn presented(&self, host: &str, port: u16) -> Result<i64, StreamError> {
        let presented = self.network()?.presented(host, port).await?;
        let end = presented.not_after.parse::<jiff::Timestamp>().map_err(std::io::Error::other)?;
        Ok(end.as_millisecond())
    }

    /// Opens a connection without encryption, as [`open_stream`](Self::open_stream) does, for a protocol that begins to
    /// encrypt later.
    pub(crate) async fn open_plain(&self, host: &str, port: u16) -> Result<Box<dyn Carrier>, StreamError> {
        self.network()?.carrier(host, port).await
    }

    /// Begins encryption on a connection of [`open_plain`](Self::open_plain).
    pub(crate) async fn encrypt(
        &self,
        host: &str,
        plain: Box<dyn Carrier>,
    ) -> Result<EncryptedStream, StreamError> {
        self.network()?.encrypt(host, plain).await
    }

    /// Sends a POST request without following redirects: a redirect would send token and form to another host.
    pub(crate) async fn post(
        &self,
        url: Url,
        connection: Connection,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<Response, ClientError> {
        let response = match &*self.transport {
            Transport::Canned(canned) => canned.respond(&url),
            Transport::Network(network) => {
                let clients = network.of(encrypted(&url)?)?;
                let client = if connection == Connection::Kept { &clients.kept } else { &clients.once };
                let sent = fill(client.post(url.clone())).send().await;
                received(sent, network, &clients, &url).await?
            }
        };
        match redirect(&url, &response) {
            Some(to) => Err(self.redirected(&response, &to)),
            None => Ok(response),
        }
    }

    /// Sends a GET request and follows redirects within the same origin.
    pub(crate) async fn get(
        &self,
        url: Url,
        fill: impl Fn(RequestBuilder) -> RequestBuilder,
    ) -> Result<Response, ClientError> {
        self.get_along(url, fill, |from, to| to.origin() == from.origin()).await
    }

    /// Sends a GET request and follows at most [`MAX_REDIRECTS`] redirects that `may_follow` accepts.
    pub(crate) async fn get_along(
        &self,
        mut url: Url,
        fill: impl Fn(RequestBuilder) -> RequestBuilder,
        may_follow: impl Fn(&Url, &Url) -> bool,
    ) -> Result<Response, ClientError> {
        let mut redirects = 0;
        loop {
            let response = match &*self.transport {
                Transport::Canned(canned) => canned.respond(&url),
                Transport::Network(network) => {
                    let clients = network.of(encrypted(&url)?)?;
                    let sent = fill(clients.kept.get(url.clone())).send().await;
                    received(sent, network, &clients, &url).await?
                }
            };
            match redirect(&url, &response) {
                None => return Ok(response),
                Some(Ok(to)) if may_follow(&url, &to) && redirects < MAX_REDIRECTS => {
                    redirects += 1;
                    url = to;
                }
                Some(to) => return Err(self.redirected(&response, &to)),
            }
        }
    }

    /// Creates the error for a redirect, with the secret parts of its target removed.
    fn redirected(&self, response: &Response, to: &Result<Url, String>) -> ClientError {
        let target = match to {
            Ok(url) => {
                let mut target = url.clone();
                target.set_query(None);
                target.set_fragment(None);
                // Both fail only for URLs without a host, which have no credentials to remove.
                let _ = target.set_username("");
                let _ = target.set_password(None);
                target.to_string()
            }
            Err(text) => text.clone(),
        };
        let to = self.receivers.clean(&target).chars().take(500).collect();
        ClientError::Redirected { to, status: response.status().as_u16() }
    }
}

impl Canned {
    fn respond(&self, url: &Url) -> Response {
        (self.0)(url).into()
    }
}

/// Returns the response to a request, or why there is none. A connection that a proxy did not open is told as such.
async fn received(
    sent: Result<Response, reqwest::Error>,
    network: &Clients,
    clients: &Origin,
    url: &Url,
) -> Result<Response, ClientError> {
    let source = match sent {
        Ok(response) => {
            clients.identity_request.was_met();
            return Ok(response);
        }
        Err(source) => source,
    };
    let status = proxy_requires_credentials(&source).then_some(407);
    let error = ClientError::while_sending(source, clients.identity_request.was_made());
    let ClientError::Unreachable { stage: Stage::Connect, source } = error else { return Err(error) };
    // Boxed: both are rare, and would make the future of each request larger.
    if let Some(proxy) = network.proxy_of(url) {
        let refusal = Box::pin(proxy_refusal::ask(&proxy, url, status)).await;
        return Err(ClientError::ProxyRefused(Box::new(refusal)));
    }
    // One time limit covers the connection and its handshake. Another connection shows which of them failed.
    let is_silent = url.scheme() == "https" && source.is_timeout() && Box::pin(accepts(url)).await;
    let stage = if is_silent { Stage::Tls } else { Stage::Connect };
    Err(ClientError::Unreachable { stage, source })
}

/// Returns whether a host accepts a connection at the port of `url`.
async fn accepts(url: &Url) -> bool {
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return false };
    let connecting = TcpStream::connect((host.trim_matches(['[', ']']), port));
    matches!(tokio::time::timeout(ACCEPTS, connecting).await, Ok(Ok(_)))
}

/// Returns `url` if a token can be sent there: over HTTPS or to this computer.
fn encrypted(url: &Url) -> Result<&Url, ClientError> {
    if url.scheme() == "https" || is_this_computer(url) {
        return Ok(url);
    }
    Err(ClientError::NotEncrypted { to: url.origin().ascii_serialization() })
}

/// Returns the target of a redirect response. `None` if the response is not a redirect, `Err` with the text if the
/// target is not a URL.
fn redirect(from: &Url, response: &Response) -> Option<Result<Url, String>> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let target = response.headers().get(reqwest::header::LOCATION)?;
    let text = String::from_utf8_lossy(target.as_bytes());
    Some(from.join(&text).map_err(|_| text.chars().take_while(|letter| *letter != '?').take(200).collect()))
}
