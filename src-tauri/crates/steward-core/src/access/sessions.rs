//! Who is signed in where: tokens in the keyring, and the sessions that are made of them.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use steward_client::oauth::RefreshToken;
use steward_client::{Area, Held, IssuedToken, Keeper, Renewal, Session};
use steward_vault::{Secret, SecretStore};

use crate::model::ids::SiteId;
use crate::model::ids::TokenFor;
use crate::model::problem::Problem;

/// A token as it lies in the keyring.
#[derive(Serialize, Deserialize)]
pub struct StoredToken {
    /// The token.
    pub token: String,
    /// When it ends, in milliseconds since 1970.
    pub expires_at: Option<i64>,
    /// What gets the next one, after a sign-in in the browser.
    #[serde(default)]
    pub refresh: Option<StoredRefresh>,
}

/// A refresh token as it lies in the keyring.
#[derive(Serialize, Deserialize)]
pub struct StoredRefresh {
    token: String,
    client_id: String,
    redirect_uri: String,
    expires_at: Option<i64>,
    #[serde(default)]
    life: Option<i64>,
}

/// A password that the person asked to keep.
#[derive(Serialize, Deserialize)]
struct KeptPassword {
    username: String,
    password: String,
}

/// The sign-ins to one site. A keyring that waits to be unlocked keeps nobody from another site.
#[derive(Default)]
struct Turns {
    /// How often somebody signed in or out at each area. What was begun before must not be kept after; a sign-in at one
    /// leaves the tokens of the others.
    areas: Mutex<HashMap<TokenFor, u64>>,
    /// Whoever holds it is alone with the site's secrets in the keyring.
    keyring: tokio::sync::Mutex<()>,
}

/// The signed-in areas of all sites.
pub(crate) struct Sessions {
    vault: Arc<dyn SecretStore>,
    turns: Mutex<HashMap<SiteId, Arc<Turns>>>,
    open: Mutex<HashMap<(SiteId, TokenFor), Area>>,
    /// They outlive the way that they were opened over: a second one beside the first would end its refresh token, or
    /// be ended by it.
    of_tokens: Mutex<HashMap<(SiteId, TokenFor), OfToken>>,
}

/// The session of a stored token.
#[derive(Clone)]
struct OfToken {
    session: Arc<Session>,
    turn: u64,
    /// What it was made of, or kept last. Where something else is stored, another program was here.
    stored: Arc<Mutex<Secret<String>>>,
}

/// Puts what a session renews into the keyring.
struct InKeyring {
    vault: Arc<dyn SecretStore>,
    entry: String,
    whose: TokenFor,
    stored: Arc<Mutex<Secret<String>>>,
    turns: Arc<Turns>,
    begun: u64,
}

/// What need not outlive the program: the portal gives out another one.
pub(crate) struct InMemory;

impl Sessions {
    pub(crate) fn new(vault: Arc<dyn SecretStore>) -> Self {
        Self { vault, turns: Mutex::default(), open: Mutex::default(), of_tokens: Mutex::default() }
    }

    /// `area` as it was signed in to before. Over another way it is none: the settings of the site changed.
    fn open(&self, area: &Area, site: &SiteId, whose: &TokenFor) -> Option<Area> {
        let open = locked(&self.open).get(&(site.clone(), whose.clone())).cloned();
        open.filter(|open| open.is_reached_as(area))
    }

    /// Signs in to `area` as it was signed in to before, or with the stored token; `None` when there is none.
    pub(crate) async fn take_up(
        &self,
        area: Area,
        site: &SiteId,
        whose: TokenFor,
    ) -> Result<Option<Area>, Problem> {
        if let Some(open) = self.open(&area, site, &whose) {
            return Ok(Some(open));
        }
        let turns = self.turns(site);
        let _alone = turns.keyring.lock().await;
        if let Some(open) = self.open(&area, site, &whose) {
            return Ok(Some(open));
        }
        let text = self.vault.get(&entry(site, &whose)).await?.unwrap_or_default();
        let Some(stored) = StoredToken::read(&text) else { return Ok(None) };
        let renewal = match stored.refresh.as_ref().map(StoredRefresh::read) {
            Some(refresh) => Renewal::RefreshToken(refresh),
            None => self.with_password(site, &whose).await?,
        };
        let (begun, key) = (turns.of(&whose), (site.clone(), whose));
        let before = locked(&self.of_tokens).get(&key).cloned();
        let of_token = match before.filter(|it| it.turn == begun && *locked(&it.stored) == text) {
            Some(before) => OfToken { session: Arc::new(before.session.over(area, renewal)), ..before },
            None => {
                let token = IssuedToken { token: Secret::new(stored.token), expires_at: stored.expires_at };
                let stored = Arc::new(Mutex::new(text));
                let keeper = InKeyring {
                    vault: self.vault.clone(),
                    entry: entry(site, &key.1),
                    whose: key.1.clone(),
                    stored: stored.clone(),
                    turns: turns.clone(),
                    begun,
                };
                let session = Arc::new(Session::new(area, token, renewal, Box::new(keeper)));
                OfToken { session, turn: begun, stored }
            }
        };
        let area = of_token.session.area();
        locked(&self.of_tokens).insert(key.clone(), of_token);
        locked(&self.open).insert(key, area.clone());
        Ok(Some(area))
    }

