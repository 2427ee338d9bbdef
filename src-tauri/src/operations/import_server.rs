//! 3 Server import: replaces the whole server site.

use serde::{Deserialize, Serialize};
use steward_client::operations::import_server as wire;
use steward_client::{ServerFlavour, listing};
use steward_journal::Outcome;
use tauri::State;

use super::{Area, Harm, Key, Operation, Patience};
use crate::host::Host;
use crate::problem::{Fault, Problem};
use crate::runs::RunId;
use crate::sites::{Site, SiteId, SiteKind};
use crate::task::{Answer, History, Task};
use crate::views::ended::Ended;
use crate::views::import_report::ImportReport;

/// Its descriptor.
pub const OPERATION: Operation =
    Operation { key: Key::ImportServer, area: Area::Server, harm: Harm::Replaces, patience: Patience::Hours };

/// What the person must agree to before the import is sent.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportBriefing {
    /// The site that will be overwritten, as the person named it.
    pub site: String,
    /// Text the person has to type to continue. Empty on the practice site.
    pub confirm_by_typing: String,
    /// Services that run now and will be replaced; `null` when the server does not say.
    pub services: Option<u32>,
    /// Facts from the specification that are about to matter, in the order to show them.
    pub cautions: Vec<ImportCaution>,
}

/// A fact about imports. The words are in the window's message catalogue.
#[derive(Debug, Clone, Copy, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ImportCaution {
    /// All configuration is replaced.
    ReplacesEverything,
    /// The recorded directories must exist.
    DirectoriesMustExist,
    /// Name and password of the primary site administrator stay as they are.
    PrimaryAdministratorStays,
    /// Web adaptors must be registered again.
    WebAdaptorsAgain,
    /// It may take hours.
    MayTakeLong,
    /// Caches, uncopied data, logs and statistics are not in an export.
    ExcludedFromExport,
}

/// What the person fills in.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportServerForm {
    /// Path on the server, or identifier of a stored upload.
    pub location: String,
    /// The name of the site, typed.
    pub confirmation: String,
}

/// Says what an import is about to do, without doing it.
#[tauri::command]
#[specta::specta]
pub async fn brief_import(host: State<'_, Host>, site: SiteId) -> Result<ImportBriefing, Problem> {
    let site = host.sites.get(&site)?;
    let server = host.server(&site).await?;
    let services = listing::service_count(&server).await.ok();
    Ok(ImportBriefing {
        confirm_by_typing: confirm_by_typing(&site).to_owned(),
        site: site.name,
        services,
        cautions: vec![
            ImportCaution::ReplacesEverything,
            ImportCaution::DirectoriesMustExist,
            ImportCaution::PrimaryAdministratorStays,
            ImportCaution::ExcludedFromExport,
            ImportCaution::WebAdaptorsAgain,
            ImportCaution::MayTakeLong,
        ],
    })
}

/// Replaces the configuration of a server.
#[tauri::command]
#[specta::specta]
pub async fn import_server(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    form: ImportServerForm,
) -> Result<Ended<ImportReport>, Problem> {
    perform(&host, &site, run, form).await
}

/// The operation itself.
pub async fn perform(
    host: &Host,
    site: &SiteId,
    run: RunId,
    form: ImportServerForm,
) -> Result<Ended<ImportReport>, Problem> {
    let location = form.location.trim();
    if location.is_empty() {
        return Err(Problem::form("location", Fault::Required));
    }
    let saved = host.sites.get(site)?;
    if form.confirmation.trim() != confirm_by_typing(&saved) {
        return Err(Problem::form("confirmation", Fault::NotTheSitesName));
    }
    let flavour = saved.server().map_or(ServerFlavour::Gis, |server| server.flavour.clone().into());
    let request = wire::ImportServer { location: location.to_owned(), flavour };
    let parameters = vec![("location", request.location.clone())];

    let task = Task::begin(host, &OPERATION, site, run, History::Record(parameters)).await?;
    let reply = match task.answer(request.send(&task.area)).await? {
        Answer::Came(reply) => reply,
        Answer::Lost(end) => return Ok(end),
    };
    let report = ImportReport::of(reply);
    let outcome = if report.is_clean() { Outcome::Succeeded } else { Outcome::Warnings };
    // The site keeps no copy of its report.
    let kept = serde_json::to_value(&report).ok();
    task.conclude(outcome, request.location.clone(), kept).await;
    Ok(task.done(report))
}

/// The practice site is there to be replaced; any other is named by hand.
fn confirm_by_typing(site: &Site) -> &str {
    if site.kind == SiteKind::Practice { "" } else { site.name.trim() }
}
