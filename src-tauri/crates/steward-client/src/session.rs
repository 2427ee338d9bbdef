//! Session of a signed-in user: token, expiry, and renewal.
//!
//! [`Session::endpoint`] returns an endpoint that sends the token with each request and renews it when the site rejects
//! it. Invariant: at most one renewal runs per session, and it runs to its end, because a new refresh token that
//! nothing stores would end the session.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex as SyncMutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use steward_vault::Secret;
use tokio::sync::Mutex;
use url::Url;

use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::oauth::{self, RefreshToken};
use crate::rejected_passwords::RejectedPasswords;
use crate::sign_in::{IssuedToken, exchange_for_server, generate_token};
use crate::token_source::{Pending, TokenSource, UnderWay};

/// Method for obtaining the next token.
#[derive(Debug, Clone)]
pub enum Renewal {
    /// None: the user must sign in again.
    SignIn,
    /// Refresh token of a sign-in in the browser.
    RefreshToken(RefreshToken),
    /// Exchange of the portal's token, for a federated server.
    Portal {
        /// The portal, with its session.
        portal: Endpoint,
        /// Root URL of the server, as listed by the portal.
        server: Url,
    },
    /// Password that the user chose to save.
    Password {
        /// Path segments of `generateToken`, relative to the root of the endpoint.
        path: Vec<String>,
        /// User name.
        username: String,
        /// Password.
        password: Secret<String>,
        /// Passwords that are not sent, shared by all sessions.
        rejected: Arc<RejectedPasswords>,
    },
}

/// Tokens of a session, as stored in the keyring.
#[derive(Debug, Clone)]
pub struct SessionTokens {
    /// Token of the requests.
    pub token: Secret<String>,
    /// Expiry of the token, in milliseconds since 1970. `None` if the site did not return it.
    pub expires_at: Option<i64>,
    /// Refresh token. `None` for other sign-in methods.
    pub refresh: Option<RefreshToken>,
}

/// Storage of renewed tokens and of the password that renews them; in the app, the keyring.
pub trait TokenStore: Send + Sync {
    /// Deletes the saved password, because the site rejected it.
    fn forget_password<'a>(&'a self) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

    /// Stores the current tokens of a session. If they are not stored, the user must sign in again after a restart.
    fn keep<'a>(&'a self, held: SessionTokens) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
}

/// Signed-in user at one endpoint of a site.
pub struct Session {
    endpoint: Endpoint,
    tokens: Arc<Tokens>,
}

