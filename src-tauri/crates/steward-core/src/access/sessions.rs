//! Sessions: tokens in the keyring, and the endpoints that use them.
//!
//! `Sessions::with_stored_session` returns an endpoint with a stored token, and `Sessions::keep` stores one after a
//! sign-in. Each sign-in or sign-out increments a counter, so that a token renewed for an earlier session is not
//! stored.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use steward_client::oauth::RefreshToken;
use steward_client::{
    Endpoint, IssuedToken, Referer, RejectedPasswords, Renewal, Session, SessionTokens, TokenStore,
};
use steward_vault::{Secret, SecretStore};
use url::Url;

use crate::model::ids::SiteId;
use crate::model::ids::TokenFor;
use crate::model::problem::Problem;
use crate::sites::{Site, origin};

/// A token as stored in the keyring.
#[derive(Serialize, Deserialize)]
pub struct StoredToken {
    /// Value of the token.
    pub token: String,
    /// Time of expiry, in milliseconds since 1970; `None` if the site did not return it.
    pub expires_at: Option<i64>,
    /// Refresh token, after a sign-in with the browser; `None` for other sign-in methods.
    pub refresh: Option<StoredRefresh>,
    /// Web app URL that a pasted token is bound to; `None` for that of the app.
    #[serde(default)]
    pub web_app_url: Option<String>,
    /// Origin that issued it, and the only one that gets it (ADR 0026); `None` of an entry of an earlier version.
    #[serde(default)]
    origin: Option<String>,
}

/// A refresh token as stored in the keyring.
#[derive(Serialize, Deserialize)]
pub struct StoredRefresh {
    token: String,
    client_id: String,
    redirect_uri: String,
    expires_at: Option<i64>,
    life: Option<i64>,
}

/// A password that the user chose to store.
#[derive(Serialize, Deserialize)]
struct KeptPassword {
    username: String,
    password: String,
    /// Origin that it was entered for, and the only one that gets it; `None` of an entry of an earlier version.
    #[serde(default)]
    origin: Option<String>,
}

/// Session of a component in the keyring.
pub(crate) enum StoredSession {
    /// An endpoint with its session.
    Open(Endpoint),
    /// No token.
    Missing,
    /// A token that was issued at this origin, where the component is no longer.
    Elsewhere(String),
}

/// Counters of the sign-ins to one site. A keyring that waits to be unlocked blocks this site only.
#[derive(Default)]
struct SessionGenerations {
    /// Number of sign-ins and sign-outs at each component. A token from before must not be stored after; a sign-in at
    /// one component keeps the tokens of the others.
    areas: Mutex<HashMap<TokenFor, u64>>,
    /// Held while the secrets of the site are read or written in the keyring.
    keyring: tokio::sync::Mutex<()>,
}

/// Sessions of all sites.
pub struct Sessions {
    vault: Arc<dyn SecretStore>,
    turns: Mutex<HashMap<SiteId, Arc<SessionGenerations>>>,
    open: Mutex<HashMap<(SiteId, TokenFor), Endpoint>>,
    /// Sessions of stored tokens. They continue when the connection changes: a second session with the same refresh
    /// token would invalidate it.
    of_tokens: Mutex<HashMap<(SiteId, TokenFor), OfToken>>,
    /// Passwords that no session sends, until the user signs in with them.
    pub(crate) rejected_passwords: Arc<RejectedPasswords>,
}

/// The session of a stored token.
#[derive(Clone)]
struct OfToken {
    session: Arc<Session>,
    turn: u64,
    /// Content of the keyring entry that it was made from, or stored last. If the token of the entry differs, another program
    /// changed it.
    stored: Arc<Mutex<StoredToken>>,
}

/// Stores renewed tokens in the keyring, and deletes a rejected password from it.
struct InKeyring {
    vault: Arc<dyn SecretStore>,
    site: SiteId,
    whose: TokenFor,
    stored: Arc<Mutex<StoredToken>>,
    turns: Arc<SessionGenerations>,
    begun: u64,
}

/// Stores nothing: the portal issues another token after a restart.
pub(crate) struct InMemory;

impl Sessions {
    pub(crate) fn new(vault: Arc<dyn SecretStore>) -> Self {
        let (turns, open, of_tokens) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { vault, turns, open, of_tokens, rejected_passwords: Arc::default() }
    }

