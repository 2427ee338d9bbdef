//! Commands for sessions, and for a sign-in in the browser.

use steward_command::command;
use steward_core::access::token_expiry::TokenExpiryCheck;
use steward_core::actions::browser_sign_in::BrowserSignIn;
use steward_core::actions::sign_in::{SessionView, SignInForm};
use steward_core::actions::{browser_sign_in, sign_in};
use steward_core::model::ids::{ServerId, SiteId, Target};
use steward_core::model::operation::OperationKey;
use steward_vault::Secret;

use super::{Program, Reply};

/// Signs in with a password, and stores the token in the keyring. `server`: a server of the site; `null` for its
/// portal, or for the server of a site without a portal.
#[command]
pub(crate) async fn sign_in(
    steward: Program<'_>,
    site: SiteId,
    server: Option<ServerId>,
    form: SignInForm,
) -> Reply<SessionView> {
    sign_in::sign_in(&steward.context, site, server, form).await
}

/// Signs in with a token from another source, in whatever form it was pasted. It cannot be renewed. `server` is as with
/// the command `sign_in`, and `web_app_url` is what the token is bound to; empty for that of the app.
#[command]
pub(crate) async fn sign_in_with_token(
    steward: Program<'_>,
    site: SiteId,
    server: Option<ServerId>,
    pasted: String,
    web_app_url: String,
) -> Reply<SessionView> {
    let pasted = Secret::new(pasted);
    sign_in::sign_in_as_bearer_at(&steward.context, &site, server.as_ref(), &pasted, &web_app_url).await
}

/// Returns the session, as confirmed by the site; `null` if no user is signed in.
#[command]
pub(crate) async fn session(steward: Program<'_>, target: Target) -> Reply<Option<SessionView>> {
    sign_in::session(&steward.context, &target).await
}

/// Returns whether the token is likely to expire during an operation.
#[command]
pub(crate) async fn check_token_expiry(
    steward: Program<'_>,
    target: Target,
    operation: OperationKey,
) -> Reply<TokenExpiryCheck> {
    sign_in::check_token_expiry(&steward.context, &target, operation).await
}

/// Deletes the tokens of a site from the keyring, and revokes the refresh token at the portal.
#[command]
pub(crate) async fn sign_out(steward: Program<'_>, site: SiteId) -> Reply<()> {
    sign_in::leave(&steward.context, &site).await
}

/// Opens the sign-in page of the portal in the system's browser, and waits for the browser to return.
#[command]
pub(crate) async fn sign_in_in_browser(steward: Program<'_>, site: SiteId) -> Reply<BrowserSignIn> {
    browser_sign_in::through_loopback(&steward.context, &steward.dialogs, &steward.language, &site).await
}

/// Stops waiting for the browser.
#[command]
pub(crate) fn stop_browser_sign_in(steward: Program<'_>, site: SiteId) {
    browser_sign_in::stop(&steward.context.access, &site);
}

/// Opens the sign-in page of the portal, which shows a code: for portals that cannot redirect to this computer.
#[command]
pub(crate) async fn open_sign_in_page(steward: Program<'_>, site: SiteId) -> Reply<()> {
    browser_sign_in::open_page(&steward.context.access, &steward.dialogs, &site).await
}

/// Signs in with the code shown by the page.
#[command]
pub(crate) async fn sign_in_with_code(
    steward: Program<'_>,
    site: SiteId,
    pasted: String,
) -> Reply<SessionView> {
    browser_sign_in::with_code(&steward.context, &site, &pasted).await
}
