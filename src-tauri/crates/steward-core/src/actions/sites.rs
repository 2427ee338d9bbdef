//! The saved sites.

use serde::Serialize;

use crate::actions::protection;
use crate::actions::record;
use crate::host::Host;
use crate::model::deployment::{SiteFlavour, SiteKind};
use crate::model::history_key::HistoryAct;
use crate::model::ids::TokenFor;
use crate::model::ids::{ServerId, SiteId};
use crate::model::numbers::Millis;
use crate::model::operation::Key;
use crate::model::problem::{Fault, Problem};
use crate::sites::{
    ConnectionForm, PinView, SavedRoute, SavedServer, Seen, ServerForm, Site, SiteColor, SiteForm, Sites,
    origin,
};

/// A saved site, as the window shows it and fills its form.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SiteView {
    /// Identifier.
    pub id: SiteId,
    /// Name.
    pub name: String,
    /// What it is for.
    pub kind: SiteKind,
    /// Colour.
    pub color: SiteColor,
    /// What kind of deployment it is.
    pub flavour: SiteFlavour,
    /// Address of the portal.
    pub portal: Option<String>,
    /// Address of the portal past every web adaptor.
    pub portal_direct: Option<String>,
    /// Address of the server that is worked with.
    pub server: Option<String>,
    /// Where an import goes: that server past every web adaptor; `null` where no such address is known.
    pub import_address: Option<String>,
    /// The server that is worked with.
    pub chosen_server: Option<ServerId>,
    /// All servers.
    pub servers: Vec<ServerForm>,
    /// The way there, and whom to trust.
    pub connection: ConnectionView,
    /// The name this program is registered under at the portal; may be empty.
    pub client_id: String,
    /// Who signed in last.
    pub username: Option<String>,
    /// When the last export of either kind succeeded.
    pub last_export: Option<Millis>,
    /// When the last export of the portal succeeded.
    pub portal_export: Option<Millis>,
    /// When the last export of the server succeeded.
    pub server_export: Option<Millis>,
    /// What it said of itself when it was asked last.
    pub seen: Option<Seen>,
    /// Whether every change is refused until somebody unlocks it with a reason.
    pub read_only: bool,
    /// Until when it is unlocked; `null` when it is locked, or not read-only.
    pub unlocked_until: Option<Millis>,
}

/// The way to a site, without its passwords.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionView {
    /// Path of the CA certificate trusted beside the system's; may be empty.
    pub ca_certificate: String,
    /// Path of the client certificate; may be empty.
    pub client_certificate: String,
    /// Certificates that were accepted as they are.
    pub pins: Vec<PinView>,
    /// The way there.
    pub route: SavedRoute,
}

/// Returns all saved sites, as the window shows them.
///
/// # Errors
/// Returns [`Problem::Unexpected`] if the history cannot be read.
pub async fn views(host: &Host) -> Result<Vec<SiteView>, Problem> {
    let mut views = Vec::new();
    for site in host.sites.all() {
        views.push(view(host, site).await?);
    }
    Ok(views)
}

/// Unlocks a read-only site for a quarter of an hour. The reason goes into the history first.
pub async fn unlock_site(host: &Host, site: SiteId, reason: String) -> Result<SiteView, Problem> {
    let site = host.unlock(&site, &reason).await?;
    view(host, site).await
}

/// Locks a read-only site again, before its quarter of an hour is over.
pub async fn lock_site(host: &Host, site: SiteId) -> Result<SiteView, Problem> {
    let site = host.sites.get(&site)?;
    host.locks.lock_again(&site.id);
    view(host, site).await
}

/// The saving itself.
pub async fn save(host: &Host, form: &SiteForm) -> Result<SiteView, Problem> {
    save_with(host, form, Sites::save, None).await
}

/// The same for a site of a profile: nobody typed it, so none of its addresses is confirmed by that.
pub(super) async fn add_from_profile(host: &Host, form: &SiteForm) -> Result<SiteView, Problem> {
    save_with(host, form, Sites::add_unconfirmed, Some("profile")).await
}

/// [`Sites::save`] or [`Sites::add_unconfirmed`].
type Store = fn(&Sites, &SiteForm) -> Result<Site, Problem>;

