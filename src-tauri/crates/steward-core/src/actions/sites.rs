//! Adds, changes, unlocks, and removes saved sites.
//!
//! [`save`] and [`remove`] record each change in the history before it takes effect. [`view`] returns a site for the
//! window.

use std::collections::HashMap;

use serde::Serialize;
use steward_journal::Intent;

use crate::access::Access;
use crate::actions::{protection, record, unlock};
use crate::model::deployment::{DeploymentType, Environment};
use crate::model::history_key::HistoryAction;
use crate::model::ids::TokenFor;
use crate::model::ids::{ServerId, SiteId};
use crate::model::numbers::Millis;
use crate::model::problem::{FieldError, Problem};
use crate::settings::preferences::Setting;
use crate::site_context::SiteContext;
use crate::sites::confirmation::TypedConfirmations;
use crate::sites::{
    ConnectionRoute, SavedServer, Seen, ServerForm, Site, SiteColor, SiteForm, Sites, TrustedCertificateView,
    origin,
};

/// A saved site, as shown in the window and its form.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SiteView {
    /// Identifier, unique on this computer.
    pub id: SiteId,
    /// Name set by the user, at most 60 characters.
    pub name: String,
    /// Texts that the user types to confirm irreversible operations.
    pub confirm_by_typing: TypedConfirmations,
    /// Environment: practice, test, or production.
    pub environment: Environment,
    /// Color that the user chose for the site.
    pub color: SiteColor,
    /// Deployment type.
    pub deployment_type: DeploymentType,
    /// URL of the portal; `null` if there is none.
    pub portal: Option<String>,
    /// Administration URL of the portal; `null` if it is not set.
    pub portal_admin_url: Option<String>,
    /// URL of the current server; `null` if there is none.
    pub server: Option<String>,
    /// Administration URLs of the servers, which receive imports. Servers without a known administration URL are left
    /// out.
    pub import_addresses: HashMap<ServerId, String>,
    /// Current server; `null` if there is none.
    pub current_server: Option<ServerId>,
    /// All servers of the site, in the order of the form.
    pub servers: Vec<ServerForm>,
    /// Connection settings, without passwords.
    pub connection: ConnectionView,
    /// Client ID of the app at the portal; may be empty.
    pub client_id: String,
    /// Client ID that the organization set for the portal, and that replaces the one of the site; `null` if it set
    /// none.
    pub organization_client_id: Option<String>,
    /// Name of the last user; `null` before the first sign-in.
    pub username: Option<String>,
    /// Versions that the site returned last; `null` before the first sign-in.
    pub seen: Option<Seen>,
    /// Whether the site is read-only until a user unlocks it.
    pub read_only: bool,
    /// Time when the unlock ends; `null` if the site is locked or not read-only.
    pub unlocked_until: Option<Millis>,
}

/// Connection settings of a site, without passwords.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionView {
    /// Path of the CA certificate that is trusted in addition to those of the system; may be empty.
    pub ca_certificate: String,
    /// Path of the client certificate; may be empty.
    pub client_certificate: String,
    /// Certificates that the user trusts, each for one origin.
    pub trusted_certificates: Vec<TrustedCertificateView>,
    /// Proxy settings.
    pub route: ConnectionRoute,
}

/// Returns all saved sites for the window.
pub fn views(context: &SiteContext) -> Vec<SiteView> {
    context.access.sites.all().into_iter().map(|site| view(context, site)).collect()
}

/// Unlocks a read-only site for 15 minutes. The reason is recorded in the history first.
///
/// # Errors
/// Those of [`unlock::unlock`].
pub async fn unlock_site(context: &SiteContext, site: SiteId, reason: String) -> Result<SiteView, Problem> {
    let site = unlock::unlock(context, &site, &reason).await?;
    Ok(view(context, site))
}

/// Locks a read-only site before its unlock ends, and records it.
///
/// # Errors
/// [`Problem::Unexpected`] if the site is not saved, or the history cannot be read.
pub async fn lock_site(context: &SiteContext, site: SiteId) -> Result<SiteView, Problem> {
    let site = unlock::lock(context, &site).await?;
    Ok(view(context, site))
}