    /// Returns the open session of an endpoint; `None` if it uses another connection because the settings changed.
    fn open(&self, endpoint: &Endpoint, site: &SiteId, whose: &TokenFor) -> Option<Endpoint> {
        let open = locked(&self.open).get(&(site.clone(), whose.clone())).cloned();
        open.filter(|open| open.is_reached_as(endpoint))
    }

    /// Returns `endpoint` with its open session, or with the stored token. The token of another origin is not used: `sites.json`
    /// can be changed outside of the app, or be an older copy.
    pub(crate) async fn with_stored_session(
        &self,
        endpoint: Endpoint,
        site: &SiteId,
        whose: TokenFor,
    ) -> Result<StoredSession, Problem> {
        if let Some(open) = self.open(&endpoint, site, &whose) {
            return Ok(StoredSession::Open(open));
        }
        let turns = self.turns(site);
        let _alone = turns.keyring.lock().await;
        if let Some(open) = self.open(&endpoint, site, &whose) {
            return Ok(StoredSession::Open(open));
        }
        let here = origin(endpoint.root());
        let text = self.vault.get(&entry(site, &whose)).await?.unwrap_or_default();
        let Some(mut stored) = StoredToken::read(&text) else { return Ok(StoredSession::Missing) };
        match &stored.origin {
            Some(origin) if site.accepts(origin, &here) => {}
            Some(origin) => return Ok(StoredSession::Elsewhere(origin.clone())),
            None => {
                stored.origin = Some(here.clone());
                self.bind(&entry(site, &whose), &stored.written()?).await;
            }
        }
        let endpoint = endpoint.with_referer(stored.referer());
        let renewal = match stored.refresh.as_ref().map(StoredRefresh::read) {
            Some(refresh) => Renewal::RefreshToken(refresh),
            None => self.with_password(site, &whose, &here).await?,
        };
        let (begun, key) = (turns.of(&whose), (site.clone(), whose));
        let before = locked(&self.of_tokens).get(&key).cloned();
        let of_token = match before.filter(|it| it.turn == begun && locked(&it.stored).is_same(&stored)) {
            Some(before) => {
                *locked(&before.stored) = stored;
                OfToken { session: Arc::new(before.session.over(endpoint, renewal)), ..before }
            }
            None => {
                let token =
                    IssuedToken { token: Secret::new(stored.token.clone()), expires_at: stored.expires_at };
                let stored = Arc::new(Mutex::new(stored));
                let keeper = InKeyring {
                    vault: self.vault.clone(),
                    site: site.clone(),
                    whose: key.1.clone(),
                    stored: stored.clone(),
                    turns: turns.clone(),
                    begun,
                };
                let session = Arc::new(Session::new(endpoint, token, renewal, Box::new(keeper)));
                OfToken { session, turn: begun, stored }
            }
        };
        let endpoint = of_token.session.endpoint();
        locked(&self.of_tokens).insert(key.clone(), of_token);
        locked(&self.open).insert(key, endpoint.clone());
        Ok(StoredSession::Open(endpoint))
    }

    /// Stores an entry of an earlier version again, with the origin that it is used for from then on.
    async fn bind(&self, entry: &str, text: &Secret<String>) {
        if let Err(error) = self.vault.set(entry, text.clone()).await {
            tracing::warn!(%error, "an entry of the keyring was not bound to the URL of its site");
        }
    }

    /// Returns the number of sign-ins and sign-outs that affect the token of a component: those at the portal and, for
    /// a server, also those at the server.
    pub(crate) fn turn(&self, site: &SiteId, endpoint: &TokenFor) -> u64 {
        let turns = self.turns(site);
        let at_portal = turns.of(&TokenFor::Portal);
        match endpoint {
            TokenFor::Portal => at_portal,
            TokenFor::Server(_) => at_portal + turns.of(endpoint),
        }
    }

    /// Stores an open session, unless the user signed in or out since `begun`.
    pub(crate) fn remember(&self, site: &SiteId, whose: TokenFor, endpoint: &Endpoint, begun: u64) {
        // Compare under the lock: a sign-in or sign-out first increments the counter, and then waits for this lock to
        // close the sessions.
        let mut open = locked(&self.open);
        if self.turn(site, &whose) == begun {
            open.insert((site.clone(), whose), endpoint.clone());
        }
    }

    /// Returns the stored token; `None` if there is none that was issued at the present origin of the component.
    ///
    /// # Errors
    /// [`Problem::Keyring`] if the keyring cannot be read.
    pub async fn stored(&self, site: &Site, whose: &TokenFor) -> Result<Option<StoredToken>, Problem> {
        let stored = self.vault.get(&entry(&site.id, whose)).await?.as_ref().and_then(StoredToken::read);
        Ok(stored.filter(|stored| site.is_issued_by(whose, stored.origin.as_deref())))
    }

