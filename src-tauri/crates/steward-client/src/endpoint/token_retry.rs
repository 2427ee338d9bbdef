//! Repetition of a signed-in request after a token renewal.
//!
//! Callers start with [`TokenRetry::first`], send the request to [`TokenRetry::endpoint`] and pass the result to
//! [`TokenRetry::settled`] until it returns the final result. A request is sent at most twice.

use std::time::Duration;

use steward_vault::Secret;
use tokio::time::Instant;

use super::Endpoint;
use crate::error::ClientError;
use crate::send_state::{SendState, SoFar};
use crate::token_source::UnderWay;

/// Maximum time from sending a request to a token rejection without effect. Sites check the token first; a later
/// rejection means that it expired during processing, with an unknown outcome.
const MAX_CHECK_TIME: Duration = Duration::from_secs(60);

/// Attempt of a request. If the site rejects the token, it is renewed once, and the request is repeated with the new
/// token.
///
/// An attempt can consist of several requests. After a request with an effect, none of them can return
/// [`ClientError::Rejected`], because that variant means that nothing was done.
pub(crate) struct TokenRetry<'a> {
    asked: &'a Endpoint,
    endpoint: Endpoint,
    /// Token of the first attempt. `None` if there is no session, and in the second attempt.
    renewable: Option<Secret<String>>,
    under_way: Option<UnderWay>,
    /// Start of this attempt.
    begun: Instant,
    /// Requests of the operation before this attempt.
    before: Option<SoFar>,
}

impl<'a> TokenRetry<'a> {
    /// Starts the first attempt, with the current token.
    pub(crate) async fn first(asked: &'a Endpoint) -> Self {
        let under_way = asked.session().map(|session| session.under_way());
        let (endpoint, renewable) = match asked.session() {
            Some(session) => {
                let token = session.token().await;
                (asked.clone().with_token(token.clone()), Some(token))
            }
            None => (asked.clone(), None),
        };
        let before = asked.send_state().map(SendState::so_far);
        Self { asked, endpoint, renewable, under_way, begun: Instant::now(), before }
    }

    /// Returns the endpoint with the token of this attempt.
    pub(crate) const fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Returns the final result, or `None` if the request must be repeated with the renewed token.
    pub(crate) async fn settled<R>(
        &mut self,
        result: Result<R, ClientError>,
    ) -> Option<Result<R, ClientError>> {
        let rejected = match result {
            // 498: token invalid or expired; 499: token required.
            Err(rejected @ ClientError::Rejected { code: 498 | 499, .. }) => rejected,
            result => return Some(result),
        };
        let after = self.begun.elapsed();
        if after > MAX_CHECK_TIME {
            return Some(Err(ClientError::TokenEnded { after, source: Box::new(rejected) }));
        }
        if let (Some(state), Some(before)) = (self.asked.send_state(), self.before) {
            state.rejected(before);
        }
        let (Some(token), Some(session)) = (self.renewable.take(), self.asked.session()) else {
            return Some(Err(rejected));
        };
        self.under_way = None;
        if let Err(error) = session.clone().renewed(token, rejected).await {
            return Some(Err(error));
        }
        self.under_way = Some(session.under_way());
        self.endpoint = self.asked.clone().with_token(session.token().await);
        self.begun = Instant::now();
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use url::Url;

    use super::*;
    use crate::http::Http;
    use crate::token_source::{Pending, TokenSource};
    use crate::trust::Trust;

    /// Source that returns the same token every time.
    #[derive(Debug, Default)]
    struct Tokens(Arc<()>);

    impl TokenSource for Tokens {
        fn token(&self) -> Pending<'_, Secret<String>> {
            Box::pin(async { Secret::new("T".to_owned()) })
        }

        fn ends_at(&self) -> Pending<'_, Option<i64>> {
            Box::pin(async { None })
        }

        fn under_way(&self) -> UnderWay {
            UnderWay::of(&self.0, None)
        }

        fn renewed(
            self: Arc<Self>,
            old: Secret<String>,
            _: ClientError,
        ) -> Pending<'static, Result<Secret<String>, ClientError>> {
            Box::pin(async { Ok(old) })
        }
    }

    #[tokio::test(start_paused = true)]
    async fn request_is_not_repeated_if_the_token_expires_during_processing() {
        let http = Http::new(&Trust::default()).unwrap();
        let endpoint = Endpoint::new(http, Url::parse("https://gis.example.org/server").unwrap())
            .with_session(Arc::new(Tokens::default()));
        // The second attempt has no other token and can take equally long.
        let second = TokenRetry { renewable: None, ..TokenRetry::first(&endpoint).await };
        for mut attempt in [TokenRetry::first(&endpoint).await, second] {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            let (message, details) = ("Invalid Token.".to_owned(), Vec::new());

            let settled =
                attempt.settled(Err::<(), _>(ClientError::Rejected { code: 498, message, details })).await;

            let Some(Err(error)) = settled else { panic!("request repeated") };
            assert!(matches!(error, ClientError::TokenEnded { .. }), "{error:?}");
            assert!(error.may_have_taken_effect());
        }
    }
}
