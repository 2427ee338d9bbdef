//! Sign-in with the system's browser on the sign-in page of the portal.
//!
//! [`through_loopback`] receives the code at a local port. [`open_page`] and [`with_code`] are for a code that the user
//! pastes.

use std::time::Duration;

use serde::Serialize;
pub use steward_client::oauth::redirect_addresses;
use steward_client::oauth::{self, Authorization, Grant, Loopback, NoCode, Pages, Redirect};
use steward_client::{ClientError, Endpoint};
use steward_vault::Secret;

use super::record;
use super::sign_in::{Issued, SessionView, begin, still};
use crate::access::sessions::StoredToken;
use crate::access::{Access, links};
use crate::files::selected_paths::SelectedPaths;
use crate::model::ids::SiteId;
use crate::model::ids::TokenFor;
use crate::model::localized_text::{Texts, UiLanguage};
use crate::model::problem::{FieldError, Problem};
use crate::site_context::SiteContext;
use crate::sites::Site;

/// Time limit of a sign-in. The user might need a second factor.
const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// Result of a sign-in with the browser.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BrowserSignIn {
    /// The user is signed in.
    SignedIn {
        /// Session that was begun.
        session: Box<SessionView>,
    },
    /// The portal or the user declined.
    Declined {
        /// Reason, as returned by the portal.
        reason: String,
    },
    /// The user stopped waiting.
    Stopped,
    /// The browser did not return in time.
    TooLate,
    /// Other sign-ins or programs use all ports that the browser could return to. The page that shows a code was opened
    /// instead.
    CodePage,
}

/// Stops waiting for the browser. Returns whether a sign-in was pending.
pub fn stop(access: &Access, site: &SiteId) -> bool {
    access.pending_sign_ins.stop(site)
}

/// Signs in with the browser, which returns the code to a port of this computer.
///
/// # Errors
/// - [`Problem::Form`] if the site has no client ID.
/// - [`Problem::NoDialog`] if no browser can be opened.
/// - [`Problem::Rejected`] or another error of the client if the portal rejects the code.
/// - [`Problem::SignIn`] if the portal rejects the token that it issued.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::Unexpected`] if the sign-in page is not part of the site, the site is not saved
///   or its addresses changed meanwhile, or the history cannot be written.
/// - Those of [`Access::portal_address`] and [`Access::ask_who`].
pub async fn through_loopback(
    context: &SiteContext,
    dialogs: &SelectedPaths,
    language: &UiLanguage,
    id: &SiteId,
) -> Result<BrowserSignIn, Problem> {
    let (site, portal, client_id) = portal_of(&context.access, id).await?;
    let cannot = |error: oauth::CannotBegin| Problem::from(anyhow::Error::from(error));
    // Begin to wait first: an earlier sign-in to the site then ends, and releases its port.
    let waiting = context.access.pending_sign_ins.wait(id);
    let Some(loopback) = Loopback::listen(&context.access.pending_sign_ins.ports()).await else {
        open_page(&context.access, dialogs, id).await?;
        return Ok(BrowserSignIn::CodePage);
    };
    let loopback = loopback.showing(pages(&language.texts()));
    let authorization = oauth::begin(&portal, &client_id, &Redirect::Loopback(&loopback)).map_err(cannot)?;
    links::open_page(dialogs, &site, &authorization.url)?;
    let code = tokio::select! {
        // If the code and Stop are there at once, the user has signed in.
        biased;
        code = loopback.code(&authorization, SIGN_IN_TIMEOUT) => code,
        () = waiting.stopped() => return Ok(BrowserSignIn::Stopped),
    };
    drop(waiting);
    let code = match code {
        Ok(code) => code,
        Err(NoCode::Declined { reason }) => return Ok(BrowserSignIn::Declined { reason }),
        Err(NoCode::TooLate) => return Ok(BrowserSignIn::TooLate),
        Err(error @ NoCode::Port(_)) => return Err(anyhow::Error::from(error).into()),
    };
    // The connection or the trusted certificate might have changed. A code must not be sent to another portal.
    let site = still(&context.access, &site)?;
    let portal = context.access.portal_address(&site).await?;
    let session = Box::new(finish(context, site, &portal, &authorization, &code).await?);
    Ok(BrowserSignIn::SignedIn { session })
}

