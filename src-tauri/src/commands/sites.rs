//! Commands for saved sites.

use steward_core::actions::certificate_files;
use steward_core::actions::sites::{self, SiteView};
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::problem::Problem;
use steward_core::sites::{SiteForm, TrustedCertificateView};
use steward_core::steward::Steward;
use tauri::State;

/// Returns all saved sites.
///
/// # Errors
/// Those of [`sites::views`].
#[tauri::command]
#[specta::specta]
pub async fn list_sites(steward: State<'_, Steward>) -> Result<Vec<SiteView>, Problem> {
    sites::views(&steward.context).await
}

/// Adds or changes a site.
///
/// # Errors
/// Those of [`certificate_files::check`] and [`sites::save`].
#[tauri::command]
#[specta::specta]
pub async fn save_site(steward: State<'_, Steward>, form: SiteForm) -> Result<SiteView, Problem> {
    let Steward { context, preferences, dialogs, .. } = &*steward;
    let (saved, program) = (&context.access.sites, preferences.get().connection);
    certificate_files::check(saved, form.id.as_ref(), &program, dialogs, &form.connection)?;
    sites::save(context, &form).await
}

/// Unlocks a read-only site for 15 minutes. The reason is recorded in the history first.
///
/// # Errors
/// Those of [`sites::unlock_site`].
#[tauri::command]
#[specta::specta]
pub async fn unlock_site(
    steward: State<'_, Steward>,
    site: SiteId,
    reason: String,
) -> Result<SiteView, Problem> {
    sites::unlock_site(&steward.context, site, reason).await
}

/// Locks a read-only site before its unlock ends.
///
/// # Errors
/// Those of [`sites::lock_site`].
#[tauri::command]
#[specta::specta]
pub async fn lock_site(steward: State<'_, Steward>, site: SiteId) -> Result<SiteView, Problem> {
    sites::lock_site(&steward.context, site).await
}

/// Removes a site with its tokens, passwords, and unsaved invitations. Its history remains. A production site requires
/// a reason, and a read-only site an unlock.
///
/// # Errors
/// Those of [`sites::remove`].
#[tauri::command]
#[specta::specta]
pub async fn remove_site(steward: State<'_, Steward>, site: SiteId, reason: String) -> Result<(), Problem> {
    sites::remove(&steward.context, &site, &reason).await
}

/// Stores the order of the sites. Sites that `order` does not contain come last.
///
/// # Errors
/// Those of [`sites::order_sites`].
#[tauri::command]
#[specta::specta]
pub async fn order_sites(steward: State<'_, Steward>, order: Vec<SiteId>) -> Result<Vec<SiteView>, Problem> {
    sites::order_sites(&steward.context, order).await
}

/// Sets the server that the forms of a site begin with.
///
/// # Errors
/// Those of [`sites::choose`].
#[tauri::command]
#[specta::specta]
pub async fn choose_server(
    steward: State<'_, Steward>,
    site: SiteId,
    server: ServerId,
) -> Result<SiteView, Problem> {
    sites::choose(&steward.context, &site, server).await
}

/// Trusts a certificate for one origin of a site.
///
/// # Errors
/// Those of [`sites::trust`].
#[tauri::command]
#[specta::specta]
pub async fn trust_certificate(
    steward: State<'_, Steward>,
    site: SiteId,
    certificate: TrustedCertificateView,
) -> Result<SiteView, Problem> {
    sites::trust(&steward.context, &site, &certificate).await
}

/// Confirms that an address is part of a site, so that credentials may be sent there.
///
/// # Errors
/// Those of [`sites::confirm`].
#[tauri::command]
#[specta::specta]
pub async fn confirm_address(
    steward: State<'_, Steward>,
    site: SiteId,
    address: String,
) -> Result<SiteView, Problem> {
    sites::confirm(&steward.context, &site, &address).await
}