async fn save_with(
    host: &Host,
    form: &SiteForm,
    store: Store,
    source: Option<&str>,
) -> Result<SiteView, Problem> {
    let before = form.id.as_ref().and_then(|id| host.sites.get(id).ok());
    let drafted = host.sites.draft(form)?;
    protection::may_save(host, &drafted, &form.reason)?;
    let (act, mut parameters) = match &before {
        None => (HistoryAct::AddSite, record::description(&drafted)),
        Some(before) => (HistoryAct::ChangeSite, record::changes(before, &drafted, &form.connection)),
    };
    parameters.extend(source.map(|source| ("siteSource".to_owned(), source.to_owned())));
    let saving = keep(host, before.as_ref(), &drafted, form, store);
    let saved = match before.is_some() && parameters.is_empty() {
        true => saving.await,
        false => {
            record::recorded(host, record::intent(&drafted, act, parameters), form.reason.trim(), saving)
                .await
        }
    };
    let saved = saved?;
    for (before, marked) in protection::to_mark_like(host, &saved) {
        let intent = record::intent(
            &before,
            HistoryAct::ChangeSite,
            record::changes(&before, &marked, &ConnectionForm::default()),
        );
        let marking = async { host.sites.put(marked) };
        record::recorded(host, intent, &saved.name, marking).await?;
    }
    view(host, saved).await
}

async fn keep(
    host: &Host,
    before: Option<&Site>,
    drafted: &Site,
    form: &SiteForm,
    store: Store,
) -> Result<Site, Problem> {
    // A token belongs to the address it was issued at, and must not be sent to another. It goes first: a keyring that
    // refuses leaves the site as it was.
    if let Some(before) = before.filter(|before| !before.is_within(drafted)) {
        host.runs.none_on(&before.id)?;
        forget_tokens(host, before).await?;
    }
    if let Some(before) = before {
        host.connections.keep_to_its_proxy(before, &form.connection).await?;
    }
    // Its secrets are there before it is, and whatever was put together without them is forgotten after. A new site has
    // its name from here on.
    host.connections.keep_passwords(&drafted.id, &form.connection).await?;
    let saved = store(&host.sites, &SiteForm { id: Some(drafted.id.clone()), ..form.clone() });
    if saved.is_err() && before.is_none() {
        host.connections.forget_passwords(&drafted.id).await?;
    }
    let site = saved?;
    host.forget_known(&site.id);
    if before.is_some_and(|before| before.read_only != site.read_only) {
        host.locks.lock_again(&site.id);
    }
    Ok(site)
}

/// The removal itself.
pub async fn remove(host: &Host, site: &SiteId, reason: &str) -> Result<(), Problem> {
    let saved = host.sites.get(site)?;
    protection::may_remove(host, &saved, reason)?;
    host.runs.none_on(site)?;
    let intent = record::intent(&saved, HistoryAct::RemoveSite, record::description(&saved));
    record::recorded(host, intent, reason.trim(), forget(host, &saved)).await
}

async fn forget(host: &Host, saved: &Site) -> Result<(), Problem> {
    let site = &saved.id;
    // First, so that a keyring that refuses leaves the site to try again with.
    forget_tokens(host, saved).await?;
    host.connections.forget_passwords(site).await?;
    host.sites.remove(site)?;
    host.forget_known(site);
    host.uploads.forget_all_of(site);
    // Nobody could reach them any more. The window says so before.
    host.kept.forget_all_of(site);
    host.recent_filters.forget(site);
    Ok(())
}

/// Puts the sites into this order; those that it does not name come after.
pub async fn order_sites(host: &Host, order: Vec<SiteId>) -> Result<Vec<SiteView>, Problem> {
    host.sites.order(&order)?;
    views(host).await
}

/// The choosing itself. Nothing may be running on the site: it would end on another server than it began on.
pub async fn choose(host: &Host, site: &SiteId, server: ServerId) -> Result<SiteView, Problem> {
    let mut site = host.sites.get(site)?;
    host.runs.none_on(&site.id)?;
    if !site.servers.iter().any(|one| one.id == server) {
        return Err(Problem::form("server", Fault::Required));
    }
    site.chosen_server = Some(server);
    host.sites.put(site.clone())?;
    host.forget_known(&site.id);
    view(host, site).await
}

/// The trusting itself.
pub async fn trust(host: &Host, site: &SiteId, pin: &PinView) -> Result<SiteView, Problem> {
    let site = host.sites.get(site)?;
    let is_ours = site.addresses().any(|address| address.origin().ascii_serialization() == pin.origin);
    if !is_ours {
        return Err(Problem::form("origin", Fault::NotAnAddress));
    }
    let parameters =
        vec![("origin".to_owned(), pin.origin.clone()), ("fingerprint".to_owned(), pin.fingerprint.clone())];
    let intent = record::intent(&site, HistoryAct::TrustCertificate, parameters);
    let trusting = async {
        // The site as it is now: it may have been changed while the record was written.
        let mut site = host.sites.get(&site.id)?;
        // One address has one certificate; the one before is no longer trusted.
        site.pins.retain(|other| other.origin != pin.origin);
        site.pins.push(pin.pin());
        host.sites.put(site.clone())?;
        host.forget_known(&site.id);
        Ok(site)
    };
    let site = record::recorded(host, intent, "", trusting).await?;
    view(host, site).await
}