/// Returns the pages that the browser shows after a sign-in.
fn pages(words: &Texts) -> Pages {
    let page = |name: &str| {
        let say = |part| words.say(&format!("browserPage.{name}.{part}"), &[]);
        (say("title"), say("body"))
    };
    Pages {
        language: words.language().to_owned(),
        welcome: page("welcome"),
        declined: page("declined"),
        stranger: page("stranger"),
    }
}

/// Opens the sign-in page, which shows a code for the user to paste into [`with_code`].
///
/// # Errors
/// - [`Problem::Form`] if the site has no client ID.
/// - [`Problem::NoDialog`] if no browser can be opened.
/// - [`Problem::Unexpected`] if the site is not saved, or the sign-in page is not part of it.
/// - Those of [`Access::portal_address`].
pub async fn open_page(access: &Access, dialogs: &SelectedPaths, id: &SiteId) -> Result<(), Problem> {
    let (site, portal, client_id) = portal_of(access, id).await?;
    let authorization = oauth::begin(&portal, &client_id, &Redirect::OutOfBand)
        .map_err(|error| Problem::from(anyhow::Error::from(error)))?;
    links::open_page(dialogs, &site, &authorization.url)?;
    access.pending_sign_ins.keep(id, authorization);
    Ok(())
}

/// Completes a sign-in that [`open_page`] began, with a pasted code.
///
/// # Errors
/// - [`Problem::Form`] if the text contains no code, no sign-in was begun, or the site has no client ID.
/// - [`Problem::Rejected`] or another error of the client if the portal rejects the code.
/// - [`Problem::SignIn`] if the portal rejects the token that it issued.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::Unexpected`] if the site is not saved, its addresses changed meanwhile, or the history cannot be
///   written.
/// - Those of [`Access::portal_address`] and [`Access::ask_who`].
pub async fn with_code(context: &SiteContext, id: &SiteId, pasted: &str) -> Result<SessionView, Problem> {
    let code = oauth::code_from(pasted).ok_or_else(|| Problem::form("code", FieldError::NotAToken))?;
    let (site, portal, _) = portal_of(&context.access, id).await?;
    // A code is valid once, and so is the stored request, unless the portal cannot be reached.
    let authorization = context
        .access
        .pending_sign_ins
        .take(id)
        .ok_or_else(|| Problem::form("code", FieldError::Required))?;
    let finished = finish(context, site.clone(), &portal, &authorization, &code).await;
    // Meanwhile, the site might have moved, or another page might have been opened.
    if let Err(Problem::Unreachable { .. }) = &finished
        && still(&context.access, &site).is_ok()
    {
        context.access.pending_sign_ins.put_back(id, authorization);
    }
    finished
}

async fn portal_of(access: &Access, id: &SiteId) -> Result<(Site, Endpoint, String), Problem> {
    let site = access.sites.get(id)?;
    let client_id = match access.client_id_of_organization(&site) {
        Some(set) => Some(set.to_owned()),
        None => site.client_id.clone(),
    };
    let client_id = client_id.ok_or_else(|| Problem::form("clientId", FieldError::NoClientId))?;
    let portal = access.portal_address(&site).await?;
    // The keyring might have waited for the user. A code of one portal must not be sent to another.
    let site = still(access, &site)?;
    Ok((site, portal, client_id))
}

async fn finish(
    context: &SiteContext,
    site: Site,
    portal: &Endpoint,
    authorization: &Authorization,
    code: &Secret<String>,
) -> Result<SessionView, Problem> {
    let granted: Result<Grant, ClientError> = oauth::finish(portal, authorization, code).await;
    let grant = match granted {
        Ok(grant) => grant,
        Err(error) => {
            let problem = Problem::from_client(&error, &site.id);
            return Err(record::rejected_sign_in(context, &site, "", "browser", problem).await);
        }
    };
    let token = StoredToken::of(&grant.token, grant.refresh.as_ref(), portal.root());
    let (whose, username) = (TokenFor::Portal, grant.username);
    begin(context, site, Issued { whose, token, username, method: "browser", password: None }).await
}