    /// Returns whether a session is open or its token is stored. A keyring that cannot be read has none.
    pub(crate) async fn is_there(&self, site: &Site, whose: &TokenFor) -> bool {
        let is_open = locked(&self.open).contains_key(&(site.id.clone(), whose.clone()));
        is_open || matches!(self.stored(site, whose).await, Ok(Some(_)))
    }

    /// Stores a token in the keyring, in place of an earlier one, and closes the sessions of the site. Returns the
    /// [`turn`](Self::turn) of this token: one that is read afterward can be that of another sign-in.
    pub(crate) async fn keep(
        &self,
        site: &SiteId,
        whose: &TokenFor,
        token: &StoredToken,
    ) -> Result<u64, Problem> {
        let turns = self.turns(site);
        let _alone = turns.keyring.lock().await;
        self.next(site, whose, &turns);
        let begun_as = self.turn(site, whose);
        self.vault.set(&entry(site, whose), token.written()?).await?;
        Ok(begun_as)
    }

    /// Deletes a token from the keyring, and closes the sessions of the site.
    pub(crate) async fn forget(&self, site: &SiteId, whose: &TokenFor) -> Result<(), Problem> {
        let turns = self.turns(site);
        let _alone = turns.keyring.lock().await;
        self.next(site, whose, &turns);
        self.vault.forget(&entry(site, whose)).await?;
        Ok(())
    }

    /// Deletes all tokens and passwords of a site from the keyring, and runs `then` before another one can be stored.
    pub(crate) async fn forget_all<T>(
        &self,
        site: &Site,
        then: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let turns = self.turns(&site.id);
        let _alone = turns.keyring.lock().await;
        let servers = site.servers.iter().map(|server| TokenFor::Server(server.id.clone()));
        for whose in servers.chain([TokenFor::Portal]) {
            self.next(&site.id, &whose, &turns);
            self.vault.forget(&entry(&site.id, &whose)).await?;
            self.vault.forget(&password_entry(&site.id, &whose)).await?;
        }
        then()
    }

    /// Stores a password in the keyring, if the user chooses to, unless a user signed in or out since `begun`: the site
    /// might have another address by now.
    pub(crate) async fn keep_password(
        &self,
        site: &Site,
        whose: &TokenFor,
        username: &str,
        password: &Secret<String>,
        begun: u64,
    ) -> Result<(), Problem> {
        let kept = KeptPassword {
            username: username.to_owned(),
            password: password.expose().clone(),
            origin: site.issuer(whose).map(origin),
        };
        let turns = self.turns(&site.id);
        let _alone = turns.keyring.lock().await;
        if self.turn(&site.id, whose) != begun {
            return Err(Problem::sign_in(&site.id));
        }
        Ok(self.vault.set(&password_entry(&site.id, whose), kept.written()?).await?)
    }

    /// Deletes the stored password.
    pub(crate) async fn forget_password(&self, site: &SiteId, whose: &TokenFor) -> Result<(), Problem> {
        let turns = self.turns(site);
        let _alone = turns.keyring.lock().await;
        self.vault.forget(&password_entry(site, whose)).await?;
        Ok(())
    }

    /// Closes the open sessions of a site. The tokens remain in the keyring.
    pub(crate) fn close(&self, site: &SiteId) {
        locked(&self.open).retain(|(other, _), _| other != site);
    }

    /// Counts a sign-in or sign-out, and closes the sessions.
    fn next(&self, site: &SiteId, whose: &TokenFor, turns: &SessionGenerations) {
        *locked(&turns.areas).entry(whose.clone()).or_default() += 1;
        self.close(site);
        let ended = locked(&self.of_tokens).remove(&(site.clone(), whose.clone()));
        // Work that is still under way must not sign this user in again.
        if let Some(ended) = ended {
            ended.session.end_renewals();
        }
    }

    /// Returns whether a password is stored for the present origin of a component.
    ///
    /// # Errors
    /// [`Problem::Keyring`] if the keyring cannot be read.
    pub async fn has_password(&self, site: &Site, whose: &TokenFor) -> Result<bool, Problem> {
        let kept = self.password(&site.id, whose).await?;
        Ok(kept.is_some_and(|kept| site.is_issued_by(whose, kept.origin.as_deref())))
    }

