//! Permits: what lets a request that changes a site leave.
//!
//! Each function of this crate that changes a site consumes a [`Permit`]. [`Endpoint::ready`] takes the token, which
//! can wait for a renewal, and [`Ready::permit`] makes the permit after the last check of the caller. Neither that
//! check nor what follows it awaits anything until the request is passed to the HTTP library.

use serde::de::DeserializeOwned;

use crate::decode::Limits;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::request::Request;
use crate::token_retry::TokenRetry;

/// Endpoint with the token of a request that changes a site, before the last check.
#[must_use]
pub struct Ready<'a>(TokenRetry<'a>);

/// Permission to send one request that changes a site. The request is sent once, also if the site rejects its token.
#[must_use]
pub struct Permit<'a>(TokenRetry<'a>);

impl Endpoint {
    /// Takes the token for a request that changes a site. Waits for a renewal in progress.
    pub async fn ready(&self) -> Ready<'_> {
        Ready(TokenRetry::once(self).await)
    }

    /// Returns a permit without a check, for a caller that protects no site, for example a test.
    pub async fn permit_unchecked(&self) -> Permit<'_> {
        let Ready(attempt) = self.ready().await;
        Permit(attempt)
    }
}

impl<'a> Ready<'a> {
    /// Returns the permit if `last_check` succeeds. Send the request without awaiting anything before it.
    ///
    /// # Errors
    /// The error of `last_check`.
    pub fn permit<E>(self, last_check: impl FnOnce() -> Result<(), E>) -> Result<Permit<'a>, E> {
        last_check().map(|()| Permit(self.0))
    }
}

impl Permit<'_> {
    /// Returns the endpoint with the token of the request.
    pub(crate) const fn endpoint(&self) -> &Endpoint {
        self.0.endpoint()
    }

    /// Sends the request, and decodes the JSON response. `expected` describes the response in an error.
    pub(crate) async fn send<R: DeserializeOwned>(
        self,
        request: &Request,
        expected: &'static str,
    ) -> Result<R, ClientError> {
        let limits = Limits::large(request.stall_limit());
        let response = self.endpoint().send_and_read(request, expected, limits).await;
        self.settled(response).await
    }

    /// Returns the final result. A rejected token is renewed for the next request.
    pub(crate) async fn settled<R>(mut self, result: Result<R, ClientError>) -> Result<R, ClientError> {
        self.0.settled(result).await.unwrap_or(Err(ClientError::TokenRenewed))
    }
}
