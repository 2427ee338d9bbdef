//! Signing in and out.

use steward_core::access::token_expiry::TokenOutlook;
use steward_core::actions::sign_in;
use steward_core::actions::sign_in::{SessionView, SignInForm};
use steward_core::host::Host;
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::operation::Key;
use steward_core::model::problem::Problem;
use steward_vault::Secret;
use tauri::State;

/// Trades user name and password for a token, and keeps the token in the keyring. `server` is the server of the site
/// to sign in to; `null`: its portal, or the server of a site without a portal.
#[tauri::command]
#[specta::specta]
pub async fn sign_in(
    host: State<'_, Host>,
    site: SiteId,
    server: Option<ServerId>,
    form: SignInForm,
) -> Result<SessionView, Problem> {
    sign_in::sign_in(&host, site, server, form).await
}

/// Signs in with a token that somebody else made. It cannot be renewed, and nobody says when it ends. `server` as in
/// [`sign_in`].
#[tauri::command]
#[specta::specta]
pub async fn sign_in_with_token(
    host: State<'_, Host>,
    site: SiteId,
    server: Option<ServerId>,
    pasted: String,
) -> Result<SessionView, Problem> {
    sign_in::sign_in_as_bearer_at(&host, &site, server.as_ref(), &Secret::new(pasted)).await
}

/// Who is signed in, by the site's own word; `null` when nobody is.
#[tauri::command]
#[specta::specta]
pub async fn session(host: State<'_, Host>, site: SiteId) -> Result<Option<SessionView>, Problem> {
    sign_in::session(&host, site).await
}

/// Whether the token at hand is likely to outlive an operation, by how long it took before.
#[tauri::command]
#[specta::specta]
pub async fn token_outlook(
    host: State<'_, Host>,
    site: SiteId,
    operation: Key,
) -> Result<TokenOutlook, Problem> {
    sign_in::token_outlook(&host, site, operation).await
}

/// Takes the tokens of a site out of the keyring, and ends at the portal what could be renewed without a person.
#[tauri::command]
#[specta::specta]
pub async fn sign_out(host: State<'_, Host>, site: SiteId) -> Result<(), Problem> {
    sign_in::leave(&host, &site).await
}
