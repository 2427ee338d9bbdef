//! What a portal import would do, before it is sent. Nothing is changed.

use serde::Serialize;
use steward_client::{Version, is_this_computer};
use steward_journal::{Filter, Intent, JournalError, StoredRecord};

use crate::files::in_background;
use crate::history::changes_since::{RecordedChanges, since_export};
use crate::history::imports::is_safety_backup;
use crate::history::record::History;
use crate::history::record_target::is_of;
use crate::inventory::portal::PortalInventory;
use crate::inventory::portal_comparison::PortalComparison;
use crate::inventory::stored::INVENTORY;
use crate::model::deployment::Environment;
use crate::model::ids::{RecordId, SiteId, Target};
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::site_context::SiteContext;
use crate::sites::{Site, TargetSite};
use crate::transfers::stored_file::succeeded;

/// Number of known exports that are offered.
const OFFERED: usize = 12;

/// First version whose tokens outlast an hour of an import.
const TOKENS_LAST: Version = Version::new(10, 9);

/// Summary of a portal import, which the user confirms before it is sent.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortalChangeSummary {
    /// Version of the portal; `null` if it is not known.
    pub version: Option<String>,
    /// Effects of the import, in display order.
    pub effects: Vec<PortalImportEffect>,
    /// Exports of this portal in the history, newest first.
    pub exports: Vec<KnownPortalExport>,
}

/// Effect of a portal import. The text is in the window's message catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum PortalImportEffect {
    /// Content, users, groups, and settings are replaced.
    ReplacesEverything,
    /// All sessions might end, also that of this app.
    SessionsEnd,
    /// The documents require the same version, URLs, and operating system type as those of the portal that wrote the file.
    SameEnvironment,
    /// Servers that were federated or removed since the export do not match the portal.
    Federation,
    /// Hosted services that are newer than the export have no item afterwards.
    HostedServices,
    /// Backup plans of the site wait until the outcome is known.
    PlansWait,
    /// The portal indexes its content again.
    IndexedAgain,
    /// The import can run for a long time.
    MayTakeLong,
    /// The token that is used for the import is valid for one hour only, even if a longer one was requested.
    TokenOfAnHour,
}

/// Export of a portal in the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct KnownPortalExport {
    /// Record of the export.
    pub record: RecordId,
    /// Path of the file, as the portal returned it.
    pub location: String,
    /// Time when it was written.
    pub at: Millis,
    /// Version of the portal that wrote it; empty if it is not known.
    pub version: String,
    /// Number of items; `null` if they were not counted.
    pub items: Option<u32>,
    /// Size of the file; `null` if this computer cannot access it.
    pub size: Option<Bytes>,
    /// Whether it is a safety backup.
    pub is_safety_backup: bool,
}

/// Comparison of a portal with an export that is to be imported.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortalExportComparison {
    /// Version of the portal that wrote the export; `null` if the history does not contain it.
    pub export_version: Option<String>,
    /// Version of the portal; `null` if it is not known.
    pub portal_version: Option<String>,
    /// URL of the portal that wrote the export; left out if it is a URL of this portal, or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_url: Option<String>,
    /// Name of the site whose portal wrote the export; left out if it is this site, or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_site: Option<String>,
    /// Current content of the portal.
    pub inventory: PortalInventory,
    /// Differences; `null` if the content of the export is not known.
    pub comparison: Option<PortalComparison>,
    /// Changes that were made to the portal with this app after the export; empty if the export is not known.
    pub changes: RecordedChanges,
}

/// An export that a portal wrote, and what was counted then.
pub(crate) struct WrittenExport {
    pub(crate) version: String,
    pub(crate) at: Millis,
    /// URL of the portal that it was sent to; empty if it is not known.
    pub(crate) url: String,
    /// Name of the site of that portal; `None` if it is the given site.
    pub(crate) other_site: Option<String>,
    pub(crate) inventory: Option<PortalInventory>,
}

/// Returns what an import of a portal would do, and the exports that can be imported.
///
/// # Errors
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be read.
/// - Those of [`Access::known`](crate::access::Access::known).
pub async fn change_summary(context: &SiteContext, site: &SiteId) -> Result<PortalChangeSummary, Problem> {
    let portal = context.access.sites.at(&Target::portal(site.clone()))?;
    let version = context.access.known(&portal).await?.portal_version;
    let mut effects = vec![
        PortalImportEffect::ReplacesEverything,
        PortalImportEffect::SameEnvironment,
        PortalImportEffect::SessionsEnd,
        PortalImportEffect::Federation,
        PortalImportEffect::HostedServices,
        PortalImportEffect::PlansWait,
        PortalImportEffect::IndexedAgain,
        PortalImportEffect::MayTakeLong,
    ];
    if version.is_none_or(|version| version < TOKENS_LAST) {
        effects.push(PortalImportEffect::TokenOfAnHour);
    }
    let is_here = portal.portal.as_ref().is_some_and(|portal| is_this_computer(&portal.address));
    Ok(PortalChangeSummary {
        version: version.map(|version| version.to_string()),
        effects,
        exports: known_exports(&context.history, &portal, is_here).await?,
    })
}

