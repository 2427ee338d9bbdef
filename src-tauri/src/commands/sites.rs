//! The saved sites.

use serde::Serialize;
use tauri::State;

use crate::host::{Host, TokenFor};
use crate::operations::Key;
use crate::problem::Problem;
use crate::sites::{Site, SiteColor, SiteForm, SiteId, SiteKind};
use crate::views::numbers::Millis;

/// A saved site, as the window shows it.
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
    /// Address of the portal.
    pub portal: Option<String>,
    /// Address of the server.
    pub server: Option<String>,
    /// Path of the CA certificate trusted beside the system's.
    pub ca_certificate: Option<String>,
    /// Who signed in last.
    pub username: Option<String>,
    /// When the last export of either kind succeeded.
    pub last_export: Option<Millis>,
    /// Whether every change is refused until somebody unlocks it with a reason.
    pub read_only: bool,
    /// Until when it is unlocked; `null` when it is locked, or not read-only.
    pub unlocked_until: Option<Millis>,
}

/// All saved sites.
#[tauri::command]
#[specta::specta]
pub async fn list_sites(host: State<'_, Host>) -> Result<Vec<SiteView>, Problem> {
    let mut views = Vec::new();
    for site in host.sites.all() {
        views.push(view(&host, site).await?);
    }
    Ok(views)
}

/// Adds a site, or changes one.
#[tauri::command]
#[specta::specta]
pub async fn save_site(host: State<'_, Host>, form: SiteForm) -> Result<SiteView, Problem> {
    save(&host, form).await
}

/// Adds a site, or changes one.
pub async fn save(host: &Host, form: SiteForm) -> Result<SiteView, Problem> {
    let before = form.id.as_ref().and_then(|id| host.sites.get(id).ok());
    // Otherwise taking the mark away would be the unlock that needs no reason.
    if let Some(before) = before.as_ref().filter(|before| before.read_only && !form.read_only) {
        host.may_write(before)?;
    }
    let site = host.sites.save(&form)?;
    host.forget_known(&site.id);
    if before.as_ref().is_some_and(|before| before.read_only != site.read_only) {
        host.locks.lock_again(&site.id);
    }
    // A token belongs to the address it was issued at, and must not be sent to another.
    let moved = before.is_some_and(|before| before.portal != site.portal || before.server != site.server);
    if moved {
        forget_tokens(host, &site.id).await?;
    }
    view(host, site).await
}

/// Unlocks a read-only site for a quarter of an hour. The reason goes into the history first.
#[tauri::command]
#[specta::specta]
pub async fn unlock_site(host: State<'_, Host>, site: SiteId, reason: String) -> Result<SiteView, Problem> {
    let site = host.unlock(&site, &reason).await?;
    view(&host, site).await
}

/// Locks a read-only site again, before its quarter of an hour is over.
#[tauri::command]
#[specta::specta]
pub async fn lock_site(host: State<'_, Host>, site: SiteId) -> Result<SiteView, Problem> {
    let site = host.sites.get(&site)?;
    host.locks.lock_again(&site.id);
    view(&host, site).await
}

/// Forgets a site and its tokens. Its history stays.
#[tauri::command]
#[specta::specta]
pub async fn remove_site(host: State<'_, Host>, site: SiteId) -> Result<(), Problem> {
    // First, so that a keyring that refuses leaves the site to try again with.
    forget_tokens(&host, &site).await?;
    host.forget_known(&site);
    host.sites.remove(&site)
}

pub(crate) async fn forget_tokens(host: &Host, site: &SiteId) -> Result<(), Problem> {
    host.forget_token(site, TokenFor::Portal).await?;
    host.forget_token(site, TokenFor::Server).await
}

pub(crate) async fn view(host: &Host, site: Site) -> Result<SiteView, Problem> {
    let id = site.id.0.clone();
    let exports = [Key::ExportPortal.name(), Key::ExportServer.name()];
    let last_export = host.journal(move |journal| journal.last_success(&id, &exports)).await?;
    let unlocked_until = host.locks.unlocked_until(&site.id).filter(|_| site.read_only);
    Ok(SiteView {
        id: site.id,
        name: site.name,
        kind: site.kind,
        color: site.color,
        portal: site.portal.map(String::from),
        server: site.server.map(String::from),
        ca_certificate: site.ca_certificate.map(|path| path.display().to_string()),
        username: site.username,
        last_export: last_export.map(Millis),
        read_only: site.read_only,
        unlocked_until,
    })
}
