//! Commands to sign in and out.

use steward_core::access::token_expiry::TokenExpiryCheck;
use steward_core::actions::sign_in;
use steward_core::actions::sign_in::{SessionView, SignInForm};
use steward_core::model::ids::{ServerId, SiteId, Target};
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::steward::Steward;
use steward_vault::Secret;
use tauri::State;

/// Signs in with a password, and stores the token in the keyring. `server`: a server of the site; `null` for its
/// portal, or for the server of a site without a portal.
///
/// # Errors
/// Those of [`sign_in::sign_in`].
#[tauri::command]
#[specta::specta]
pub async fn sign_in(
    steward: State<'_, Steward>,
    site: SiteId,
    server: Option<ServerId>,
    form: SignInForm,
) -> Result<SessionView, Problem> {
    sign_in::sign_in(&steward.context, site, server, form).await
}

/// Signs in with a token from another source, in whatever form it was pasted. It cannot be renewed. `server` is as with
/// the command `sign_in`, and `web_app_url` is what the token is bound to; empty for that of the app.
///
/// # Errors
/// Those of [`sign_in::sign_in_as_bearer_at`].
#[tauri::command]
#[specta::specta]
pub async fn sign_in_with_token(
    steward: State<'_, Steward>,
    site: SiteId,
    server: Option<ServerId>,
    pasted: String,
    web_app_url: String,
) -> Result<SessionView, Problem> {
    let pasted = Secret::new(pasted);
    sign_in::sign_in_as_bearer_at(&steward.context, &site, server.as_ref(), &pasted, &web_app_url).await
}

/// Returns the session, as confirmed by the site; `null` if no user is signed in.
///
/// # Errors
/// Those of [`sign_in::session`].
#[tauri::command]
#[specta::specta]
pub async fn session(steward: State<'_, Steward>, target: Target) -> Result<Option<SessionView>, Problem> {
    sign_in::session(&steward.context, &target).await
}

/// Returns whether the token is likely to expire during an operation.
///
/// # Errors
/// Those of [`sign_in::check_token_expiry`].
#[tauri::command]
#[specta::specta]
pub async fn check_token_expiry(
    steward: State<'_, Steward>,
    target: Target,
    operation: OperationKey,
) -> Result<TokenExpiryCheck, Problem> {
    sign_in::check_token_expiry(&steward.context, &target, operation).await
}

/// Deletes the tokens of a site from the keyring, and revokes the refresh token at the portal.
///
/// # Errors
/// Those of [`sign_in::leave`].
#[tauri::command]
#[specta::specta]
pub async fn sign_out(steward: State<'_, Steward>, site: SiteId) -> Result<(), Problem> {
    sign_in::leave(&steward.context, &site).await
}
