//! A signed-in area: the token, its end, and how to get the next one.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use steward_vault::Secret;
use tokio::sync::Mutex;
use url::Url;

use crate::area::Area;
use crate::error::ClientError;
use crate::oauth::{self, RefreshToken};
use crate::sign_in::{IssuedToken, exchange_for_server, generate_token};
use crate::token_life::{TokenLife, token_life};

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

/// Where renewed tokens are kept: the keyring.
pub trait Keeper: Send + Sync {
    /// Keeps what a session holds now. What is not kept must be asked for again after a restart.
    fn keep<'a>(&'a self, held: Held) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
}

/// A signed-in person at one area of a site.
pub struct Session {
    area: Area,
    state: Mutex<State>,
    keeper: Box<dyn Keeper>,
}

#[derive(Debug)]
struct State {
    token: IssuedToken,
    renewal: Renewal,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("area", &self.area).finish_non_exhaustive()
    }
}

impl Session {
    /// A session at `area`, whose own token does not matter.
    #[must_use]
    pub fn new(area: Area, token: IssuedToken, renewal: Renewal, keeper: Box<dyn Keeper>) -> Self {
        Self { area: area.without_token(), state: Mutex::new(State { token, renewal }), keeper }
    }

    /// The area, asked by whom this session belongs to.
    #[must_use]
    pub fn area(self: &Arc<Self>) -> Area {
        self.area.clone().with_session(self.clone())
    }

    /// How the life of the token compares with what an operation took before.
    pub async fn life(&self, took_before: Option<Duration>) -> TokenLife {
        let ends = self.state.lock().await.token.expires_at;
        token_life(ends, Timestamp::now().as_millisecond(), took_before)
    }

    /// When the token ends, in milliseconds since 1970, if the site said so.
    pub async fn ends_at(&self) -> Option<i64> {
        self.state.lock().await.token.expires_at
    }

    /// Gets the next token now, before an operation that the present one would not outlive.
    ///
    /// # Errors
    /// [`ClientError::Refused`] with 498 when there is nothing to renew with; otherwise as the site answers.
    pub async fn renew(&self) -> Result<(), ClientError> {
        let token = self.token().await;
        let why = ClientError::Refused {
            code: 498,
            message: "the token ends too soon".to_owned(),
            details: Vec::new(),
        };
        self.renewed(&token, why).await.map(|_| ())
    }

    pub(crate) async fn token(&self) -> Secret<String> {
        self.state.lock().await.token.token.clone()
    }

    /// The token after `old`. Requests that were refused together wait here for one renewal. Boxed, for the renewal
    /// at one session may be a request of another.
    pub(crate) fn renewed<'a>(
        &'a self,
        old: &'a Secret<String>,
        refused: ClientError,
    ) -> Pin<Box<dyn Future<Output = Result<Secret<String>, ClientError>> + Send + 'a>> {
        Box::pin(async move {
            let mut state = self.state.lock().await;
            if state.token.token != *old {
                return Ok(state.token.token.clone());
            }
            state.token = match &state.renewal {
                Renewal::SignIn => return Err(refused),
                Renewal::RefreshToken(refresh) => {
                    let (token, refresh) =
                        self.with_refresh_token(refresh).await.map_err(no_longer_signed_in)?;
                    if let Some(refresh) = refresh {
                        state.renewal = Renewal::RefreshToken(refresh);
                    }
                    token
                }
                Renewal::Portal { portal, server } => exchange_for_server(&portal.area(), server).await?,
                Renewal::Password { path, username, password } => {
                    let path: Vec<&str> = path.iter().map(String::as_str).collect();
                    generate_token(&self.area, &path, username, password)
                        .await
                        .map_err(no_longer_signed_in)?
                }
            };
            let refresh = match &state.renewal {
                Renewal::RefreshToken(refresh) => Some(refresh.clone()),
                _ => None,
            };
            let (token, expires_at) = (state.token.token.clone(), state.token.expires_at);
            self.keeper.keep(Held { token: token.clone(), expires_at, refresh }).await;
            Ok(token)
        })
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

/// A renewal that is refused leaves the person; one that gets no answer may be tried again later.
fn no_longer_signed_in(error: ClientError) -> ClientError {
    match error {
        ClientError::Refused { message, details, .. } => ClientError::Refused { code: 498, message, details },
        other => other,
    }
}