/// Adds a site, or changes the one with the identifier of the form.
///
/// A change of addresses, of the route, or of the trust ends all sessions of the site. Protection is copied to other sites at the same addresses.
///
/// # Errors
/// - [`Problem::Form`] if a field is invalid, another site has the name, or a protection would be lost without a
///   reason.
/// - [`Problem::ReadOnly`] if the saved site is read-only and locked.
/// - [`Problem::Busy`] if an operation runs on a site whose sessions end.
/// - [`Problem::File`] if a certificate file cannot be read, or the sites cannot be written.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::Unexpected`] if the form has an identifier of no saved site, or the history cannot be read or written.
pub async fn save(context: &SiteContext, form: &SiteForm) -> Result<SiteView, Problem> {
    save_with(context, form, Sites::save, None).await
}

/// Adds the site of a profile. None of its addresses is confirmed, because the user did not type them.
pub(super) async fn add_from_profile(context: &SiteContext, form: &SiteForm) -> Result<SiteView, Problem> {
    save_with(context, form, Sites::add_unconfirmed, Some("profile")).await
}

/// Function that stores the site: [`Sites::save`] or [`Sites::add_unconfirmed`].
type Store = fn(&Sites, &SiteForm) -> Result<Site, Problem>;

async fn save_with(
    context: &SiteContext,
    form: &SiteForm,
    store: Store,
    source: Option<&str>,
) -> Result<SiteView, Problem> {
    // Reject an identifier of no saved site: identifiers name entries of the keyring, and an invented one could name
    // those of a site.
    let before = form.id.as_ref().map(|id| context.access.sites.get(id)).transpose()?;
    let drafted = context.access.sites.draft(form)?;
    let checked = protection::may_save(&context.access.sites, &context.locks, &drafted, &form.reason);
    context.history.with_refusal(checked, HistoryAction::ChangeSite.name())?;
    tell_refusals(context, before.as_ref(), &drafted).await;
    let changes = before.as_ref().map(|before| record::changes(before, &drafted)).unwrap_or_default();
    let (act, mut parameters) = match &before {
        None => (HistoryAction::AddSite, record::description(&drafted)),
        Some(_) => {
            let secrets = record::secrets_in(&form.connection);
            (HistoryAction::ChangeSite, record::parameters_of(&changes, secrets))
        }
    };
    parameters.extend(source.map(|source| ("siteSource".to_owned(), source.to_owned())));
    let saving = keep(context, before.as_ref(), &drafted, form, store);
    let saved = match before.is_some() && parameters.is_empty() {
        true => saving.await,
        false => {
            let intent = record::intent(&context.access, &drafted, act, parameters).await;
            let intent = Intent { reason: form.reason.trim().to_owned(), ..intent };
            record::recorded_change(&context.history, intent, changes, form.reason.trim(), saving).await
        }
    };
    let saved = saved?;
    mark_like(context, &saved).await?;
    Ok(view(context, saved))
}

/// Records in the audit trail which settings of a site have no effect, because the policy of the organization decides
/// on them.
async fn tell_refusals(context: &SiteContext, before: Option<&Site>, drafted: &Site) {
    let SiteContext { access, history, .. } = context;
    let is_new = |is_same: fn(&Site, &Site) -> bool| before.is_none_or(|before| !is_same(before, drafted));
    if access.connections.is_refused_route(drafted) && is_new(|before, now| before.route == now.route) {
        history.refused_by_policy(&Setting::Route.name(), Some(drafted)).await;
    }
    let (own, set) = (drafted.client_id.as_deref(), access.client_id_of_organization(drafted));
    if own.is_some() && set.is_some() && own != set && is_new(|before, now| before.client_id == now.client_id)
    {
        history.refused_by_policy("clientIds", Some(drafted)).await;
    }
}

/// Copies the protection of a saved site to the other sites at its addresses, and from these to the sites at theirs.
async fn mark_like(context: &SiteContext, saved: &Site) -> Result<(), Problem> {
    let mut spreading = vec![saved.clone()];
    while let Some(like) = spreading.pop() {
        for before in protection::to_mark_like(&context.access.sites, &like) {
            let marked = protection::marked_like(before.clone(), &like);
            let changes = record::changes(&before, &marked);
            let parameters = record::parameters_of(&changes, []);
            let intent =
                record::intent(&context.access, &before, HistoryAction::ChangeSite, parameters).await;
            let marking = async {
                // The current settings: they might have changed while the record was written.
                let now = context.access.sites.get(&before.id)?;
                context.access.sites.put(protection::marked_like(now, &like))
            };
            let done = record::recorded_change(&context.history, intent, changes, &saved.name, marking).await;
            // A site that was removed meanwhile does not stop the others.
            if context.access.sites.get(&before.id).is_ok() {
                done?;
                spreading.push(marked);
            }
        }
    }
    Ok(())
}