/// The confirming itself. It is kept with the site, for this one origin, and no profile carries it.
pub async fn confirm(host: &Host, site: &SiteId, address: &str) -> Result<SiteView, Problem> {
    let mut site = host.sites.get(site)?;
    let Some(place) = site.addresses().find(|own| own.as_str() == address).map(origin) else {
        return Err(Problem::form("address", Fault::NotAnAddress));
    };
    if !site.confirmed.contains(&place) {
        let parameters = vec![("siteConfirmed".to_owned(), place.clone())];
        let intent = record::intent(&site, HistoryAct::ChangeSite, parameters);
        let confirming = async {
            // The site as it is now: it may have been changed while the record was written.
            site = host.sites.get(&site.id)?;
            site.confirmed.push(place);
            host.sites.put(site.clone())
        };
        record::recorded(host, intent, "", confirming).await?;
    }
    view(host, site).await
}

/// Takes every token of a site out of the keyring, and the password if it was kept. A sign-in that the browser has
/// not come back from ends too: its code is good at this address only.
pub(crate) async fn forget_tokens(host: &Host, site: &Site) -> Result<(), Problem> {
    host.browser.forget(&site.id);
    forget_sign_in(host, &site.id, &TokenFor::Portal).await?;
    for server in &site.servers {
        forget_sign_in(host, &site.id, &TokenFor::Server(server.id.clone())).await?;
    }
    Ok(())
}

/// Takes the token of one area out of the keyring, and its password if it was kept.
pub(crate) async fn forget_sign_in(host: &Host, site: &SiteId, whose: &TokenFor) -> Result<(), Problem> {
    host.sessions.forget(site, whose).await?;
    host.sessions.forget_password(site, whose).await
}

/// A saved site, as the window shows it.
pub async fn view_of(host: &Host, site: &SiteId) -> Result<SiteView, Problem> {
    view(host, host.sites.get(site)?).await
}

/// Returns a site, as the window shows it.
///
/// # Errors
/// Returns [`Problem::Unexpected`] if the history cannot be read.
pub async fn view(host: &Host, site: Site) -> Result<SiteView, Problem> {
    let id = site.id.0.clone();
    let last = host.journal(move |journal| {
        let last = |key: Key| journal.last_success(&id, &[key.name()]);
        Ok((last(Key::ExportPortal)?, last(Key::ExportServer)?))
    });
    let (portal_export, server_export) = last.await?;
    let chosen = site.server().cloned();
    let path =
        |path: Option<std::path::PathBuf>| path.map(|path| path.display().to_string()).unwrap_or_default();
    let pins = site.pins.into_iter().map(|pin| PinView { origin: pin.origin, fingerprint: pin.fingerprint });
    let portal_direct = site.portal.as_ref().and_then(|portal| portal.direct.clone());
    let unlocked_until = host.locks.unlocked_until(&site.id).filter(|_| site.read_only);
    Ok(SiteView {
        id: site.id,
        name: site.name,
        kind: site.kind,
        color: site.color,
        flavour: site.flavour,
        portal: site.portal.map(|portal| portal.address.into()),
        portal_direct: portal_direct.map(String::from),
        server: chosen.as_ref().map(|server| server.address.clone().into()),
        import_address: chosen.as_ref().and_then(SavedServer::direct).cloned().map(String::from),
        chosen_server: chosen.map(|server| server.id),
        servers: site.servers.into_iter().map(server_form).collect(),
        connection: ConnectionView {
            ca_certificate: path(site.ca_certificate),
            client_certificate: path(site.client_certificate),
            pins: pins.collect(),
            route: site.route,
        },
        client_id: site.client_id.unwrap_or_default(),
        username: site.username,
        last_export: portal_export.max(server_export).map(Millis),
        portal_export: portal_export.map(Millis),
        server_export: server_export.map(Millis),
        seen: site.seen,
        read_only: site.read_only,
        unlocked_until,
    })
}

fn server_form(server: SavedServer) -> ServerForm {
    ServerForm {
        id: Some(server.id),
        name: server.name,
        address: server.address.into(),
        public: server.public.map(String::from).unwrap_or_default(),
        direct: server.direct.map(String::from).unwrap_or_default(),
        flavour: server.flavour,
        role: server.role,
    }
}
