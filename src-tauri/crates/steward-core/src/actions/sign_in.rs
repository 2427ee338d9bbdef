//! Signing in and out.

use serde::{Deserialize, Serialize};
use steward_client::{oauth, token_from};
use steward_vault::Secret;

use crate::access::sessions::{StoredToken, token_path};
use crate::access::token_expiry::{self, TokenOutlook};
use crate::actions::record;
use crate::actions::sites::{forget_sign_in, forget_tokens};
use crate::host::Host;
use crate::model::history_key::HistoryAct;
use crate::model::ids::TokenFor;
use crate::model::ids::{ServerId, SiteId};
use crate::model::numbers::Millis;
use crate::model::operation::Key;
use crate::model::problem::{Fault, Problem};
use crate::sites::availability::{self, Availability, Known};
use crate::sites::{Site, origin};

/// What the person types. The password goes to the site, and into the keyring only if the person asks.
#[derive(Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SignInForm {
    /// User name.
    pub username: String,
    /// Password.
    pub password: String,
    /// Whether the keyring keeps the password, to renew tokens with.
    pub keep_password: bool,
}

/// Who is signed in to a site, and what that allows.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// The site.
    pub site: SiteId,
    /// Who.
    pub username: String,
    /// In which role, as the site spells it.
    pub role: String,
    /// Version of the portal.
    pub portal_version: Option<String>,
    /// Version of the server.
    pub server_version: Option<String>,
    /// When the token ends.
    pub expires_at: Option<Millis>,
    /// All seven operations.
    pub operations: Vec<Availability>,
}

/// A token that an area of a site issued, and to whom.
pub(super) struct Issued {
    pub(super) whose: TokenFor,
    pub(super) token: StoredToken,
    /// Empty when only the site knows.
    pub(super) username: String,
    /// How somebody signed in, as the record of it says.
    pub(super) way: &'static str,
}

/// Trades user name and password for a token, and keeps the token in the keyring. `server` is the server of the site
/// to sign in to; `null`: its portal, or the server of a site without a portal.
pub async fn sign_in(
    host: &Host,
    site: SiteId,
    server: Option<ServerId>,
    form: SignInForm,
) -> Result<SessionView, Problem> {
    let username = form.username.trim();
    for (field, text) in [("username", username), ("password", form.password.as_str())] {
        if text.is_empty() {
            return Err(Problem::form(field, Fault::Required));
        }
    }
    let password = Secret::new(form.password.clone());
    let session = sign_in_at(host, &site, server.as_ref(), username, &password).await?;
    if form.keep_password {
        let whose = host.sites.get(&site)?.signs_in_at(server.as_ref())?;
        host.keep_password_for(&site, &whose, username, &password).await?;
    }
    Ok(session)
}