async fn keep(
    context: &SiteContext,
    before: Option<&Site>,
    drafted: &Site,
    form: &SiteForm,
    store: Store,
) -> Result<Site, Problem> {
    // A token belongs to the address that issued it, and to the route and the trust that the user saw when signing in. It
    // must not be sent to another address, or by another route. Delete it first: if the keyring fails, the site remains
    // unchanged.
    let is_rerouted = |before: &Site| context.access.connections.is_rerouted(before, drafted);
    let moved = before.filter(|before| !before.is_within(drafted) || is_rerouted(before));
    if let Some(before) = moved {
        context.runs.none_on(&before.id)?;
        forget_tokens(context, before).await?;
    }
    if let Some(before) = before {
        context.access.connections.keep_to_its_proxy(before, &form.connection).await?;
    }
    // Store the secrets before the site, and afterward drop connections that were built without them. A new site has
    // its identifier from here on.
    context.access.connections.keep_passwords(&drafted.id, &form.connection).await?;
    let store = || {
        // Again: the site might have been locked while the keyring waited for the user.
        protection::may_save(&context.access.sites, &context.locks, drafted, &form.reason)?;
        let mut form = SiteForm { id: Some(drafted.id.clone()), ..form.clone() };
        if let Some(before) = before {
            // The keyring might have waited for the user, who might have removed the site or trusted a certificate.
            let now = context.access.sites.get(&drafted.id)?;
            form.connection.add_trusted_since(before, &now);
            // Or saved other addresses or another route: their tokens would be sent to the addresses of this form.
            let after = context.access.sites.draft(&form)?;
            let is_rerouted = || context.access.connections.is_rerouted(&now, &after);
            if !now.is_where(before) || (moved.is_none() && is_rerouted()) {
                let message = "the site was changed meanwhile; open its settings once more".to_owned();
                return Err(Problem::Unexpected { message });
            }
        }
        store(&context.access.sites, &form)
    };
    let saved = match moved {
        // Again: the keyring might have waited for the user, who might have signed in at the earlier address.
        Some(before) => context.access.sessions.forget_all(before, store).await,
        None => store(),
    };
    if saved.is_err() && context.access.sites.get(&drafted.id).is_err() {
        context.access.connections.forget_passwords(&drafted.id).await?;
    }
    let site = saved?;
    if moved.is_some() {
        context.access.pending_sign_ins.forget(&site.id);
    }
    context.access.forget_known(&site.id);
    if before.is_some_and(|before| before.read_only != site.read_only) {
        context.locks.lock_again(&site.id);
    }
    Ok(site)
}

/// Removes a site with its tokens, passwords, uploads, unsaved invitations, and recent filters.
///
/// # Errors
/// - [`Problem::ReadOnly`] if the site is read-only and locked.
/// - [`Problem::Form`] with [`FieldError::TooShort`] if a production site requires a reason.
/// - [`Problem::Busy`] if an operation runs on the site.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::File`] if the sites cannot be written.
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be written.
pub async fn remove(context: &SiteContext, site: &SiteId, reason: &str) -> Result<(), Problem> {
    let saved = context.access.sites.get(site)?;
    let checked = protection::may_remove(&context.locks, &saved, reason);
    context.history.with_refusal(checked, HistoryAction::RemoveSite.name())?;
    context.runs.none_on(site)?;
    let intent =
        record::intent(&context.access, &saved, HistoryAction::RemoveSite, record::description(&saved)).await;
    let intent = Intent { reason: reason.trim().to_owned(), ..intent };
    record::recorded(&context.history, intent, reason.trim(), forget(context, &saved, reason)).await
}

