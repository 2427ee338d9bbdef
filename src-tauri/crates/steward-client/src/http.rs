//! The HTTP clients of one site.

mod clients;

use std::sync::Arc;

use reqwest::{RequestBuilder, Response};
use url::Url;

use crate::error::{ClientError, SetupFault};
use crate::receivers::Receivers;
use crate::route::{Route, is_this_computer};
use crate::trust::Trust;
use clients::Clients;

/// Sent with every request. A token is bound to the referer it was asked for with, so it never changes.
pub const REFERER: &str = "site-steward";

/// Redirects that are followed in a row.
const MOST_REDIRECTS: usize = 5;

/// The HTTP clients of one site.
#[derive(Debug, Clone)]
pub struct Http {
    way: Arc<Way>,
    receivers: Receivers,
}

#[derive(Debug)]
enum Way {
    Network(Box<Clients>),
    Canned(Canned),
}

/// What a POST goes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connection {
    /// A fresh one, not used again: on a used one the library repeats a request that it believes was not begun.
    Fresh,
    /// One that an earlier request left, if there is one: for what does no harm when it is done twice.
    Kept,
}

/// What a made-up site answers.
type MadeUp = dyn Fn(&Url) -> http::Response<Vec<u8>> + Send + Sync;

/// Answers without a network, for whoever tests decoders.
pub(crate) struct Canned(pub(crate) Box<MadeUp>);

impl std::fmt::Debug for Canned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Canned")
    }
}

impl Http {
    /// A client that takes the system's way, fails fast to connect, then waits as long as each request says.
    ///
    /// # Errors
    /// When the authorities or the client certificate cannot be read.
    pub fn new(trust: &Trust) -> Result<Self, ClientError> {
        Self::with_route(trust, &Route::System)
    }

    /// A client that takes the given way.
    ///
    /// # Errors
    /// When the authorities, the client certificate or the proxy's address cannot be read.
    pub fn with_route(trust: &Trust, route: &Route) -> Result<Self, ClientError> {
        Ok(Self::along(Way::Network(Box::new(Clients::new(trust, route)?))))
    }

    /// Whether the two are one: prepared together, and with the same connections.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.way, &other.way)
    }

    pub(crate) fn canned(canned: Canned) -> Self {
        Self::along(Way::Canned(canned))
    }

    fn along(way: Way) -> Self {
        Self { way: Arc::new(way), receivers: Receivers::default() }
    }

    /// The addresses of receivers that the site named so far.
    pub(crate) const fn receivers(&self) -> &Receivers {
        &self.receivers
    }

    /// Posts, and follows no redirect, which would carry token and form elsewhere.
    pub(crate) async fn post(
        &self,
        url: Url,
        connection: Connection,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<Response, ClientError> {
        let response = match &*self.way {
            Way::Canned(canned) => canned.answer(&url),
            Way::Network(clients) => {
                let clients = clients.of(encrypted(&url)?)?;
                let client = if connection == Connection::Kept { clients.parts } else { clients.once };
                fill(client.post(url.clone())).send().await.map_err(ClientError::while_sending)?
            }
        };
        match redirect(&url, &response) {
            Some(to) => Err(self.redirected(&response, &to)),
            None => Ok(response),
        }
    }

    /// Reads, following redirects within the same origin.
    pub(crate) async fn get(
        &self,
        url: Url,
        fill: impl Fn(RequestBuilder) -> RequestBuilder,
    ) -> Result<Response, ClientError> {
        self.get_along(url, fill, |from, to| to.origin() == from.origin()).await
    }

    /// Reads, following the redirects that may be followed.
    pub(crate) async fn get_along(
        &self,
        mut url: Url,
        fill: impl Fn(RequestBuilder) -> RequestBuilder,
        may_follow: impl Fn(&Url, &Url) -> bool,
    ) -> Result<Response, ClientError> {
        let mut redirects = 0;
        loop {
            let response = match &*self.way {
                Way::Canned(canned) => canned.answer(&url),
                Way::Network(clients) => {
                    let request = clients.of(encrypted(&url)?)?.pooled.get(url.clone());
                    fill(request).send().await.map_err(ClientError::while_sending)?
                }
            };
            match redirect(&url, &response) {
                None => return Ok(response),
                Some(Ok(to)) if may_follow(&url, &to) && redirects < MOST_REDIRECTS => {
                    redirects += 1;
                    url = to;
                }
                Some(to) => return Err(self.redirected(&response, &to)),
            }
        }
    }

    /// Where an answer points, without what is secret of it.
    fn redirected(&self, response: &Response, to: &Result<Url, String>) -> ClientError {
        let place = match to {
            Ok(url) => {
                let mut place = url.clone();
                place.set_query(None);
                place.set_fragment(None);
                // Neither fails for an address that can have a host, and another has nothing to take away.
                let _ = place.set_username("");
                let _ = place.set_password(None);
                place.to_string()
            }
            Err(text) => text.clone(),
        };
        let place = match self.receivers.finder() {
            Some(receivers) => receivers.clean(&place),
            None => place,
        };
        let to = place.chars().take(500).collect();
        ClientError::Redirected { to, status: response.status().as_u16() }
    }
}

impl Canned {
    fn answer(&self, url: &Url) -> Response {
        (self.0)(url).into()
    }
}

/// A token must not travel readable.
fn encrypted(url: &Url) -> Result<&Url, ClientError> {
    if url.scheme() == "https" || is_this_computer(url) {
        return Ok(url);
    }
    Err(ClientError::NotEncrypted { to: url.origin().ascii_serialization() })
}

/// Where an answer points, if it does. `Err` is a place that cannot be read as an address.
fn redirect(from: &Url, response: &Response) -> Option<Result<Url, String>> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let place = response.headers().get(reqwest::header::LOCATION)?;
    let text = String::from_utf8_lossy(place.as_bytes());
    Some(from.join(&text).map_err(|_| text.chars().take_while(|letter| *letter != '?').take(200).collect()))
}

fn library(error: impl std::error::Error + Send + Sync + 'static) -> SetupFault {
    SetupFault::Library(Box::new(error))
}
