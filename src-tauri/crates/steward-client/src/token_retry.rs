//! Renewal of a rejected token, and repetition of requests that can be repeated (ADR 0035).
//!
//! Callers start with [`TokenRetry::of`] or [`TokenRetry::repeatable`], send the request to [`TokenRetry::endpoint`]
//! and pass the result to [`TokenRetry::settled`] until it returns the final result. A repeatable request is sent at
//! most twice, every other one once.

use std::time::Duration;

use serde::de::DeserializeOwned;
use steward_vault::Secret;

use crate::decode::Limits;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::moment::Moment;
use crate::request::{MINUTE, Request};
use crate::send_state::{SendState, SoFar};
use crate::token_source::UnderWay;

/// Maximum time from sending a request to a token rejection without effect. Sites check the token first; a later
/// rejection means that it expired during processing, with an unknown outcome.
const MAX_CHECK_TIME: Duration = Duration::from_secs(60);

/// Attempt of a request. If the site rejects the token, it is renewed once. A repeatable request is then sent again.
///
/// An attempt can consist of several requests. After a request with an effect, none of them can return
/// [`ClientError::Rejected`], because that variant means that nothing was done.
pub(crate) struct TokenRetry<'a> {
    asked: &'a Endpoint,
    endpoint: Endpoint,
    is_sent_once: bool,
    /// Token of the first attempt. `None` if there is no session, and in the second attempt.
    renewable: Option<Secret<String>>,
    under_way: Option<UnderWay>,
    /// Start of this attempt.
    begun: Moment,
    /// Requests of the operation before this attempt.
    before: Option<SoFar>,
}

impl<'a> TokenRetry<'a> {
    /// Starts the first attempt of a posted form, with the current token.
    pub(crate) async fn of(asked: &'a Endpoint, request: &Request) -> Self {
        Self { is_sent_once: request.is_sent_once(), ..Self::repeatable(asked).await }
    }

    /// Starts the only attempt of a request that changes something, with the current token.
    pub(crate) async fn once(asked: &'a Endpoint) -> Self {
        Self { is_sent_once: true, ..Self::repeatable(asked).await }
    }

    /// Starts the first attempt of a request that can be sent twice without harm, with the current token.
    pub(crate) async fn repeatable(asked: &'a Endpoint) -> Self {
        let under_way = asked.session().map(|session| session.under_way());
        let (endpoint, renewable) = match asked.session() {
            Some(session) => {
                let token = session.token().await;
                (asked.clone().with_token(token.clone()), Some(token))
            }
            None => (asked.clone(), None),
        };
        let before = asked.send_state().map(SendState::so_far);
        Self { asked, endpoint, is_sent_once: false, renewable, under_way, begun: Moment::now(), before }
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
        if self.is_sent_once && after > MAX_CHECK_TIME {
            return Some(Err(ClientError::TokenEnded { after, source: Box::new(rejected) }));
        }
        let counted = self.asked.send_state().zip(self.before);
        if let Some((state, before)) = counted {
            state.rejected(before);
        }
        let (Some(token), Some(session)) = (self.renewable.take(), self.asked.session()) else {
            return Some(Err(rejected));
        };
        self.under_way = None;
        if let Err(error) = session.clone().renewed(token, rejected).await {
            return Some(Err(error));
        }
        if self.is_sent_once {
            return Some(Err(ClientError::TokenRenewed));
        }
        if let Some((state, before)) = counted {
            state.repeats(before);
        }
        self.under_way = Some(session.under_way());
        self.endpoint = self.asked.clone().with_token(session.token().await);
        self.begun = Moment::now();
        None
    }
}

impl Endpoint {
    /// Sends a request that only reads, and decodes the JSON response. `expected` describes the response in an error. A
    /// request that changes the site is sent with a [`Permit`](crate::Permit).
    ///
    /// If the token is rejected, renews it and sends a repeatable request once more.
    pub(crate) async fn send<R: DeserializeOwned>(
        &self,
        request: &Request,
        expected: &'static str,
    ) -> Result<R, ClientError> {
        let mut turn = TokenRetry::of(self, request).await;
        loop {
            let limits = Limits::small(request.stall_limit());
            let response = turn.endpoint().send_and_read(request, expected, limits).await;
            if let Some(response) = turn.settled(response).await {
                return response;
            }
        }
    }

