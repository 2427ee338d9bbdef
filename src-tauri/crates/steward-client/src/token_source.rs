//! Source of the tokens of an endpoint.

use std::fmt::Debug;
use std::pin::Pin;
use std::sync::Arc;

use steward_vault::Secret;

use crate::error::ClientError;

/// Future that returns a value.
pub(crate) type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Source of the token of each request, and of a new token after the site rejected one.
pub trait TokenSource: Debug + Send + Sync {
    /// Returns the current token.
    fn token(&self) -> Pending<'_, Secret<String>>;

    /// Returns the expiry of the token, in milliseconds since 1970. `None` if the site did not return it.
    fn ends_at(&self) -> Pending<'_, Option<i64>>;

    /// Returns when a user has to sign in again, in milliseconds since 1970. `None` if that is not known, or a stored
    /// password signs in.
    fn session_ends_at(&self) -> Pending<'_, Option<i64>>;

    /// Marks a request as in progress until the result is dropped. Call this before [`token`](Self::token).
    fn under_way(&self) -> UnderWay;

    /// Returns whether the user signed out. Then the token is neither renewed nor exchanged, also by work that is under
    /// way.
    fn is_ended(&self) -> bool;

    /// Returns the token that replaces `old`, renewing it if necessary.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`], as given in `rejected`, if there is no renewal method.
    /// - [`ClientError::Rejected`] with code 498 if the user signed out.
    /// - [`ClientError::Rejected`] with code 498 if the site rejects the renewal.
    /// - [`ClientError::NotRenewed`] if the renewal fails for a temporary reason.
    fn renewed(
        self: Arc<Self>,
        old: Secret<String>,
        rejected: ClientError,
    ) -> Pending<'static, Result<Secret<String>, ClientError>>;
}

/// Request in progress with a token, and with the token that it was exchanged for.
pub struct UnderWay(Vec<Arc<()>>);

impl UnderWay {
    /// Marks a request with the token that `in_use` counts, and with that of `exchanged_for`.
    pub(crate) fn of(in_use: &Arc<()>, exchanged_for: Option<Self>) -> Self {
        let mut held = exchanged_for.map(|Self(held)| held).unwrap_or_default();
        held.push(in_use.clone());
        Self(held)
    }
}
