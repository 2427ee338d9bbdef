//! A signed-in area: the token, its end, and how to get the next one.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use steward_vault::Secret;
use tokio::sync::Mutex;
use tokio::time::Instant;
use url::Url;

use crate::area::Area;
use crate::error::ClientError;
use crate::oauth::{self, RefreshToken};
use crate::sign_in::{IssuedToken, exchange_for_server, generate_token};
use crate::token_life::{TokenLife, token_life};

/// A token is looked at before anything else is done. When a site says only later that it is not valid, it ran out
/// during the work, and how far that came is not known.
const LOOKED_AT_WITHIN: Duration = Duration::from_secs(60);

/// How the next token is had.
#[derive(Debug)]
pub enum Renewal {
    /// Not at all: the person signs in.
    SignIn,
    /// With the refresh token of a sign-in in the browser.
    RefreshToken(RefreshToken),
    /// By exchange of the portal's token, for a federated server.
    Portal {
        /// The portal's session.
        portal: Arc<Session>,
        /// The root of the server, as the portal knows it.
        server: Url,
    },
    /// With a password that the person asked to keep.
    Password {
        /// Where tokens are generated, from the root of the area.
        path: Vec<String>,
        /// User name.
        username: String,
        /// Password.
        password: Secret<String>,
    },
}

/// What a session holds, for the keyring.
#[derive(Debug, Clone)]
pub struct Held {
    /// The token.
    pub token: Secret<String>,
    /// When it ends, in milliseconds since 1970.
    pub expires_at: Option<i64>,
    /// The refresh token, where there is one.
    pub refresh: Option<RefreshToken>,
}

/// Why a signed-in request did not give its answer.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The person has to sign in.
    #[error("sign in again")]
    SignIn {
        /// What led to it.
        #[source]
        why: ClientError,
    },
    /// The token ran out while the site was at work. What it had done by then is not known.
    #[error("the token ended after {} seconds of work", after.as_secs())]
    EndedUnderWay {
        /// How long the site had been at work.
        after: Duration,
        /// What it said.
        #[source]
        why: ClientError,
    },
    /// As without a session.
    #[error(transparent)]
    Client(#[from] ClientError),
}

impl SessionError {
    /// Whether the site may have done, or may still be doing, what was asked.
    #[must_use]
    pub fn may_have_taken_effect(&self) -> bool {
        match self {
            Self::SignIn { .. } => false,
            Self::EndedUnderWay { .. } => true,
            Self::Client(error) => error.may_have_taken_effect(),
        }
    }
}

/// A signed-in area.
#[derive(Debug)]
pub struct Session {
    area: Area,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    token: IssuedToken,
    renewal: Renewal,
    /// Whether there is something that the keyring does not have yet.
    changed: bool,
}

impl Session {
    /// A session at `area`, whose own token does not matter.
    #[must_use]
    pub fn new(area: Area, token: IssuedToken, renewal: Renewal) -> Self {
        let state = State { token, renewal, changed: false };
        Self { area: area.without_token(), state: Mutex::new(state) }
    }

    /// Asks something of the area. A token that the site refuses is renewed once, and the same is asked once more;
    /// a second refusal, or one without a token to renew, asks the person to sign in.
    ///
    /// `ask` may send several requests, but nothing after the one that has an effect may report a
    /// [`ClientError::Refused`]: that means that nothing was done.
    ///
    /// # Errors
    /// See [`SessionError`].
    pub async fn perform<R, F>(&self, ask: impl Fn(Area) -> F) -> Result<R, SessionError>
    where
        F: Future<Output = Result<R, ClientError>>,
    {
        let token = self.token().await;
        let begun = Instant::now();
        let refused = match ask(self.area.clone().with_token(token.clone())).await {
            Err(refused @ ClientError::Refused { code: 498, .. }) => refused,
            other => return signed_in(other),
        };
        let after = begun.elapsed();
        if after > LOOKED_AT_WITHIN {
            return Err(SessionError::EndedUnderWay { after, why: refused });
        }
        let token = self.renewed(&token, refused).await?;
        signed_in(ask(self.area.clone().with_token(token)).await)
    }