    async fn password(&self, site: &SiteId, whose: &TokenFor) -> Result<Option<KeptPassword>, Problem> {
        let kept = self.vault.get(&password_entry(site, whose)).await?;
        Ok(kept.and_then(|kept| serde_json::from_str(kept.expose()).ok()))
    }

    /// Returns how the tokens of a component at the origin `here` are renewed: with the stored password, if it was entered there.
    async fn with_password(&self, site: &SiteId, whose: &TokenFor, here: &str) -> Result<Renewal, Problem> {
        let mut kept = self.password(site, whose).await?;
        if let Some(kept) = kept.as_mut().filter(|kept| kept.origin.is_none()) {
            kept.origin = Some(here.to_owned());
            self.bind(&password_entry(site, whose), &kept.written()?).await;
        }
        let is_for_here =
            |kept: &KeptPassword| kept.origin.as_deref().is_some_and(|origin| site.accepts(origin, here));
        Ok(match kept.filter(is_for_here) {
            None => Renewal::SignIn,
            Some(kept) => Renewal::Password {
                path: token_path(whose).iter().map(|segment| (*segment).to_owned()).collect(),
                username: kept.username,
                password: Secret::new(kept.password),
                rejected: self.rejected_passwords.clone(),
            },
        })
    }

    fn turns(&self, site: &SiteId) -> Arc<SessionGenerations> {
        locked(&self.turns).entry(site.clone()).or_default().clone()
    }
}

impl SessionGenerations {
    fn of(&self, whose: &TokenFor) -> u64 {
        locked(&self.areas).get(whose).copied().unwrap_or_default()
    }
}

/// Returns the path of the token request below the root of a component.
pub(crate) const fn token_path(whose: &TokenFor) -> &'static [&'static str] {
    match whose {
        TokenFor::Portal => &["sharing", "rest", "generateToken"],
        TokenFor::Server(_) => &["admin", "generateToken"],
    }
}

impl StoredToken {
    /// Converts a token that the component at `root` issued for the keyring.
    #[must_use]
    pub fn of(token: &IssuedToken, refresh: Option<&RefreshToken>, root: &Url) -> Self {
        Self {
            token: token.token.expose().clone(),
            expires_at: token.expires_at,
            refresh: refresh.map(StoredRefresh::of),
            web_app_url: None,
            origin: Some(origin(root)),
        }
    }

    /// Returns whether no other program changed the entry. An entry that was bound to its origin since is the same.
    fn is_same(&self, stored: &Self) -> bool {
        self.token == stored.token
            && self.expires_at == stored.expires_at
            && self.web_app_url == stored.web_app_url
            && self.refresh.as_ref().map(|refresh| &refresh.token)
                == stored.refresh.as_ref().map(|refresh| &refresh.token)
    }

    /// Returns the token that this one was renewed to.
    fn renewed(&self, to: SessionTokens) -> Self {
        Self {
            token: to.token.expose().clone(),
            expires_at: to.expires_at,
            refresh: to.refresh.as_ref().map(StoredRefresh::of),
            web_app_url: self.web_app_url.clone(),
            origin: self.origin.clone(),
        }
    }

    /// Returns the token as one that is bound to a web app URL.
    pub(crate) fn bound_to(self, referer: &Referer) -> Self {
        let web_app_url = (*referer != Referer::default()).then(|| referer.as_str().to_owned());
        Self { web_app_url, ..self }
    }

    /// Returns the `Referer` of the requests with the token.
    fn referer(&self) -> Referer {
        self.web_app_url.as_deref().and_then(Referer::parse).unwrap_or_default()
    }

    /// Reads an entry of the keyring; `None` if another program wrote it.
    fn read(text: &Secret<String>) -> Option<Self> {
        serde_json::from_str(text.expose()).ok()
    }

    fn written(&self) -> Result<Secret<String>, Problem> {
        serde_json::to_string(self).map(Secret::new).map_err(|_| cannot_write())
    }
}

impl KeptPassword {
    fn written(&self) -> Result<Secret<String>, Problem> {
        serde_json::to_string(self).map(Secret::new).map_err(|_| cannot_write())
    }
}

impl StoredRefresh {
    fn of(refresh: &RefreshToken) -> Self {
        Self {
            token: refresh.token.expose().clone(),
            client_id: refresh.client_id.clone(),
            redirect_uri: refresh.redirect_uri.clone(),
            expires_at: refresh.expires_at,
            life: refresh.life,
        }
    }