    /// Reads a description, of at most 1 MiB. `expected` describes the response in an error.
    ///
    /// If the token is rejected, renews it and sends the request once more.
    pub(crate) async fn get<R: DeserializeOwned>(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
        expected: &'static str,
    ) -> Result<R, ClientError> {
        self.get_within(segments, query, expected, Limits::small(Some(MINUTE))).await
    }

    /// Reads a list, of at most 256 MiB, as [`get`](Self::get).
    pub(crate) async fn get_list<R: DeserializeOwned>(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
        expected: &'static str,
    ) -> Result<R, ClientError> {
        self.get_within(segments, query, expected, Limits::large(Some(MINUTE))).await
    }

    /// Reads a description as [`get`](Self::get), but waits up to `longest` until the site sends a byte.
    pub(crate) async fn get_slowly<R: DeserializeOwned>(
        &self,
        segments: &[&str],
        expected: &'static str,
        longest: Duration,
    ) -> Result<R, ClientError> {
        self.get_within(segments, &[], expected, Limits::small(Some(longest))).await
    }

    async fn get_within<R: DeserializeOwned>(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
        expected: &'static str,
        limits: Limits,
    ) -> Result<R, ClientError> {
        let mut turn = TokenRetry::repeatable(self).await;
        loop {
            let answer = turn.endpoint().get_once(segments, query, expected, limits).await;
            if let Some(answer) = turn.settled(answer).await {
                return answer;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use url::Url;

    use super::*;
    use crate::http::Http;
    use crate::request::ResponseTimeout;
    use crate::token_source::{Pending, TokenSource};
    use crate::trust::Trust;

    /// Source that returns the same token every time.
    #[derive(Debug, Default)]
    struct Tokens(Arc<()>);

    impl TokenSource for Tokens {
        fn is_ended(&self) -> bool {
            false
        }

        fn token(&self) -> Pending<'_, Secret<String>> {
            Box::pin(async { Secret::new("T".to_owned()) })
        }

        fn ends_at(&self) -> Pending<'_, Option<i64>> {
            Box::pin(async { None })
        }

        fn session_ends_at(&self) -> Pending<'_, Option<i64>> {
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

    fn endpoint() -> Endpoint {
        let http = Http::new(&Trust::default()).unwrap();
        Endpoint::new(http, Url::parse("https://gis.example.org/server").unwrap())
            .with_session(Arc::new(Tokens::default()))
    }

    /// How an attempt ends whose token is rejected.
    async fn rejected(mut attempt: TokenRetry<'_>) -> Option<ClientError> {
        let (message, details) = ("Invalid Token.".to_owned(), Vec::new());
        let rejected = Err::<(), _>(ClientError::Rejected { code: 498, message, details });
        attempt.settled(rejected).await.map(|settled| settled.unwrap_err())
    }

    #[tokio::test]
    async fn a_change_is_sent_once_and_a_reading_again() {
        let endpoint = endpoint();

        let change = rejected(TokenRetry::once(&endpoint).await).await;
        assert!(matches!(change, Some(ClientError::TokenRenewed)), "{change:?}");
        assert!(rejected(TokenRetry::repeatable(&endpoint).await).await.is_none());
        // The same by the request, should one that changes something ever be sent without a permit.
        let timeout = ResponseTimeout::Minute;
        let once = TokenRetry::of(&endpoint, &Request::once(["x"], timeout)).await;
        assert!(matches!(rejected(once).await, Some(ClientError::TokenRenewed)));
        let again = TokenRetry::of(&endpoint, &Request::repeatable(["x"], timeout)).await;
        assert!(rejected(again).await.is_none());
    }

    #[tokio::test]
    async fn a_token_that_ended_while_the_computer_slept_ended_during_processing() {
        let endpoint = endpoint();
        // The monotonic clock stood still meanwhile.
        let before_sleep = |now: Moment| Moment { wall: now.wall - 600_000, ..now };
        let change = TokenRetry::once(&endpoint).await;
        let change = TokenRetry { begun: before_sleep(change.begun), ..change };
        // Without another token, it is as late.
        let last = TokenRetry::once(&endpoint).await;
        let last = TokenRetry { begun: before_sleep(last.begun), renewable: None, ..last };
        for attempt in [change, last] {
            let error = rejected(attempt).await.unwrap();

            assert!(matches!(error, ClientError::TokenEnded { .. }), "{error:?}");
            assert!(error.may_have_taken_effect());
        }
        let reading = TokenRetry::repeatable(&endpoint).await;
        let reading = TokenRetry { begun: before_sleep(reading.begun), ..reading };
        assert!(rejected(reading).await.is_none(), "a reading has no effect, however late");
    }
}