    /// How often somebody signed in or out where the work at an area may have its token from: at the portal, and, for
    /// the area of a server, at that server.
    pub(crate) fn turn(&self, site: &SiteId, area: &TokenFor) -> u64 {
        let turns = self.turns(site);
        let at_portal = turns.of(&TokenFor::Portal);
        match area {
            TokenFor::Portal => at_portal,
            TokenFor::Server(_) => at_portal + turns.of(area),
        }
    }

    /// Remembers an area that was signed in to, unless somebody signed in or out since `begun`.
    pub(crate) fn remember(&self, site: &SiteId, whose: TokenFor, area: &Area, begun: u64) {
        // Whoever signs in or out counts first, and closes the areas then.
        let mut open = locked(&self.open);
        if self.turn(site, &whose) == begun {
            open.insert((site.clone(), whose), area.clone());
        }
    }

    /// The stored token.
    pub(crate) async fn stored(
        &self,
        site: &SiteId,
        whose: &TokenFor,
    ) -> Result<Option<StoredToken>, Problem> {
        Ok(self.vault.get(&entry(site, whose)).await?.as_ref().and_then(StoredToken::read))
    }

    /// Keeps a token in the keyring, in place of whatever was signed in before.
    pub(crate) async fn keep(
        &self,
        site: &SiteId,
        whose: &TokenFor,
        token: &StoredToken,
    ) -> Result<(), Problem> {
        let turns = self.turns(site);
        let _alone = turns.keyring.lock().await;
        self.next(site, whose, &turns);
        Ok(self.vault.set(&entry(site, whose), token.written()?).await?)
    }

    /// Takes a token out of the keyring.
    pub(crate) async fn forget(&self, site: &SiteId, whose: &TokenFor) -> Result<(), Problem> {
        let turns = self.turns(site);
        let _alone = turns.keyring.lock().await;
        self.next(site, whose, &turns);
        Ok(self.vault.forget(&entry(site, whose)).await?)
    }

    /// Keeps the password, which the person asked for.
    pub(crate) async fn keep_password(
        &self,
        site: &SiteId,
        whose: &TokenFor,
        username: &str,
        password: &Secret<String>,
    ) -> Result<(), Problem> {
        let kept = KeptPassword { username: username.to_owned(), password: password.expose().clone() };
        let text = serde_json::to_string(&kept).map_err(|_| cannot_write())?;
        let turns = self.turns(site);
        let _alone = turns.keyring.lock().await;
        Ok(self.vault.set(&password_entry(site, whose), Secret::new(text)).await?)
    }

    /// Forgets the password.
    pub(crate) async fn forget_password(&self, site: &SiteId, whose: &TokenFor) -> Result<(), Problem> {
        let turns = self.turns(site);
        let _alone = turns.keyring.lock().await;
        Ok(self.vault.forget(&password_entry(site, whose)).await?)
    }

    /// Gives the only server of a site without a portal the password that an earlier version kept for the site.
    pub(crate) async fn adopt_password(&self, site: &SiteId, server: &TokenFor) -> Result<(), Problem> {
        if locked(&self.open).contains_key(&(site.clone(), server.clone())) {
            return Ok(());
        }
        let turns = self.turns(site);
        let _alone = turns.keyring.lock().await;
        let earlier = password_entry(site, &TokenFor::Portal);
        if let Some(kept) = self.vault.get(&earlier).await? {
            self.vault.set(&password_entry(site, server), kept).await?;
            self.vault.forget(&earlier).await?;
        }
        Ok(())
    }

    /// Forgets which areas of a site are signed in to; their tokens stay in the keyring.
    pub(crate) fn close(&self, site: &SiteId) {
        locked(&self.open).retain(|(other, _), _| other != site);
    }

    /// Somebody signs in or out.
    fn next(&self, site: &SiteId, whose: &TokenFor, turns: &Turns) {
        *locked(&turns.areas).entry(whose.clone()).or_default() += 1;
        self.close(site);
        locked(&self.of_tokens).remove(&(site.clone(), whose.clone()));
    }

