//! Signing in and out.

use serde::{Deserialize, Serialize};
use steward_client::IssuedToken;
use steward_vault::Secret;
use tauri::State;

use super::sites::forget_tokens;
use crate::gate::{self, Availability, Known};
use crate::host::{Host, StoredToken, TokenFor};
use crate::problem::{Fault, Problem};
use crate::sites::{Site, SiteId};
use crate::views::numbers::Millis;

/// What the person types. The password goes to the site and is kept nowhere.
#[derive(Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SignInForm {
    /// User name.
    pub username: String,
    /// Password.
    pub password: String,
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
    sign_in_as(&host, &site, username, &Secret::new(form.password.clone())).await
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

/// Takes the tokens of a site out of the keyring.
#[tauri::command]
#[specta::specta]
pub async fn sign_out(host: State<'_, Host>, site: SiteId) -> Result<(), Problem> {
    forget_tokens(&host, &site).await?;
    host.forget_known(&site);
    Ok(())
}

/// The whole of signing in, for the window and for the practice site.
pub async fn sign_in_as(
    host: &Host,
    id: &SiteId,
    username: &str,
    password: &Secret<String>,
) -> Result<SessionView, Problem> {
    let mut site = host.sites.get(id)?;
    // A refusal here is about the password, not about a token that ran out.
    let refused = |error| Problem::from_client(&error, id);
    let mut tokens = Vec::new();
    if site.portal.is_some() {
        let path = ["sharing", "rest", "generateToken"];
        let portal = host.portal_address(&site)?;
        let token = steward_client::generate_token(&portal, &path, username, password).await;
        tokens.push((TokenFor::Portal, token.map_err(refused)?));
    }
    if needs_own_token(host, &site).await? {
        let path = ["admin", "generateToken"];
        let server = host.server_address(&site)?;
        let token = steward_client::generate_token(&server, &path, username, password).await;
        tokens.push((TokenFor::Server, token.map_err(refused)?));
    }
    // Only now: a mistyped password must not sign out who was signed in.
    forget_tokens(host, &site.id).await?;
    host.forget_known(&site.id);
    for (area, token) in &tokens {
        host.keep_token(&site.id, *area, &stored(token)).await?;
    }
    site.username = Some(username.to_owned());
    host.sites.put(site.clone())?;
    let known = host.ask_who(&site).await?;
    view(host, &site, known).await
}

/// Whether the server of a site issues its own tokens: it stands alone, or there is no portal to ask.
async fn needs_own_token(host: &Host, site: &Site) -> Result<bool, Problem> {
    if site.server.is_none() {
        return Ok(false);
    }
    if site.portal.is_none() {
        return Ok(true);
    }
    let owner = steward_client::federated_with(&host.server_address(site)?).await;
    // A server that cannot be asked must not keep anyone from the portal; its operations will say what is wrong.
    Ok(matches!(owner, Ok(None)))
}

fn stored(issued: &IssuedToken) -> StoredToken {
    StoredToken { token: issued.token.expose().clone(), expires_at: issued.expires_at }
}

async fn view(host: &Host, site: &Site, known: Known) -> Result<SessionView, Problem> {
    let area = if site.portal.is_some() { TokenFor::Portal } else { TokenFor::Server };
    let token = host.token(&site.id, area).await?;
    Ok(SessionView {
        site: site.id.clone(),
        operations: gate::availability(site, &known),
        username: known.username,
        role: known.role,
        portal_version: known.portal_version.map(|version| version.to_string()),
        server_version: known.server_version.map(|version| version.to_string()),
        expires_at: token.and_then(|token| token.expires_at).map(Millis),
    })
}