    /// Converts it for the client.
    pub fn read(&self) -> RefreshToken {
        RefreshToken {
            token: Secret::new(self.token.clone()),
            client_id: self.client_id.clone(),
            redirect_uri: self.redirect_uri.clone(),
            expires_at: self.expires_at,
            life: self.life,
        }
    }
}

impl TokenStore for InKeyring {
    fn keep<'a>(&'a self, held: SessionTokens) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async move {
            let token = locked(&self.stored).renewed(held);
            let Ok(written) = token.written() else { return };
            let _alone = self.turns.keyring.lock().await;
            // The user signed in or out meanwhile: this token ends with the current request.
            if self.turns.of(&self.whose) != self.begun {
                return;
            }
            // The token is valid in memory; after a restart the user must sign in again.
            match self.vault.set(&entry(&self.site, &self.whose), written).await {
                Ok(()) => *locked(&self.stored) = token,
                Err(error) => tracing::warn!(%error, "a renewed token could not be kept in the keyring"),
            }
        })
    }

    fn forget_password<'a>(&'a self) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async move {
            let _alone = self.turns.keyring.lock().await;
            // The user signed in or out meanwhile: this is another password.
            if self.turns.of(&self.whose) != self.begun {
                return;
            }
            if let Err(error) = self.vault.forget(&password_entry(&self.site, &self.whose)).await {
                tracing::warn!(%error, "a rejected password could not be deleted from the keyring");
            }
        })
    }
}

impl TokenStore for InMemory {
    fn keep<'a>(&'a self, _: SessionTokens) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(std::future::ready(()))
    }

    fn forget_password<'a>(&'a self) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(std::future::ready(()))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Changed by single inserts and removals, so that a panic leaves it consistent.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cannot_write() -> Problem {
    Problem::Unexpected { message: "what belongs into the keyring cannot be written down".to_owned() }
}

fn entry(site: &SiteId, whose: &TokenFor) -> String {
    match whose {
        TokenFor::Portal => format!("{}/portal", site.0),
        TokenFor::Server(server) => format!("{}/server/{}", site.0, server.0),
    }
}

/// Returns the keyring entry of a password. It belongs to one component: that of the portal must never renew a token of
/// a server.
fn password_entry(site: &SiteId, whose: &TokenFor) -> String {
    match whose {
        TokenFor::Portal => format!("{}/password", site.0),
        TokenFor::Server(_) => format!("{}/password", entry(site, whose)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use steward_vault::MemoryStore;

    use super::*;
    use crate::model::ids::ServerId;

    fn issued() -> IssuedToken {
        IssuedToken { token: Secret::new("T".to_owned()), expires_at: None }
    }

    #[tokio::test]
    async fn a_sign_in_at_one_server_ends_no_work_at_another_and_one_at_the_portal_ends_all() {
        let sessions = Sessions::new(Arc::new(MemoryStore::default()));
        let site = SiteId("a".to_owned());
        let server = |id: &str| TokenFor::Server(ServerId(id.to_owned()));
        let areas = [TokenFor::Portal, server("one"), server("two")];
        let turns = || areas.clone().map(|endpoint| sessions.turn(&site, &endpoint));
        let token = StoredToken::of(&issued(), None, &"https://gis.example.org/portal".parse().unwrap());
        let before = turns();

        sessions.keep(&site, &areas[1], &token).await.unwrap();
        let after_server = turns();
        sessions.forget(&site, &areas[0]).await.unwrap();
        let after_portal = turns();

        let is_same = |one: [u64; 3], other: [u64; 3]| {
            [0, 1, 2].map(|endpoint: usize| one[endpoint] == other[endpoint])
        };
        assert_eq!(is_same(before, after_server), [true, false, true]);
        assert_eq!(is_same(after_server, after_portal), [false, false, false]);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_sign_ins_at_once_each_knows_its_own_turn() {
        let sessions = Arc::new(Sessions::new(Arc::new(MemoryStore::default())));
        let sign_in = || {
            let sessions = sessions.clone();
            tokio::spawn(async move {
                let site = SiteId("a".to_owned());
                let token =
                    StoredToken::of(&issued(), None, &"https://gis.example.org/portal".parse().unwrap());
                sessions.keep(&site, &TokenFor::Portal, &token).await.unwrap()
            })
        };

        let all: Vec<_> = (0..500).map(|_| sign_in()).collect();

        let mut turns = BTreeSet::new();
        for one in all {
            assert!(turns.insert(one.await.unwrap()), "two of them would take the session for theirs");
        }
    }
}
