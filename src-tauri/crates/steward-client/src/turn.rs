//! The two turns of a signed-in request: with the token at hand, and once more with the next one.

use std::time::Duration;

use steward_vault::Secret;
use tokio::time::Instant;

use crate::area::Area;
use crate::error::ClientError;
use crate::send_state::SendState;
use crate::session::UnderWay;

/// A token is looked at before anything else is done. When a site says only later that it is not valid, it ran out
/// during the work, and how far that came is not known.
const LOOKED_AT_WITHIN: Duration = Duration::from_secs(60);

/// One turn of a request. A token that the site refuses, or does not know, is renewed once, and the same is asked once more; what comes
/// then is the answer.
///
/// A turn may send several requests, but nothing after the one that has an effect may report
/// [`ClientError::Refused`]: that means that nothing was done.
pub(crate) struct Turn<'a> {
    asked: &'a Area,
    area: Area,
    /// The token of the first turn; `None` where nothing can be renewed, and in the second.
    renewable: Option<Secret<String>>,
    under_way: Option<UnderWay>,
    /// When this turn began.
    begun: Instant,
    /// What of the operation was handed over before this turn.
    handed_over: usize,
}

impl<'a> Turn<'a> {
    /// With the token at hand.
    pub(crate) async fn first(asked: &'a Area) -> Self {
        let under_way = asked.session().map(|session| session.under_way());
        let (area, renewable) = match asked.session() {
            Some(session) => {
                let token = session.token().await;
                (asked.clone().with_token(token.clone()), Some(token))
            }
            None => (asked.clone(), None),
        };
        let handed_over = asked.send_state().map_or(0, SendState::handed_over);
        Self { asked, area, renewable, under_way, begun: Instant::now(), handed_over }
    }

    /// The area with the token of this turn.
    pub(crate) const fn area(&self) -> &Area {
        &self.area
    }

    /// The answer, or `None` when the same is to be asked once more.
    pub(crate) async fn settled<R>(
        &mut self,
        answer: Result<R, ClientError>,
    ) -> Option<Result<R, ClientError>> {
        let refused = match answer {
            // 498: not valid, or not any more; 499: none that the site knows.
            Err(refused @ ClientError::Refused { code: 498 | 499, .. }) => refused,
            answer => return Some(answer),
        };
        let after = self.begun.elapsed();
        if after > LOOKED_AT_WITHIN {
            return Some(Err(ClientError::TokenEnded { after, source: Box::new(refused) }));
        }
        if let Some(state) = self.area.send_state() {
            state.rejected(self.handed_over);
        }
        let (Some(token), Some(session)) = (self.renewable.take(), self.asked.session()) else {
            return Some(Err(refused));
        };
        self.under_way = None;
        if let Err(error) = session.renewed(token, refused).await {
            return Some(Err(error));
        }
        self.under_way = Some(session.under_way());
        self.area = self.asked.clone().with_token(session.token().await);
        self.begun = Instant::now();
        None
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::Arc;

    use url::Url;

    use super::*;
    use crate::http::Http;
    use crate::session::{Held, Keeper, Renewal, Session};
    use crate::sign_in::IssuedToken;
    use crate::trust::Trust;

    struct Nowhere;

    impl Keeper for Nowhere {
        fn keep<'a>(&'a self, _: Held) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
            Box::pin(async {})
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_that_ends_after_an_hour_of_work_is_no_reason_to_do_the_work_again() {
        let http = Http::new(&Trust::default()).unwrap();
        let area = Area::new(http, Url::parse("https://gis.example.org/server").unwrap());
        let token = IssuedToken { token: Secret::new("T".to_owned()), expires_at: None };
        let renewal = Renewal::Password {
            path: Vec::new(),
            username: "steward".to_owned(),
            password: Secret::new("canary".to_owned()),
        };
        let area = Arc::new(Session::new(area, token, renewal, Box::new(Nowhere))).area();
        // The second turn has no other token to try, and may take as long.
        let second = Turn { renewable: None, ..Turn::first(&area).await };
        for mut turn in [Turn::first(&area).await, second] {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            let (message, details) = ("Invalid Token.".to_owned(), Vec::new());

            let settled =
                turn.settled(Err::<(), _>(ClientError::Refused { code: 498, message, details })).await;

            let Some(Err(error)) = settled else { panic!("asked once more") };
            assert!(matches!(error, ClientError::TokenEnded { .. }), "{error:?}");
            assert!(error.may_have_taken_effect());
        }
    }
}
