//! Signing in and out.
//!
//! [`sign_in`] uses a password, and [`sign_in_as_bearer_at`] a pasted token. [`leave`] signs out. The browser is in
//! [`browser_sign_in`](super::browser_sign_in).

use serde::{Deserialize, Serialize};
pub use steward_client::REFERER as WEB_APP_URL;
use steward_client::{PastedTokenFault, Referer, oauth, pasted_token};
use steward_vault::Secret;

use crate::access::Access;
use crate::access::sessions::{StoredToken, token_path};
use crate::access::token_expiry::{self, TokenExpiryCheck};
use crate::actions::record;
use crate::actions::sites::{forget_sign_in, forget_tokens};
use crate::actions::unlock::lock;
use crate::model::history_key::HistoryAction;
use crate::model::ids::{ServerId, SiteId, Target, TokenFor};
use crate::model::numbers::Millis;
use crate::model::operation::{Operation, OperationKey};
use crate::model::person::known_as;
use crate::model::problem::{FieldError, Problem};
use crate::model::typed::{self, trimmed};
use crate::site_context::SiteContext;
use crate::sites::availability::{self, OperationAvailability, SiteFacts};
use crate::sites::{Site, TargetSite, origin};

/// Form of a sign-in. The password is sent to the site, and stored in the keyring only if the user chooses to.
#[derive(Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SignInForm {
    /// User name at the site.
    pub username: String,
    /// Password at the site.
    pub password: String,
    /// Whether the password is stored in the keyring, to renew tokens.
    pub keep_password: bool,
}

/// Session at a site, with the available operations.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Site that the session belongs to.
    pub site: SiteId,
    /// Server whose version and operations are shown; `null` if only those of the portal are.
    pub server: Option<ServerId>,
    /// Name of the user.
    pub username: String,
    /// Role of the user, as returned by the site.
    pub role: String,
    /// Version of the portal; `null` if it is not known.
    pub portal_version: Option<String>,
    /// Version of the server; `null` if it is not known.
    pub server_version: Option<String>,
    /// Time when the token expires; `null` if the site did not return it.
    pub expires_at: Option<Millis>,
    /// Availability of all operations.
    pub operations: Vec<OperationAvailability>,
}

/// A token that a component of a site issued.
pub(super) struct Issued {
    pub(super) whose: TokenFor,
    pub(super) token: StoredToken,
    /// Name of the user; empty if only the site can return it.
    pub(super) username: String,
    /// Sign-in method, as stored in the record.
    pub(super) method: &'static str,
    /// Password, if the user chose to save it.
    pub(super) password: Option<Secret<String>>,
}

/// Signs in with a password, and stores the token in the keyring. `server`: `None` for the portal, or for the server of
/// a site without a portal.
///
/// # Errors
/// - [`Problem::Form`] if a field is empty.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - Those of [`sign_in_at`].
pub async fn sign_in(
    context: &SiteContext,
    site: SiteId,
    server: Option<ServerId>,
    form: SignInForm,
) -> Result<SessionView, Problem> {
    typed::check([("username", form.username.as_str())])?;
    let username = trimmed(&form.username);
    for (field, text) in [("username", username), ("password", form.password.as_str())] {
        if text.is_empty() {
            return Err(Problem::form(field, FieldError::Required));
        }
    }
    let password = Secret::new(form.password.clone());
    sign_in_with(context, &site, server.as_ref(), username, &password, form.keep_password).await
}