/// Who is signed in, by the site's own word; `null` when nobody is.
pub async fn session(host: &Host, site: SiteId) -> Result<Option<SessionView>, Problem> {
    let site = host.sites.get(&site)?;
    match host.ask_who(&site).await {
        Ok(known) => Ok(Some(view(host, &site, known).await?)),
        Err(Problem::SignIn { .. }) => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Whether the token at hand is likely to outlive an operation, by how long it took before.
pub async fn token_outlook(host: &Host, site: SiteId, operation: Key) -> Result<TokenOutlook, Problem> {
    let site = host.sites.get(&site)?;
    let area = host.area(&site, operation.operation().area).await?;
    token_expiry::outlook(host, &site, operation, &area).await
}

/// The whole of signing out.
pub async fn leave(host: &Host, id: &SiteId) -> Result<(), Problem> {
    let site = host.sites.get(id)?;
    let intent = record::intent(&site, HistoryAct::SignOut, Vec::new());
    record::recorded(host, intent, "", leave_unrecorded(host, &site)).await
}

/// The same where the program does it by itself.
pub(crate) async fn leave_unrecorded(host: &Host, site: &Site) -> Result<(), Problem> {
    let stored = host.sessions.stored(&site.id, &TokenFor::Portal).await?;
    forget_tokens(host, site).await?;
    host.forget_known(&site.id);
    // It is out of the keyring; a portal that cannot be reached ends it by itself in its time.
    if let Some(refresh) = stored.and_then(|stored| stored.refresh)
        && let Ok(portal) = host.portal_address(site).await
        && let Err(error) = oauth::revoke(&portal, &refresh.read()).await
    {
        tracing::warn!(%error, "a refresh token could not be revoked at the portal");
    }
    Ok(())
}

/// Signs in with a password at the portal of a site, or at the server of a site without a portal.
pub async fn sign_in_as(
    host: &Host,
    id: &SiteId,
    username: &str,
    password: &Secret<String>,
) -> Result<SessionView, Problem> {
    sign_in_at(host, id, None, username, password).await
}

/// Signs in with a password at one place, which is the only one that receives the password.
pub async fn sign_in_at(
    host: &Host,
    id: &SiteId,
    server: Option<&ServerId>,
    username: &str,
    password: &Secret<String>,
) -> Result<SessionView, Problem> {
    let site = host.sites.get(id)?;
    let whose = site.signs_in_at(server)?;
    let area = area_of(host, &site, &whose).await?;
    let issued = steward_client::generate_token(&area, token_path(&whose), username, password).await;
    let issued = issued.map_err(|error| Problem::of_sign_in(&error, id))?;
    let token = StoredToken::of(&issued, None);
    begin(host, site, Issued { whose, token, username: username.to_owned(), way: "password" }).await
}

/// Signs in with a pasted token at the portal of a site, or at the server of a site without a portal.
pub async fn sign_in_as_bearer(
    host: &Host,
    id: &SiteId,
    pasted: &Secret<String>,
) -> Result<SessionView, Problem> {
    sign_in_as_bearer_at(host, id, None, pasted).await
}

/// Signs in with a pasted token at one place, which is the only one that receives the token.
pub async fn sign_in_as_bearer_at(
    host: &Host,
    id: &SiteId,
    server: Option<&ServerId>,
    pasted: &Secret<String>,
) -> Result<SessionView, Problem> {
    let site = host.sites.get(id)?;
    let token = token_from(pasted.expose()).ok_or_else(|| Problem::form("token", Fault::NotAToken))?;
    let whose = site.signs_in_at(server)?;
    let area = area_of(host, &site, &whose).await?;
    let issued = steward_client::IssuedToken { token, expires_at: None };
    let username = match &whose {
        TokenFor::Portal => {
            let signed_in = steward_client::sign_in_with_token(&area, &issued.token).await;
            signed_in.map(|(_, facts)| facts.username)
        }
        TokenFor::Server(_) => {
            let described = steward_client::describe_server(&area.with_token(issued.token.clone())).await;
            described.map(|facts| facts.username)
        }
    };
    let username = username.map_err(|error| Problem::of_sign_in(&error, id))?;
    begin(host, site, Issued { whose, token: StoredToken::of(&issued, None), username, way: "token" }).await
}

/// Where a token is issued, and the only place that it or the password for it is sent to.
async fn area_of(host: &Host, site: &Site, whose: &TokenFor) -> Result<steward_client::Area, Problem> {
    match whose {
        TokenFor::Portal => host.portal_address(site).await,
        TokenFor::Server(id) => {
            let server = site.servers.iter().find(|server| server.id == *id);
            let server = server.ok_or_else(|| Problem::form("server", Fault::Required))?;
            host.address_of(site, server).await
        }
    }
}

/// Puts the token into the keyring, in place of whoever was signed in, and asks the site who that is. `asked` is the
/// site that issued it: a browser may have been away for minutes.
///
/// Signing in at the portal ends every other session of the site, which may be somebody else's. Signing in at one of
/// its servers leaves the portal's session.
pub(super) async fn begin(host: &Host, asked: Site, issued: Issued) -> Result<SessionView, Problem> {
    let place = match &issued.whose {
        TokenFor::Portal => asked.portal.as_ref().map(|portal| &portal.address),
        TokenFor::Server(id) => asked.servers.iter().find(|one| one.id == *id).map(|one| &one.address),
    };
    let mut parameters = vec![("way".to_owned(), issued.way.to_owned())];
    parameters.extend(place.map(|place| ("origin".to_owned(), origin(place))));
    let mut intent = record::intent(&asked, HistoryAct::SignIn, parameters);
    intent.username.clone_from(&issued.username);
    let is_main = asked.portal.is_none() || issued.whose == TokenFor::Portal;
    let site = record::recorded(host, intent, "", take_over(host, &asked, &issued)).await?;
    // Signed in it is by now, also where the site does not say as whom.
    if is_main && !issued.username.is_empty() {
        host.sites.signed_in(&site.id, Some(issued.username.clone()))?;
    }
    // In a box: with all that may be asked here, everything that signs in would be too large to pass around.
    let known = Box::pin(host.ask_who(&site)).await?;
    let site = match is_main && issued.username.is_empty() && !known.username.is_empty() {
        true => host.sites.signed_in(&site.id, Some(known.username.clone()))?,
        false => host.sites.get(&site.id)?,
    };
    Box::pin(view(host, &site, known)).await
}

async fn take_over(host: &Host, asked: &Site, issued: &Issued) -> Result<Site, Problem> {
    let site = still(host, asked)?;
    // Only now: a mistyped password must not sign out who was signed in.
    if issued.whose == TokenFor::Portal {
        forget_tokens(host, &site).await?;
    } else {
        forget_sign_in(host, &site.id, &issued.whose).await?;
        // Of a site without a portal, an earlier version kept the password there.
        if site.portal.is_none() {
            forget_sign_in(host, &site.id, &TokenFor::Portal).await?;
        }
    }
    host.forget_known(&site.id);
    host.sessions.keep(&site.id, &issued.whose, &issued.token).await?;
    // The keyring may have asked the person something first.
    if let Err(problem) = still(host, asked) {
        forget_tokens(host, asked).await?;
        return Err(problem);
    }
    Ok(site)
}

/// The site as it is now, if it still is where the tokens were issued.
fn still(host: &Host, asked: &Site) -> Result<Site, Problem> {
    let site = host.sites.get(&asked.id)?;
    if site.is_where(asked) {
        return Ok(site);
    }
    Err(Problem::Unexpected {
        message: "the addresses of the site were changed; sign in once more".to_owned(),
    })
}

async fn view(host: &Host, site: &Site, known: Known) -> Result<SessionView, Problem> {
    let area = if site.portal.is_some() { host.portal(site).await? } else { host.server(site).await? };
    let expires_at = match area.session() {
        Some(session) => session.ends_at().await,
        None => None,
    };
    Ok(SessionView {
        site: site.id.clone(),
        operations: availability::availability(site, &known),
        username: known.username,
        role: known.role,
        portal_version: known.portal_version.map(|version| version.to_string()),
        server_version: known.server_version.map(|version| version.to_string()),
        expires_at: expires_at.map(Millis),
    })
}
