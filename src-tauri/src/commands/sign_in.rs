//! Signing in and out.

use serde::{Deserialize, Serialize};
use steward_client::{oauth, token_from};
use steward_vault::Secret;
use tauri::State;

use super::sites::forget_tokens;
use crate::gate::{self, Availability, Known};
use crate::host::Host;
use crate::operations::{Area, Key};
use crate::problem::{Fault, Problem};
use crate::sessions::{StoredToken, TokenFor, token_path};
use crate::sites::{Site, SiteId};
use crate::token_life::{self, TokenOutlook};
use crate::views::numbers::Millis;

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

/// Tokens that a site issued, and to whom.
pub(super) struct Issued {
    pub(super) tokens: Vec<(TokenFor, StoredToken)>,
    /// Empty when only the site knows.
    pub(super) username: String,
}

/// Trades user name and password for a token, and keeps the token in the keyring.
#[tauri::command]
#[specta::specta]
pub async fn sign_in(host: State<'_, Host>, site: SiteId, form: SignInForm) -> Result<SessionView, Problem> {
    let username = form.username.trim();
    for (field, text) in [("username", username), ("password", form.password.as_str())] {
        if text.is_empty() {
            return Err(Problem::form(field, Fault::Required));
        }
    }
    let password = Secret::new(form.password.clone());
    let session = sign_in_as(&host, &site, username, &password).await?;
    if form.keep_password {
        host.keep_password(&site, username, &password).await?;
    }
    Ok(session)
}

/// Signs in with a token that somebody else made. It cannot be renewed, and nobody says when it ends.
#[tauri::command]
#[specta::specta]
pub async fn sign_in_with_token(
    host: State<'_, Host>,
    site: SiteId,
    pasted: String,
) -> Result<SessionView, Problem> {
    sign_in_as_bearer(&host, &site, &Secret::new(pasted)).await
}