/// Returns the session at a component, as confirmed by the site; `None` if no user is signed in.
///
/// # Errors
/// - Those of [`Sites::at`](crate::sites::Sites::at).
/// - Those of [`Access::ask_who`], except [`Problem::SignIn`] without a session of another host.
pub async fn session(context: &SiteContext, target: &Target) -> Result<Option<SessionView>, Problem> {
    let site = context.access.sites.at(target)?;
    match context.access.ask_who(&site).await {
        Ok(known) => Ok(Some(view(&context.access, &site, known).await?)),
        // A session of another host is an error: the sign-in form then shows why the stored session is not used.
        Err(Problem::SignIn { elsewhere: None, .. }) => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Returns whether the token is likely to expire during an operation, by the operation's earlier duration.
///
/// # Errors
/// - Those of [`Sites::at`](crate::sites::Sites::at) and [`Access::endpoint`].
pub async fn check_token_expiry(
    context: &SiteContext,
    target: &Target,
    operation: OperationKey,
) -> Result<TokenExpiryCheck, Problem> {
    let site = context.access.sites.at(target)?;
    let endpoint = context.access.endpoint(&site, Operation::of(operation).component).await?;
    Ok(token_expiry::outlook(&context.history, &site, operation, &endpoint).await)
}

/// Signs out: locks a read-only site, deletes the tokens and stored passwords, and revokes the refresh token at the portal if it responds.
///
/// # Errors
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::Unexpected`] if the site is not saved.
pub async fn leave(context: &SiteContext, id: &SiteId) -> Result<(), Problem> {
    let site = context.access.sites.get(id)?;
    // Lock the site, so that the next user has to give a reason, too.
    lock(context, id).await?;
    let intent = record::intent(&context.access, &site, HistoryAction::SignOut, Vec::new()).await;
    record::recorded_if_possible(&context.history, intent, leave_unrecorded(context, &site)).await
}

/// Signs out without a record, for the program itself.
pub(crate) async fn leave_unrecorded(context: &SiteContext, site: &Site) -> Result<(), Problem> {
    let stored = context.access.sessions.stored(site, &TokenFor::Portal).await?;
    forget_tokens(context, site).await?;
    context.access.forget_known(&site.id);
    // The token is deleted here; a portal that does not respond lets it expire. A token that was stored after the site
    // was moved belongs to another portal.
    if still(&context.access, site).is_ok()
        && let Some(refresh) = stored.and_then(|stored| stored.refresh)
        && let Ok(portal) = context.access.portal_address(site).await
        && let Err(error) = oauth::revoke(&portal, &refresh.read()).await
    {
        tracing::warn!(%error, "a refresh token could not be revoked at the portal");
    }
    Ok(())
}

/// Signs in with a password at the portal of a site, or at the server of a site without a portal.
///
/// # Errors
/// Those of [`sign_in_at`].
pub async fn sign_in_as(
    context: &SiteContext,
    id: &SiteId,
    username: &str,
    password: &Secret<String>,
) -> Result<SessionView, Problem> {
    sign_in_at(context, id, None, username, password).await
}

/// Signs in with a password at one component, the only one that receives the password.
///
/// # Errors
/// - [`Problem::Form`] if the site does not have this server.
/// - [`Problem::Rejected`] or another error of the client if the site issues no token.
/// - [`Problem::SignIn`] if the site rejects the token that it issued.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::Unexpected`] if the site is not saved, or its addresses changed meanwhile.
/// - Those of [`Access::portal_address`] and [`Access::ask_who`].
pub async fn sign_in_at(
    context: &SiteContext,
    id: &SiteId,
    server: Option<&ServerId>,
    username: &str,
    password: &Secret<String>,
) -> Result<SessionView, Problem> {
    sign_in_with(context, id, server, username, password, false).await
}

async fn sign_in_with(
    context: &SiteContext,
    id: &SiteId,
    server: Option<&ServerId>,
    username: &str,
    password: &Secret<String>,
    keep_password: bool,
) -> Result<SessionView, Problem> {
    let site = context.access.sites.get(id)?;
    let whose = site.signs_in_at(server)?;
    let endpoint = area_of(&context.access, &site, &whose).await?;
    let issued = steward_client::generate_token(&endpoint, token_path(&whose), username, password).await;
    let issued = match issued {
        Ok(issued) => issued,
        Err(error) => {
            let problem = Problem::of_sign_in(&error, id);
            return Err(record::rejected_sign_in(context, &site, username, "password", problem).await);
        }
    };
    context.access.sessions.rejected_passwords.remove(endpoint.root(), username, password);
    let token = StoredToken::of(&issued, None, endpoint.root());
    let (username, password) = (username.to_owned(), keep_password.then(|| password.clone()));
    // On the heap: what a sign-in requests would be too large for the stack of each caller.
    Box::pin(begin(context, site, Issued { whose, token, username, method: "password", password })).await
}

/// Signs in with a pasted token at the portal of a site, or at the server of a site without a portal.
///
/// # Errors
/// Those of [`sign_in_as_bearer_at`].
pub async fn sign_in_as_bearer(
    context: &SiteContext,
    id: &SiteId,
    pasted: &Secret<String>,
) -> Result<SessionView, Problem> {
    sign_in_as_bearer_at(context, id, None, pasted, "").await
}

/// Signs in with a pasted token at one component, the only one that receives the token. `web_app_url` is what the token
/// is bound to; empty for [`REFERER`](steward_client::REFERER).
///
/// # Errors
/// - [`Problem::Form`] if the text contains no token, several, an expired one, or an error response, or if the web app
///   URL is invalid. Then nothing was sent.
/// - [`Problem::Rejected`] or another error of the client if the site rejects the token.
/// - All others of [`sign_in_at`].
pub async fn sign_in_as_bearer_at(
    context: &SiteContext,
    id: &SiteId,
    server: Option<&ServerId>,
    pasted: &Secret<String>,
    web_app_url: &str,
) -> Result<SessionView, Problem> {
    let site = context.access.sites.get(id)?;
    let issued = pasted_token(pasted, jiff::Timestamp::now().as_millisecond());
    let issued = issued.map_err(|fault| Problem::form("token", why_no_token(fault)))?;
    typed::check([("webAppUrl", web_app_url)])?;
    let referer = Referer::parse(trimmed(web_app_url))
        .ok_or_else(|| Problem::form("webAppUrl", FieldError::NotAWebAppUrl))?;
    let whose = site.signs_in_at(server)?;
    let endpoint = area_of(&context.access, &site, &whose).await?.with_referer(referer.clone());
    let username = match &whose {
        TokenFor::Portal => {
            let signed_in = steward_client::sign_in_with_token(&endpoint, &issued.token).await;
            signed_in.map(|(_, facts)| facts.username)
        }
        TokenFor::Server(_) => {
            let described =
                steward_client::describe_server(&endpoint.clone().with_token(issued.token.clone())).await;
            described.map(|facts| facts.username)
        }
    };
    let username = match username {
        Ok(username) => username,
        Err(error) => {
            let problem = Problem::of_sign_in(&error, id);
            return Err(record::rejected_sign_in(context, &site, "", "token", problem).await);
        }
    };
    let token = StoredToken::of(&issued, None, endpoint.root()).bound_to(&referer);
    begin(context, site, Issued { whose, token, username, method: "token", password: None }).await
}

const fn why_no_token(fault: PastedTokenFault) -> FieldError {
    match fault {
        PastedTokenFault::NoToken => FieldError::NotAToken,
        PastedTokenFault::SeveralTokens => FieldError::SeveralTokens,
        PastedTokenFault::ErrorResponse => FieldError::AnErrorResponse,
        PastedTokenFault::Expired => FieldError::TokenExpired,
    }
}

/// Returns the endpoint that issues a token, the only one that receives the token or its password.
async fn area_of(
    access: &Access,
    site: &Site,
    whose: &TokenFor,
) -> Result<steward_client::Endpoint, Problem> {
    match whose {
        TokenFor::Portal => access.portal_address(site).await,
        TokenFor::Server(id) => {
            let server = site.servers.iter().find(|server| server.id == *id);
            let server = server.ok_or_else(|| Problem::form("server", FieldError::Required))?;
            access.address_of(site, server).await
        }
    }
}

/// Stores the token in the keyring in place of the earlier session, and requests the facts of the site. `asked` is the
/// site as it was when the sign-in began: in the browser, that can be minutes ago.
///
/// A sign-in at the portal ends all other sessions of the site, which might be those of another user. A sign-in at one
/// of its servers keeps the portal's session. After an error, the token is deleted.
///
/// # Errors
/// - [`Problem::SignIn`] if the site rejects its own token.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::Unexpected`] if the site is not saved, its addresses changed, or the history cannot be written.
/// - Those of [`Access::ask_who`].
pub(super) async fn begin(
    context: &SiteContext,
    asked: Site,
    issued: Issued,
) -> Result<SessionView, Problem> {
    let mut parameters = vec![("signInMethod".to_owned(), issued.method.to_owned())];
    parameters.extend(asked.issuer(&issued.whose).map(|issuer| ("origin".to_owned(), origin(issuer))));
    let mut intent = record::intent_by(issued.username.clone(), &asked, HistoryAction::SignIn, parameters);
    if let TokenFor::Server(id) = &issued.whose {
        let name = asked.name_of_server(id).filter(|_| asked.servers.len() > 1);
        (intent.server, intent.server_name) = (id.0.clone(), name.unwrap_or_default());
    }
    let signing_in = async {
        let (site, begun_as) = take_over(context, &asked, &issued).await?;
        let confirmed = Box::pin(confirmed(context, site, &issued, begun_as)).await;
        // A sign-in that is reported as failed leaves no session.
        if confirmed.is_err() && context.access.sessions.turn(&asked.id, &issued.whose) == begun_as {
            forget_sign_in(&context.access, &asked.id, &issued.whose).await?;
        }
        confirmed
    };
    record::recorded_if_possible(&context.history, intent, signing_in).await
}

/// Requests the facts of a site with the token of the session `begun_as`, and stores the name and the password of the
/// user.
async fn confirmed(
    context: &SiteContext,
    mut site: Site,
    issued: &Issued,
    begun_as: u64,
) -> Result<SessionView, Problem> {
    let is_main = site.portal.is_none() || issued.whose == TokenFor::Portal;
    if is_main && !issued.username.is_empty() {
        site.username = Some(known_as(site.username.as_deref(), issued.username.clone()));
    }
    let looked_at = TargetSite::of(site.clone(), &shown_after(&site, &issued.whose))?;
    // Boxed: the future is large, and so would be that of every sign-in.
    let known = Box::pin(context.access.ask_who(&looked_at)).await;
    // Another user may have signed in during the requests, or this one out.
    if context.access.sessions.turn(&site.id, &issued.whose) != begun_as {
        return Err(Problem::sign_in(&site.id));
    }
    let known = known?;
    if issued.username.is_empty() {
        site.username = Some(known.username.clone()).filter(|name| !name.is_empty());
    }
    let site = match is_main && site.username.is_some() {
        true => context.access.sites.note_signed_in(&site.id, site.username)?,
        false => context.access.sites.get(&site.id)?,
    };
    if let Some(password) = &issued.password {
        context.access.keep_password_for(&site, &issued.whose, &issued.username, password, begun_as).await?;
    }
    let site = context.access.sites.at(&shown_after(&site, &issued.whose))?;
    Box::pin(view(&context.access, &site, known)).await
}

/// Returns the component whose session the window shows after a sign-in: the server where the user signed in, or the one
/// that forms begin with.
fn shown_after(site: &Site, whose: &TokenFor) -> Target {
    match whose {
        TokenFor::Server(id) => Target { site: site.id.clone(), server: Some(id.clone()) },
        TokenFor::Portal => site.current_target(),
    }
}

/// Stores the token in place of the earlier session. Returns the site with the generation of the session that begins.
async fn take_over(context: &SiteContext, asked: &Site, issued: &Issued) -> Result<(Site, u64), Problem> {
    let site = still(&context.access, asked)?;
    // Only after the token was issued: a wrong password must not end the current session.
    if issued.whose == TokenFor::Portal {
        forget_tokens(context, &site).await?;
    } else {
        forget_sign_in(&context.access, &site.id, &issued.whose).await?;
    }
    context.access.forget_known(&site.id);
    let begun_as = context.access.sessions.keep(&site.id, &issued.whose, &issued.token).await?;
    // The keyring might have waited for the user.
    if let Err(problem) = still(&context.access, asked) {
        forget_tokens(context, asked).await?;
        return Err(problem);
    }
    Ok((site, begun_as))
}

/// Returns the current settings of a site, if its addresses are those where the token was issued.
pub(super) fn still(access: &Access, asked: &Site) -> Result<Site, Problem> {
    let site = access.sites.get(&asked.id)?;
    if site.is_where(asked) {
        return Ok(site);
    }
    Err(Problem::Unexpected {
        message: "the addresses of the site were changed; sign in once more".to_owned(),
    })
}

async fn view(access: &Access, site: &TargetSite, known: SiteFacts) -> Result<SessionView, Problem> {
    let endpoint =
        if site.portal.is_some() { access.portal(site).await? } else { access.server(site).await? };
    let expires_at = endpoint.token_ends_at().await;
    Ok(SessionView {
        site: site.id.clone(),
        server: site.target().server,
        operations: availability::availability(site, &known),
        username: known.username,
        role: known.role,
        portal_version: known.portal_version.map(|version| version.to_string()),
        server_version: known.server_version.map(|version| version.to_string()),
        expires_at: expires_at.map(Millis),
    })
}