/// Compares a portal with an export at a path. The content of the export is that of its record: only the portal can
/// read the file.
///
/// # Errors
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be read.
/// - Those of [`Access::known`](crate::access::Access::known) and [`Access::portal`](crate::access::Access::portal), and
///   another problem of the client if the portal does not name the signed-in user.
pub async fn compare(
    context: &SiteContext,
    site: &SiteId,
    location: &str,
) -> Result<PortalExportComparison, Problem> {
    let saved = context.access.sites.at(&Target::portal(site.clone()))?;
    let known = context.access.known(&saved).await?;
    let export = written_to(&context.history, site, location).await?;
    let portal = context.access.portal(&saved).await?;
    let taken = PortalInventory::take(&portal).await;
    let inventory = taken.map_err(|error| Problem::from_client(&error, &saved.id))?;
    let changes = match &export {
        Some(export) if export.other_site.is_none() => {
            since_export(&context.access.sites, &context.history, &saved, export.at).await?
        }
        Some(_) | None => RecordedChanges::default(),
    };
    let content = export.as_ref().and_then(|export| export.inventory.as_ref());
    let other_url = export.as_ref().map(|export| export.url.clone());
    let comparison = content.map(|content| PortalComparison::of(&inventory, content));
    let other_site = export.as_ref().and_then(|export| export.other_site.clone());
    Ok(PortalExportComparison {
        export_version: export.map(|export| export.version).filter(|version| !version.is_empty()),
        portal_version: known.portal_version.map(|version| version.to_string()),
        other_url: other_url.filter(|url| !url.is_empty() && !is_own(&saved, url)),
        other_site,
        inventory,
        comparison,
        changes,
    })
}

/// Returns the newest export that the portal wrote to a path, or else that of another portal, for example of the one whose backup set
/// is rehearsed here; `None` if the history knows none.
pub(crate) async fn written_to(
    history: &History,
    site: &SiteId,
    location: &str,
) -> Result<Option<WrittenExport>, Problem> {
    written_before(history, site, location, None).await
}

/// Returns the export as [`written_to`] does, but none that began after `time`, if one is given: it could have
/// overwritten the file.
pub(super) async fn written_before(
    history: &History,
    site: &SiteId,
    location: &str,
    time: Option<Millis>,
) -> Result<Option<WrittenExport>, Problem> {
    let (site, location) = (site.0.clone(), location.to_owned());
    history
        .journal(move |journal| {
            let exports = succeeded(&site, OperationKey::ExportPortal.name());
            let own = Filter { to: time.map(|time| time.0), ..exports };
            let of_all = Filter { site: None, ..own.clone() };
            let newest = |filter: &Filter| -> Result<_, JournalError> {
                let exports = journal.records(filter)?;
                Ok(exports.into_iter().find(|export| path_of(export) == Some(&location)))
            };
            let export = match newest(&own)? {
                None => newest(&of_all)?,
                found => found,
            };
            let Some(export) = export else { return Ok(None) };
            let is_other = export.intent.site != site;
            let inventory = journal.report_field(&export.id, INVENTORY)?;
            Ok(Some(WrittenExport {
                at: ended_at(&export),
                url: portal_of(&export.intent),
                other_site: is_other.then_some(export.intent.site_name),
                version: export.intent.site_version,
                inventory: inventory.and_then(|inventory| inventory.read().ok()),
            }))
        })
        .await
}

async fn known_exports(
    history: &History,
    portal: &TargetSite,
    is_here: bool,
) -> Result<Vec<KnownPortalExport>, Problem> {
    let portal = portal.clone();
    let mut known = history
        .journal(move |journal| {
            let exports = journal.records(&succeeded(&portal.id.0, OperationKey::ExportPortal.name()))?;
            let mut known = Vec::new();
            for export in exports.into_iter().filter(|export| is_of(&portal, &export.intent)) {
                let Some(location) = path_of(&export).map(str::to_owned) else { continue };
                let inventory = journal.report_field(&export.id, INVENTORY)?;
                let inventory = inventory.and_then(|one| one.read::<PortalInventory>().ok());
                known.push(KnownPortalExport {
                    at: ended_at(&export),
                    location,
                    is_safety_backup: is_safety_backup(&export.intent),
                    version: export.intent.site_version,
                    items: inventory.and_then(|inventory| inventory.items),
                    size: None,
                    record: RecordId(export.id),
                });
                if known.len() == OFFERED {
                    break;
                }
            }
            Ok(known)
        })
        .await?;
    if is_here {
        known = in_background(move || {
            for export in &mut known {
                let file = std::fs::metadata(&export.location).ok().filter(std::fs::Metadata::is_file);
                export.size = file.map(|file| Bytes(file.len()));
            }
            known
        })
        .await?;
    }
    Ok(known)
}

/// Returns whether a URL is one of the portal of a site. The practice site has another port each time.
fn is_own(site: &Site, url: &str) -> bool {
    let mut own = site.portal.iter().flat_map(|own| [Some(&own.address), own.admin_url()]).flatten();
    site.environment == Environment::Practice || own.any(|own| is_same(own.as_str(), url))
}

/// Returns the URL of the portal that a request was sent to; empty if the record has none.
fn portal_of(intent: &Intent) -> String {
    let url = intent.sent_to();
    url.split("/portaladmin/").next().filter(|root| *root != url).unwrap_or_default().to_owned()
}

/// Returns whether two URLs are one but for letter case and a slash at the end.
fn is_same(one: &str, other: &str) -> bool {
    one.trim_end_matches('/').eq_ignore_ascii_case(other.trim_end_matches('/'))
}

/// Returns the path that a portal returned for an export; `None` if it returned none.
pub fn path_of(export: &StoredRecord) -> Option<&str> {
    export.facts.site_path.as_deref()
}

fn ended_at(record: &StoredRecord) -> Millis {
    Millis(record.ended_at.unwrap_or(record.intent.started_at))
}