/// Tokens of one sign-in, independent of the network route.
struct Tokens {
    /// Locked during a renewal, so that requests wait for the new token.
    token: Mutex<IssuedToken>,
    renewal: SyncMutex<Renewal>,
    /// Whether the user signed out.
    is_ended: AtomicBool,
    /// Reference that every request in progress with the token has a clone of.
    in_use: Arc<()>,
    /// Locked while tokens are stored, so that the newest tokens are stored last.
    keeping: Mutex<()>,
    keeper: Box<dyn TokenStore>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl Session {
    /// Creates a session at `endpoint`. A token or session of `endpoint` itself is ignored.
    #[must_use]
    pub fn new(
        endpoint: Endpoint,
        token: IssuedToken,
        renewal: Renewal,
        keeper: Box<dyn TokenStore>,
    ) -> Self {
        let tokens = Tokens {
            token: Mutex::new(token),
            renewal: SyncMutex::new(renewal),
            is_ended: AtomicBool::new(false),
            in_use: Arc::default(),
            keeping: Mutex::default(),
            keeper,
        };
        Self { endpoint: endpoint.without_token(), tokens: Arc::new(tokens) }
    }

    /// Returns a session with the same tokens at the same site, over another network route.
    ///
    /// Both share one token, because an exchange invalidates the previous token. `renewal` replaces the renewal method,
    /// except a refresh token: the session already has the newest one.
    #[must_use]
    pub fn over(&self, endpoint: Endpoint, renewal: Renewal) -> Self {
        let mut held = self.tokens.renewal();
        if !matches!(*held, Renewal::RefreshToken(_)) {
            *held = renewal;
        }
        drop(held);
        Self { endpoint: endpoint.without_token(), tokens: self.tokens.clone() }
    }

    /// Renews and exchanges no more tokens, because the user signed out. A request that is under way goes on with its
    /// token.
    pub fn end_renewals(&self) {
        self.tokens.is_ended.store(true, Ordering::SeqCst);
        *self.tokens.renewal() = Renewal::SignIn;
    }

    /// Returns the endpoint with the token of this session.
    #[must_use]
    pub fn endpoint(self: &Arc<Self>) -> Endpoint {
        self.endpoint.clone().with_session(self.clone())
    }

    /// Returns the session of the portal that the token was exchanged at.
    fn portal(&self) -> Option<Arc<dyn TokenSource>> {
        match &*self.tokens.renewal() {
            Renewal::Portal { portal, .. } => portal.session().cloned(),
            _ => None,
        }
    }

    async fn next(&self, old: &Secret<String>, rejected: ClientError) -> Result<Secret<String>, ClientError> {
        let next = {
            let mut held = self.tokens.token.lock().await;
            if held.token != *old {
                return Ok(held.token.clone());
            }
            let next = self.request_token(rejected).await?;
            // The user may have signed out meanwhile.
            if self.is_ended() {
                return Err(ClientError::signed_out());
            }
            *held = next;
            held.token.clone()
        };
        // Store in the background: the keyring might show a prompt first.
        let tokens = self.tokens.clone();
        tokio::spawn(async move { tokens.keep().await });
        Ok(next)
    }

    async fn request_token(&self, rejected: ClientError) -> Result<IssuedToken, ClientError> {
        let renewal = self.tokens.renewal().clone();
        let requested = match &renewal {
            Renewal::SignIn => return Err(rejected),
            Renewal::RefreshToken(refresh) => self.with_refresh_token(refresh).await,
            Renewal::Portal { portal, server } => exchange_for_server(portal, server).await,
            Renewal::Password { username, password, rejected: passwords, .. }
                if passwords.contains(self.endpoint.root(), username, password) =>
            {
                self.end(&renewal);
                return Err(rejected);
            }
            Renewal::Password { path, username, password, .. } => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                generate_token(&self.endpoint, &path, username, password).await
            }
        };
        match (requested, renewal) {
            (Ok(token), _) => Ok(token),
            (Err(error), Renewal::Portal { .. }) => Err(portal_exchange_error(error)),
            (Err(error), renewal) if is_final(&error) => {
                self.end(&renewal);
                Err(match error {
                    ClientError::Rejected { message, details, .. } => {
                        ClientError::Rejected { code: 498, message, details }
                    }
                    _ => rejected,
                })
            }
            (Err(error), _) => Err(not_renewed(error)),
        }
    }

    /// Renews no more tokens. A rejected password is not repeated, also by later sessions: that locks the account.
    fn end(&self, renewal: &Renewal) {
        if let Renewal::Password { username, password, rejected, .. } = renewal {
            rejected.add(self.endpoint.root(), username, password);
            let tokens = self.tokens.clone();
            tokio::spawn(async move { tokens.keeper.forget_password().await });
        }
        *self.tokens.renewal() = Renewal::SignIn;
    }

    async fn with_refresh_token(&self, refresh: &RefreshToken) -> Result<IssuedToken, ClientError> {
        // The exchange also invalidates the current token, and with it the requests in progress.
        let is_alone = Arc::strong_count(&self.tokens.in_use) == 1;
        let grant = if is_alone && refresh.nears_its_end(Timestamp::now().as_millisecond()) {
            oauth::exchange_refresh_token(&self.endpoint, refresh).await?
        } else {
            oauth::refresh(&self.endpoint, refresh).await?
        };
        let mut renewal = self.tokens.renewal();
        // The user may have signed out meanwhile.
        if let (Some(refresh), Renewal::RefreshToken(_)) = (grant.refresh, &*renewal) {
            *renewal = Renewal::RefreshToken(refresh);
        }
        drop(renewal);
        Ok(grant.token)
    }
}

