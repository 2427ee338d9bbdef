//! A signed-in area: the token, its end, and how to get the next one.

use std::pin::Pin;
use std::sync::{Arc, Mutex as Quick, MutexGuard, PoisonError};
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
#[derive(Debug, Clone)]
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
    tokens: Arc<Tokens>,
}

/// What one sign-in holds, whichever way leads to the site.
struct Tokens {
    /// Locked during a renewal: a request waits for the token that comes.
    token: Mutex<IssuedToken>,
    renewal: Quick<Renewal>,
    /// Held by every request that is under way with the token.
    in_use: Arc<()>,
    /// Locked while they are kept: what was renewed last is kept last.
    keeping: Mutex<()>,
    keeper: Box<dyn Keeper>,
}

/// A request that is under way with the token of a session, and with the one that it was made from.
pub(crate) struct UnderWay {
    _held: Vec<Arc<()>>,
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
        let tokens = Tokens {
            token: Mutex::new(token),
            renewal: Quick::new(renewal),
            in_use: Arc::default(),
            keeping: Mutex::default(),
            keeper,
        };
        Self { area: area.without_token(), tokens: Arc::new(tokens) }
    }

    /// The same sign-in at the same site, over another way. The two hold one token, for where it is exchanged the one
    /// before ends. `renewal` replaces what the token was renewed with, but for a refresh token: the one at hand is
    /// the newest.
    #[must_use]
    pub fn over(&self, area: Area, renewal: Renewal) -> Self {
        let mut held = self.tokens.renewal();
        if !matches!(*held, Renewal::RefreshToken(_)) {
            *held = renewal;
        }
        drop(held);
        Self { area: area.without_token(), tokens: self.tokens.clone() }
    }

    /// The area, asked by whom this session belongs to.
    #[must_use]
    pub fn area(self: &Arc<Self>) -> Area {
        self.area.clone().with_session(self.clone())
    }

    /// How the life of the token compares with what an operation took before.
    pub async fn life(&self, took_before: Option<Duration>) -> TokenLife {
        token_life(self.ends_at().await, Timestamp::now().as_millisecond(), took_before)
    }

    /// When the token ends, in milliseconds since 1970, if the site said so.
    pub async fn ends_at(&self) -> Option<i64> {
        self.tokens.token.lock().await.expires_at
    }

    /// Gets the next token now, before an operation that the present one would not outlive.
    ///
    /// # Errors
    /// [`ClientError::Refused`] with 498 when there is nothing to renew with, or the site rejects it;
    /// [`ClientError::NotRenewed`] otherwise.
    pub async fn renew(self: &Arc<Self>) -> Result<(), ClientError> {
        let token = self.token().await;
        let why = ClientError::Refused {
            code: 498,
            message: "the token ends too soon".to_owned(),
            details: Vec::new(),
        };
        self.renewed(token, why).await.map(|_| ())
    }

    /// The token at hand. One that the portal issued ends with the portal's own, so what the portal is renewing is waited
    /// for: a request that were sent meanwhile would lose its token while it runs.
    pub(crate) async fn token(&self) -> Secret<String> {
        if let Some(portal) = self.portal() {
            drop(portal.tokens.token.lock().await);
        }
        self.tokens.token.lock().await.token.clone()
    }

    fn portal(&self) -> Option<Arc<Self>> {
        match &*self.tokens.renewal() {
            Renewal::Portal { portal, .. } => Some(portal.clone()),
            _ => None,
        }
    }

    /// Says that a request is under way, for as long as the result lives. To be asked for before the token is.
    pub(crate) fn under_way(&self) -> UnderWay {
        let of_portal = self.portal().map(|portal| portal.tokens.in_use.clone());
        UnderWay { _held: of_portal.into_iter().chain([self.tokens.in_use.clone()]).collect() }
    }

    /// The token after `old`. Requests that were refused together wait here for one renewal, which runs to its end
    /// whoever still waits: a new refresh token that nobody took up would be lost with the sign-in. Boxed, for the
    /// renewal at one session may be a request of another.
    pub(crate) fn renewed(
        self: &Arc<Self>,
        old: Secret<String>,
        refused: ClientError,
    ) -> Pin<Box<dyn Future<Output = Result<Secret<String>, ClientError>> + Send>> {
        let session = self.clone();
        Box::pin(async move {
            let renewing = tokio::spawn(async move { session.next(&old, refused).await });
            renewing.await.unwrap_or_else(|error| Err(ClientError::unreadable("a token", error.to_string())))
        })
    }

    async fn next(&self, old: &Secret<String>, refused: ClientError) -> Result<Secret<String>, ClientError> {
        let next = {
            let mut held = self.tokens.token.lock().await;
            if held.token != *old {
                return Ok(held.token.clone());
            }
            *held = self.ask(refused).await?;
            held.token.clone()
        };
        // Nobody waits for a keyring that may ask the person something first.
        let tokens = self.tokens.clone();
        tokio::spawn(async move { tokens.keep().await });
        Ok(next)
    }

    async fn ask(&self, refused: ClientError) -> Result<IssuedToken, ClientError> {
        let renewal = self.tokens.renewal().clone();
        let asked = match &renewal {
            Renewal::SignIn => return Err(refused),
            Renewal::RefreshToken(refresh) => self.with_refresh_token(refresh).await,
            Renewal::Portal { portal, server } => exchange_for_server(&portal.area(), server).await,
            Renewal::Password { path, username, password } => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                generate_token(&self.area, &path, username, password).await
            }
        };
        match (asked, renewal) {
            (Ok(token), _) => Ok(token),
            (Err(error), Renewal::Portal { .. }) => Err(not_at_the_portal(error)),
            (Err(ClientError::Refused { code, message, details }), _) if !is_trouble(code) => {
                // A password that is tried again and again locks the account.
                *self.tokens.renewal() = Renewal::SignIn;
                Err(ClientError::Refused { code: 498, message, details })
            }
            (Err(error), _) => Err(not_renewed(error)),
        }
    }

    async fn with_refresh_token(&self, refresh: &RefreshToken) -> Result<IssuedToken, ClientError> {
        // The exchange ends the token at hand too, and with it what a running operation was begun with.
        let is_alone = Arc::strong_count(&self.tokens.in_use) == 1;
        let grant = if is_alone && refresh.nears_its_end(Timestamp::now().as_millisecond()) {
            oauth::exchange_refresh_token(&self.area, refresh).await?
        } else {
            oauth::refresh(&self.area, refresh).await?
        };
        if let Some(refresh) = grant.refresh {
            *self.tokens.renewal() = Renewal::RefreshToken(refresh);
        }
        Ok(grant.token)
    }
}

impl Tokens {
    fn renewal(&self) -> MutexGuard<'_, Renewal> {
        // It is replaced whole.
        self.renewal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what is held now.
    async fn keep(&self) {
        let _alone = self.keeping.lock().await;
        let held = {
            let held = self.token.lock().await;
            let refresh = match &*self.renewal() {
                Renewal::RefreshToken(refresh) => Some(refresh.clone()),
                _ => None,
            };
            Held { token: held.token.clone(), expires_at: held.expires_at, refresh }
        };
        self.keeper.keep(held).await;
    }
}

/// A rejected renewal ends the session; a site in trouble, or one that cannot be reached, does not.
fn is_trouble(code: i32) -> bool {
    matches!(code, 408 | 429 | 500..=599)
}

/// Where the portal rejects the exchange, the session at the portal is not at its end.
fn not_at_the_portal(error: ClientError) -> ClientError {
    match error {
        ended @ ClientError::Refused { code: 498 | 499, .. } => ended,
        error => not_renewed(error),
    }
}

fn not_renewed(error: ClientError) -> ClientError {
    match error {
        known @ ClientError::NotRenewed { .. } => known,
        error => ClientError::NotRenewed { source: Box::new(error) },
    }
}