async fn forget(context: &SiteContext, saved: &Site, reason: &str) -> Result<(), Problem> {
    let site = &saved.id;
    // Check before each step that the keyring can delay: meanwhile, the site might have been locked or marked as
    // production, or an operation might have begun.
    let may_remove = || {
        let now = context.access.sites.get(site)?;
        context.runs.none_on(site)?;
        protection::may_remove(&context.locks, &now, reason).map(|()| now)
    };
    may_remove()?;
    context.access.pending_sign_ins.forget(site);
    // Delete secrets first: if the keyring fails, the site remains and the removal can be repeated.
    context.access.connections.forget_passwords(site).await?;
    // Remove the site together with the tokens, so that no user signs in between.
    let remove = || may_remove().and_then(|_| context.access.sites.remove(site));
    context.access.sessions.forget_all(&may_remove()?, remove).await?;
    // This also removes unsaved invitations, which the window announces before the removal.
    context.access.forget_site(site);
    Ok(())
}

/// Stores the order of the sites. Sites that `order` does not contain come last.
///
/// # Errors
/// [`Problem::File`] if the sites cannot be written.
pub fn order_sites(context: &SiteContext, order: Vec<SiteId>) -> Result<Vec<SiteView>, Problem> {
    context.access.sites.order(&order)?;
    Ok(views(context))
}

/// Sets the server that forms begin with. Running operations keep their targets.
///
/// # Errors
/// - [`Problem::Form`] if the site does not have this server.
/// - [`Problem::File`] if the sites cannot be written.
/// - [`Problem::Unexpected`] if the site is not saved.
pub fn choose(context: &SiteContext, site: &SiteId, server: ServerId) -> Result<SiteView, Problem> {
    let mut site = context.access.sites.get(site)?;
    if !site.servers.iter().any(|one| one.id == server) {
        return Err(Problem::form("server", FieldError::Required));
    }
    site.current_server = Some(server);
    context.access.sites.put(site.clone())?;
    Ok(view(context, site))
}

/// Trusts a certificate for one origin of a site, in place of an earlier one. All sessions of the site end, because
/// they began without it.
///
/// # Errors
/// - [`Problem::Form`] if the origin is not part of the site.
/// - [`Problem::Busy`] if an operation runs on the site.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::File`] if the sites cannot be written.
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be read or written.
pub async fn trust(
    context: &SiteContext,
    site: &SiteId,
    certificate: &TrustedCertificateView,
) -> Result<SiteView, Problem> {
    let site = context.access.sites.get(site)?;
    let is_ours =
        site.addresses().any(|address| address.origin().ascii_serialization() == certificate.origin);
    if !is_ours {
        return Err(Problem::form("origin", FieldError::NotAnAddress));
    }
    if site.trusted_certificates.contains(&certificate.certificate()) {
        return Ok(view(context, site));
    }
    context.runs.none_on(&site.id)?;
    let parameters = vec![
        ("origin".to_owned(), certificate.origin.clone()),
        ("fingerprint".to_owned(), certificate.fingerprint.clone()),
    ];
    let intent = record::intent(&context.access, &site, HistoryAction::TrustCertificate, parameters).await;
    let trusting = async {
        context.access.pending_sign_ins.forget(&site.id);
        let store = || {
            // The current settings: they might have changed while the record was written.
            let mut site = context.access.sites.get(&site.id)?;
            // An origin has one trusted certificate; the earlier one is removed.
            site.trusted_certificates.retain(|other| other.origin != certificate.origin);
            site.trusted_certificates.push(certificate.certificate());
            context.access.sites.put(site.clone())?;
            Ok(site)
        };
        let site = context.access.sessions.forget_all(&site, store).await?;
        context.access.forget_known(&site.id);
        Ok(site)
    };
    let site = record::recorded(&context.history, intent, "", trusting).await?;
    Ok(view(context, site))
}