impl TokenSource for Session {
    /// Returns the current token. Waits while the portal's token is renewed: a token exchanged for it ends with it, so
    /// a request sent meanwhile would lose its token.
    fn token(&self) -> Pending<'_, Secret<String>> {
        Box::pin(async {
            if let Some(portal) = self.portal() {
                drop(portal.token().await);
            }
            self.tokens.token.lock().await.token.clone()
        })
    }

    fn ends_at(&self) -> Pending<'_, Option<i64>> {
        Box::pin(async { self.tokens.token.lock().await.expires_at })
    }

    fn session_ends_at(&self) -> Pending<'_, Option<i64>> {
        Box::pin(async {
            if let Some(portal) = self.portal() {
                return portal.session_ends_at().await;
            }
            let renewal = self.tokens.renewal().clone();
            match renewal {
                Renewal::SignIn => self.ends_at().await,
                Renewal::RefreshToken(refresh) => refresh.expires_at,
                Renewal::Portal { .. } | Renewal::Password { .. } => None,
            }
        })
    }

    fn is_ended(&self) -> bool {
        self.tokens.is_ended.load(Ordering::SeqCst)
    }

    fn under_way(&self) -> UnderWay {
        UnderWay::of(&self.tokens.in_use, self.portal().map(|portal| portal.under_way()))
    }

    /// Requests that were rejected together share one renewal. It runs in its own task, even if all callers are
    /// dropped: an unused new refresh token would end the session.
    fn renewed(
        self: Arc<Self>,
        old: Secret<String>,
        rejected: ClientError,
    ) -> Pending<'static, Result<Secret<String>, ClientError>> {
        Box::pin(async move {
            let renewing = tokio::spawn(async move { self.next(&old, rejected).await });
            renewing.await.unwrap_or_else(|error| Err(ClientError::unreadable("a token", error.to_string())))
        })
    }
}

impl Tokens {
    fn renewal(&self) -> MutexGuard<'_, Renewal> {
        // The value is only replaced as a whole, so a poisoned lock is harmless.
        self.renewal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the current tokens.
    async fn keep(&self) {
        let _alone = self.keeping.lock().await;
        let held = {
            let held = self.token.lock().await;
            let refresh = match &*self.renewal() {
                Renewal::RefreshToken(refresh) => Some(refresh.clone()),
                _ => None,
            };
            SessionTokens { token: held.token.clone(), expires_at: held.expires_at, refresh }
        };
        self.keeper.keep(held).await;
    }
}

/// Returns whether the site rejected a renewal, which ends the session. A temporary error does not, nor does a
/// rejection by a web adaptor or proxy, which does not know the password.
fn is_final(error: &ClientError) -> bool {
    match error {
        ClientError::Rejected { code, .. } => {
            !matches!(code, 408 | 429 | 500..=599) && !error.is_of_what_is_in_front()
        }
        // A page of a web server that authenticates the users itself.
        ClientError::Unreadable { raw, .. } => raw.as_ref().is_some_and(|raw| raw.status == 401),
        ClientError::TokenEnded { .. }
        | ClientError::TokenRenewed
        | ClientError::NotRenewed { .. }
        | ClientError::Unreachable { .. }
        | ClientError::ProxyRefused(_)
        | ClientError::Certificate(_)
        | ClientError::ClientCertificate { .. }
        | ClientError::Redirected { .. }
        | ClientError::NotEncrypted { .. }
        | ClientError::Setup { .. }
        | ClientError::Stalled { .. }
        | ClientError::Slow { .. }
        | ClientError::WrongLength { .. } => false,
    }
}

/// Converts an error of the exchange at the portal. A rejected exchange does not end the portal's session.
fn portal_exchange_error(error: ClientError) -> ClientError {
    match error {
        ended @ ClientError::Rejected { code: 498 | 499, .. } => ended,
        error => not_renewed(error),
    }
}

fn not_renewed(error: ClientError) -> ClientError {
    match error {
        known @ ClientError::NotRenewed { .. } => known,
        error => ClientError::NotRenewed { source: Box::new(error) },
    }
}