/// Who is signed in, by the site's own word; `null` when nobody is.
#[tauri::command]
#[specta::specta]
pub async fn session(host: State<'_, Host>, site: SiteId) -> Result<Option<SessionView>, Problem> {
    let site = host.sites.get(&site)?;
    match host.ask_who(&site).await {
        Ok(known) => Ok(Some(view(&host, &site, known).await?)),
        Err(Problem::SignIn { .. }) => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Whether the token at hand is likely to outlive an operation, by how long it took before.
#[tauri::command]
#[specta::specta]
pub async fn token_outlook(
    host: State<'_, Host>,
    site: SiteId,
    operation: Key,
) -> Result<TokenOutlook, Problem> {
    let site = host.sites.get(&site)?;
    let area = host.area(&site, operation.operation().area).await?;
    token_life::outlook(&host, &site, operation, &area).await
}

/// Takes the tokens of a site out of the keyring, and ends at the portal what could be renewed without a person.
#[tauri::command]
#[specta::specta]
pub async fn sign_out(host: State<'_, Host>, site: SiteId) -> Result<(), Problem> {
    leave(&host, &site).await
}

/// The whole of signing out.
pub async fn leave(host: &Host, id: &SiteId) -> Result<(), Problem> {
    let site = host.sites.get(id)?;
    let stored = host.sessions.stored(&site.id, &TokenFor::Portal).await?;
    forget_tokens(host, &site).await?;
    if let Some(refresh) = stored.and_then(|stored| stored.refresh) {
        let portal = host.portal_address(&site).await?;
        // It is out of the keyring; a portal that cannot be reached ends it by itself in its time.
        if let Err(error) = oauth::revoke(&portal, &refresh.read()).await {
            tracing::warn!(%error, "a refresh token could not be revoked at the portal");
        }
    }
    host.forget_known(&site.id);
    Ok(())
}

/// The whole of signing in with a password, for the window and for the practice site.
pub async fn sign_in_as(
    host: &Host,
    id: &SiteId,
    username: &str,
    password: &Secret<String>,
) -> Result<SessionView, Problem> {
    let site = host.sites.get(id)?;
    // A refusal here is about the password, not about a token that ran out.
    let refused = |error| Problem::from_client(&error, id);
    let mut tokens = Vec::new();
    if site.portal.is_some() {
        let portal = host.portal_address(&site).await?;
        let path = token_path(&TokenFor::Portal);
        let token = steward_client::generate_token(&portal, path, username, password).await;
        tokens.push((TokenFor::Portal, StoredToken::of(&token.map_err(refused)?, None)));
    }
    if let Some(whose) = standing_alone(host, &site).await? {
        let server = host.server_address(&site).await?;
        let token = steward_client::generate_token(&server, token_path(&whose), username, password).await;
        tokens.push((whose, StoredToken::of(&token.map_err(refused)?, None)));
    }
    begin(host, site, Issued { tokens, username: username.to_owned() }).await
}

/// The whole of signing in with a pasted token.
pub async fn sign_in_as_bearer(
    host: &Host,
    id: &SiteId,
    pasted: &Secret<String>,
) -> Result<SessionView, Problem> {
    let site = host.sites.get(id)?;
    let token = token_from(pasted.expose()).ok_or_else(|| Problem::form("token", Fault::NotAToken))?;
    let refused = |error| Problem::from_client(&error, id);
    let issued = steward_client::IssuedToken { token, expires_at: None };
    let (whose, username) = match (&site.portal, site.server()) {
        (Some(_), _) => {
            let portal = host.portal_address(&site).await?;
            let signed_in = steward_client::sign_in_with_token(&portal, &issued.token).await;
            (TokenFor::Portal, signed_in.map_err(refused)?.1.username)
        }
        (None, Some(server)) => {
            let area = host.server_address(&site).await?.with_token(issued.token.clone());
            let facts = steward_client::describe_server(&area).await.map_err(refused)?;
            (TokenFor::Server(server.id.clone()), facts.username)
        }
        (None, None) => return Err(Problem::NoAddress { area: Area::Portal }),
    };
    begin(host, site, Issued { tokens: vec![(whose, StoredToken::of(&issued, None))], username }).await
}

/// Puts the tokens into the keyring, in place of whoever was signed in, and asks the site who that is. `asked` is the
/// site that issued them: a browser may have been away for minutes.
pub(super) async fn begin(host: &Host, asked: Site, issued: Issued) -> Result<SessionView, Problem> {
    let site = still(host, &asked)?;
    // Only now: a mistyped password must not sign out who was signed in.
    forget_tokens(host, &site).await?;
    host.forget_known(&site.id);
    for (whose, token) in &issued.tokens {
        host.sessions.keep(&site.id, whose, token).await?;
    }
    // The keyring may have asked the person something first.
    if let Err(problem) = still(host, &asked) {
        forget_tokens(host, &asked).await?;
        return Err(problem);
    }
    let known = host.ask_who(&site).await?;
    let username = if issued.username.is_empty() { known.username.clone() } else { issued.username };
    let site = host.sites.signed_in(&site.id, Some(username).filter(|name| !name.is_empty()))?;
    view(host, &site, known).await
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

/// The server of a site, if it issues its own tokens: it stands alone, or there is no portal to ask.
async fn standing_alone(host: &Host, site: &Site) -> Result<Option<TokenFor>, Problem> {
    let Some(server) = site.server() else { return Ok(None) };
    let alone = match site.portal {
        None => true,
        // A server that cannot be asked must not keep anyone from the portal; its operations will say what is wrong.
        Some(_) => {
            let owner = steward_client::federated_with(&host.server_address(site).await?).await;
            matches!(owner, Ok(None))
        }
    };
    Ok(alone.then(|| TokenFor::Server(server.id.clone())))
}

async fn view(host: &Host, site: &Site, known: Known) -> Result<SessionView, Problem> {
    let area = if site.portal.is_some() { host.portal(site).await? } else { host.server(site).await? };
    let expires_at = match area.session() {
        Some(session) => session.ends_at().await,
        None => None,
    };
    Ok(SessionView {
        site: site.id.clone(),
        operations: gate::availability(site, &known),
        username: known.username,
        role: known.role,
        portal_version: known.portal_version.map(|version| version.to_string()),
        server_version: known.server_version.map(|version| version.to_string()),
        expires_at: expires_at.map(Millis),
    })
}