/// Confirms an address of a site. This applies to one origin, is saved with the site, and is not part of its profile.
///
/// # Errors
/// - [`Problem::Form`] if the address is not part of the site.
/// - [`Problem::File`] if the sites cannot be written.
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be read or written.
pub async fn confirm(context: &SiteContext, site: &SiteId, address: &str) -> Result<SiteView, Problem> {
    let mut site = context.access.sites.get(site)?;
    let Some(place) = site.addresses().find(|own| own.as_str() == address).map(origin) else {
        return Err(Problem::form("address", FieldError::NotAnAddress));
    };
    if !site.confirmed.contains(&place) {
        let parameters = vec![("siteConfirmed".to_owned(), place.clone())];
        let intent = record::intent(&context.access, &site, HistoryAction::ChangeSite, parameters).await;
        let confirming = async {
            // The current settings: they might have changed while the record was written.
            site = context.access.sites.get(&site.id)?;
            site.confirmed.push(place);
            context.access.sites.put(site.clone())
        };
        record::recorded(&context.history, intent, "", confirming).await?;
    }
    Ok(view(context, site))
}

/// Deletes all tokens and stored passwords of a site from the keyring. Cancels pending sign-ins with the browser, whose
/// codes are valid at the earlier address only.
pub(crate) async fn forget_tokens(context: &SiteContext, site: &Site) -> Result<(), Problem> {
    context.access.pending_sign_ins.forget(&site.id);
    let mut forgotten = forget_sign_in(&context.access, &site.id, &TokenFor::Portal).await;
    // A token that cannot be deleted must not keep the others in the keyring.
    for server in &site.servers {
        let one = forget_sign_in(&context.access, &site.id, &TokenFor::Server(server.id.clone())).await;
        forgotten = forgotten.and(one);
    }
    forgotten
}

/// Deletes the token and the stored password of one component from the keyring.
pub(crate) async fn forget_sign_in(access: &Access, site: &SiteId, whose: &TokenFor) -> Result<(), Problem> {
    access.sessions.forget(site, whose).await?;
    access.checked.session_ended(site, whose);
    access.sessions.forget_password(site, whose).await
}

/// Returns a saved site for the window.
///
/// # Errors
/// [`Problem::Unexpected`] if the site is not saved.
pub fn view_of(context: &SiteContext, site: &SiteId) -> Result<SiteView, Problem> {
    Ok(view(context, context.access.sites.get(site)?))
}

/// Returns a site for the window.
pub fn view(context: &SiteContext, site: Site) -> SiteView {
    let organization_client_id = context.access.client_id_of_organization(&site).map(str::to_owned);
    let confirm_by_typing = TypedConfirmations::of(&site);
    let chosen = site.current_server().cloned();
    let path =
        |path: Option<std::path::PathBuf>| path.map(|path| path.display().to_string()).unwrap_or_default();
    let import_addresses = site.servers.iter().filter_map(import_address).collect();
    let names = site.server_names();
    let servers =
        site.servers.into_iter().zip(names).map(|(server, name)| server_form(server, name)).collect();
    let trusted_certificates = site.trusted_certificates.into_iter().map(TrustedCertificateView::of);
    let portal_admin_url = site.portal.as_ref().and_then(|portal| portal.admin_url.clone());
    let unlocked_until = context.locks.unlocked_until(&site.id).filter(|_| site.read_only);
    SiteView {
        id: site.id,
        name: site.name,
        confirm_by_typing,
        environment: site.environment,
        color: site.color,
        deployment_type: site.deployment_type,
        portal: site.portal.map(|portal| portal.address.into()),
        portal_admin_url: portal_admin_url.map(String::from),
        server: chosen.as_ref().map(|server| server.address.clone().into()),
        import_addresses,
        current_server: chosen.map(|server| server.id),
        servers,
        connection: ConnectionView {
            ca_certificate: path(site.ca_certificate),
            client_certificate: path(site.client_certificate),
            trusted_certificates: trusted_certificates.collect(),
            route: site.route,
        },
        client_id: site.client_id.unwrap_or_default(),
        organization_client_id,
        username: site.username,
        seen: site.seen,
        read_only: site.read_only,
        unlocked_until,
    }
}

fn import_address(server: &SavedServer) -> Option<(ServerId, String)> {
    Some((server.id.clone(), server.admin_url()?.to_string()))
}

fn server_form(server: SavedServer, name: String) -> ServerForm {
    ServerForm {
        id: Some(server.id),
        name,
        address: server.address.into(),
        services_url: server.services_url.map(String::from).unwrap_or_default(),
        admin_url: server.admin_url.map(String::from).unwrap_or_default(),
        server_type: server.server_type,
        role: server.role,
    }
}