    /// How the life of the token compares with what an operation took before.
    pub async fn life(&self, took_before: Option<Duration>) -> TokenLife {
        let ends = self.state.lock().await.token.expires_at;
        token_life(ends, Timestamp::now().as_millisecond(), took_before)
    }

    /// Gets the next token now, before an operation that the present one would not outlive.
    ///
    /// # Errors
    /// [`SessionError::SignIn`] when there is nothing to renew with; otherwise as the site answers.
    pub async fn renew(&self) -> Result<(), SessionError> {
        let token = self.token().await;
        let why = ClientError::Refused {
            code: 498,
            message: "the token ends too soon".to_owned(),
            details: Vec::new(),
        };
        self.renewed(&token, why).await.map(|_| ())
    }

    /// What the keyring does not have yet, once after each renewal.
    pub async fn take_renewed(&self) -> Option<Held> {
        let mut state = self.state.lock().await;
        if !std::mem::take(&mut state.changed) {
            return None;
        }
        let refresh = match &state.renewal {
            Renewal::RefreshToken(refresh) => Some(refresh.clone()),
            _ => None,
        };
        Some(Held { token: state.token.token.clone(), expires_at: state.token.expires_at, refresh })
    }

    async fn token(&self) -> Secret<String> {
        self.state.lock().await.token.token.clone()
    }

    /// The token after `old`. Requests that were refused together wait here for one renewal.
    async fn renewed(
        &self,
        old: &Secret<String>,
        refused: ClientError,
    ) -> Result<Secret<String>, SessionError> {
        let mut state = self.state.lock().await;
        if state.token.token != *old {
            return Ok(state.token.token.clone());
        }
        let next = match &state.renewal {
            Renewal::SignIn => return Err(SessionError::SignIn { why: refused }),
            Renewal::RefreshToken(refresh) => {
                let (token, refresh) = self.with_refresh_token(refresh).await.map_err(no_longer_signed_in)?;
                if let Some(refresh) = refresh {
                    state.renewal = Renewal::RefreshToken(refresh);
                }
                token
            }
            Renewal::Portal { portal, server } => {
                // Boxed, for a session's renewal is a request of another session.
                let exchange =
                    portal.perform(|portal| async move { exchange_for_server(&portal, server).await });
                Box::pin(exchange).await?
            }
            Renewal::Password { path, username, password } => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                generate_token(&self.area, &path, username, password).await.map_err(no_longer_signed_in)?
            }
        };
        state.token = next;
        state.changed = true;
        Ok(state.token.token.clone())
    }

    async fn with_refresh_token(
        &self,
        refresh: &RefreshToken,
    ) -> Result<(IssuedToken, Option<RefreshToken>), ClientError> {
        let grant = if refresh.nears_its_end(Timestamp::now().as_millisecond()) {
            oauth::exchange_refresh_token(&self.area, refresh).await?
        } else {
            oauth::refresh(&self.area, refresh).await?
        };
        Ok((grant.token, grant.refresh))
    }
}

fn signed_in<R>(answer: Result<R, ClientError>) -> Result<R, SessionError> {
    answer.map_err(|error| match error {
        why @ ClientError::Refused { code: 498 | 499, .. } => SessionError::SignIn { why },
        other => SessionError::Client(other),
    })
}

/// A renewal that is refused leaves the person; one that gets no answer may be tried again later.
fn no_longer_signed_in(error: ClientError) -> SessionError {
    match error {
        why @ ClientError::Refused { .. } => SessionError::SignIn { why },
        other => SessionError::Client(other),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::http::Http;
    use crate::trust::Trust;

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
        let session = Session::new(area, token, renewal);
        let asked = AtomicU32::new(0);

        let answer = session
            .perform(|_| async {
                asked.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_secs(3600)).await;
                let (message, details) = ("Invalid Token.".to_owned(), Vec::new());
                Err::<(), _>(ClientError::Refused { code: 498, message, details })
            })
            .await;

        let error = answer.unwrap_err();
        assert!(matches!(error, SessionError::EndedUnderWay { .. }), "{error:?}");
        assert!(error.may_have_taken_effect());
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }
}