    async fn with_password(&self, site: &SiteId, whose: &TokenFor) -> Result<Renewal, Problem> {
        let kept = self.vault.get(&password_entry(site, whose)).await?;
        let kept = kept.and_then(|kept| serde_json::from_str::<KeptPassword>(kept.expose()).ok());
        Ok(match kept {
            None => Renewal::SignIn,
            Some(kept) => Renewal::Password {
                path: token_path(whose).iter().map(|segment| (*segment).to_owned()).collect(),
                username: kept.username,
                password: Secret::new(kept.password),
            },
        })
    }

    fn turns(&self, site: &SiteId) -> Arc<Turns> {
        locked(&self.turns).entry(site.clone()).or_default().clone()
    }
}

impl Turns {
    fn of(&self, whose: &TokenFor) -> u64 {
        locked(&self.areas).get(whose).copied().unwrap_or_default()
    }
}

/// Where tokens are asked for.
pub(crate) const fn token_path(whose: &TokenFor) -> &'static [&'static str] {
    match whose {
        TokenFor::Portal => &["sharing", "rest", "generateToken"],
        TokenFor::Server(_) => &["admin", "generateToken"],
    }
}

impl StoredToken {
    /// As it is to be stored.
    #[must_use]
    pub fn of(token: &IssuedToken, refresh: Option<&RefreshToken>) -> Self {
        Self {
            token: token.token.expose().clone(),
            expires_at: token.expires_at,
            refresh: refresh.map(StoredRefresh::of),
        }
    }

    /// An entry that cannot be read was written by something else; it is as good as none.
    fn read(text: &Secret<String>) -> Option<Self> {
        serde_json::from_str(text.expose()).ok()
    }

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

    /// As the client knows it.
    pub(crate) fn read(&self) -> RefreshToken {
        RefreshToken {
            token: Secret::new(self.token.clone()),
            client_id: self.client_id.clone(),
            redirect_uri: self.redirect_uri.clone(),
            expires_at: self.expires_at,
            life: self.life,
        }
    }
}

impl Keeper for InKeyring {
    fn keep<'a>(&'a self, held: Held) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async move {
            let token = IssuedToken { token: held.token, expires_at: held.expires_at };
            let Ok(written) = StoredToken::of(&token, held.refresh.as_ref()).written() else { return };
            let _alone = self.turns.keyring.lock().await;
            // Somebody signed out meanwhile, or somebody else in: this token ends with the work that it was got for.
            if self.turns.of(&self.whose) != self.begun {
                return;
            }
            // The token is in hand and works; after a restart the person signs in once more.
            match self.vault.set(&self.entry, written.clone()).await {
                Ok(()) => *locked(&self.stored) = written,
                Err(error) => tracing::warn!(%error, "a renewed token could not be kept in the keyring"),
            }
        })
    }
}

impl Keeper for InMemory {
    fn keep<'a>(&'a self, _: Held) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(std::future::ready(()))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Single inserts and removals; none can be left half done.
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

/// A password is kept for one area: that of the portal must never renew a token at a server.
fn password_entry(site: &SiteId, whose: &TokenFor) -> String {
    match whose {
        TokenFor::Portal => format!("{}/password", site.0),
        TokenFor::Server(_) => format!("{}/password", entry(site, whose)),
    }
}

#[cfg(test)]
mod tests {
    use steward_vault::MemoryStore;

    use super::*;
    use crate::model::ids::ServerId;

    #[tokio::test]
    async fn a_sign_in_at_one_server_ends_no_work_at_another_and_one_at_the_portal_ends_all() {
        let sessions = Sessions::new(Arc::new(MemoryStore::default()));
        let site = SiteId("a".to_owned());
        let server = |id: &str| TokenFor::Server(ServerId(id.to_owned()));
        let areas = [TokenFor::Portal, server("one"), server("two")];
        let turns = || areas.clone().map(|area| sessions.turn(&site, &area));
        let token = StoredToken { token: "T".to_owned(), expires_at: None, refresh: None };
        let before = turns();

        sessions.keep(&site, &areas[1], &token).await.unwrap();
        let after_server = turns();
        sessions.forget(&site, &areas[0]).await.unwrap();
        let after_portal = turns();

        let is_same = |one: [u64; 3], other: [u64; 3]| [0, 1, 2].map(|area: usize| one[area] == other[area]);
        assert_eq!(is_same(before, after_server), [true, false, true]);
        assert_eq!(is_same(after_server, after_portal), [false, false, false]);
    }
}
