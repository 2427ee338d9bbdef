//! 3 Server import: replaces the whole server site.

pub mod safety_backup;

use serde::{Deserialize, Serialize};
use steward_client::operations::import_server as wire;
use steward_client::{ServerFlavour, listing};
use steward_journal::Outcome;

use crate::execution::{Answer, History, Task};
use crate::history::imports::{UNDOES, WAY_BACK};
use crate::history::same_site::must_be_here;
use crate::host::Host;
use crate::model::export_outcome::LeftOut;
use crate::model::ids::SiteId;
use crate::model::import_report::ImportReport;
use crate::model::import_report::WayBack;
use crate::model::operation::Operation;
use crate::model::problem::{Declined, Fault, Problem};
use crate::model::run_result::{Ended, RecordId};
use crate::operations::import_server::safety_backup::{Packed, Parachute};
use crate::runs::{Run, RunId, RunStep};
use crate::sites::Site;
use crate::sites::confirmation;
use crate::transfers::export_download;

/// Its descriptor.
pub const OPERATION: Operation = Operation::IMPORT_SERVER;

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
    /// What an export does not contain, and must be kept and brought back by hand.
    pub left_out: Vec<LeftOut>,
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
    /// What to keep before; `null` to import without a way back.
    pub parachute: Option<Parachute>,
}

/// Says what an import is about to do, without doing it.
pub async fn brief_import(host: &Host, site: SiteId) -> Result<ImportBriefing, Problem> {
    let site = host.sites.get(&site)?;
    let server = host.server(&site).await?;
    let services = listing::service_count(&server).await.ok();
    Ok(ImportBriefing {
        confirm_by_typing: confirmation::for_import(&site).to_owned(),
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
        left_out: LeftOut::ALL.to_vec(),
    })
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
    confirmation::check(&form.confirmation, confirmation::for_import(&saved))?;
    host.may_write(&saved)?;
    // Asked first: an export may end at night, when nobody is there to answer a dialog.
    let place = match &form.parachute {
        Some(Parachute { also_here: true }) => match export_download::ask_place(host, &saved.name).await? {
            Some(place) => Some(place),
            None => return Ok(Ended::Dismissed),
        },
        _ => None,
    };
    let (saved, run) = Task::admit(host, &OPERATION, site, run)?;
    let parameters = vec![("location", location.to_owned())];
    let note = location.to_owned();
    match form.parachute {
        None => import(host, saved, run, parameters, note, None).await,
        Some(_) => {
            let begun_as = host.turn(&saved, OPERATION.area);
            let locked = host.locks.times_locked(site);
            let way_back = match Parachute::pack(host, saved.clone(), &run, place).await? {
                Packed::Ready(way_back) => way_back,
                Packed::Stopped(backup) => return Ok(not_sent(host, &saved, &run, parameters, backup).await),
            };
            // That may have taken hours. An unlock need not last so long; a mark that was set since is meant.
            let is_read_only = host.sites.get(site)?.read_only;
            if is_read_only && !saved.read_only {
                return Err(Problem::ReadOnly { site: site.clone() });
            }
            if is_read_only && host.locks.times_locked(site) != locked {
                return Err(Problem::declined(Declined::LockedMeanwhile));
            }
            host.is_still_signed_in(&saved, OPERATION.area, begun_as)?;
            run.step(RunStep::Preparing);
            import(host, saved, run, parameters, note, Some(way_back)).await
        }
    }
}

/// The way back. What it needs stands in the import's record since before the import was sent, so that it is there
/// after a lost answer and after a crash.
pub async fn undo(
    host: &Host,
    site: &SiteId,
    run: RunId,
    record: RecordId,
    typed: &str,
) -> Result<Ended<ImportReport>, Problem> {
    let saved = host.sites.get(site)?;
    confirmation::check(typed, confirmation::for_import(&saved))?;
    let id = record.0.clone();
    let import_to_undo = host.journal(move |journal| journal.whole(&id)).await?.record.intent;
    let kept = |name: &str| {
        let found = import_to_undo.parameters.iter().find(|(given, _)| given == name);
        found.map(|(_, value)| value.clone())
    };
    let ours = import_to_undo.operation == OPERATION.key.name() && import_to_undo.site == site.0;
    let upload = kept(WAY_BACK).filter(|_| ours).ok_or_else(|| Problem::Unexpected {
        message: "this record is no import of this site with a way back".to_owned(),
    })?;
    let (saved, run) = Task::admit(host, &OPERATION, site, run)?;
    must_be_here(&saved, &import_to_undo)?;
    let parameters = vec![("location", upload.clone()), (UNDOES, record.0)];
    let uploads = async {
        let server = host.server(&saved).await?;
        listing::uploads(&server).await.map_err(|error| Problem::from_client(&error, site))
    };
    let Some(uploads) = run.unless_stopped(uploads).await else {
        return Ok(not_sent(host, &saved, &run, parameters, None).await);
    };
    let uploads = uploads?;
    let Some(stored) = uploads.into_iter().find(|stored| stored.id == upload) else {
        return Err(Problem::WayBackGone { local: kept(SAVED_AS) });
    };
    let note = if stored.name.is_empty() { upload.clone() } else { format!("{} ({upload})", stored.name) };
    import(host, saved, run, parameters, note, None).await
}

/// Records an import that was stopped before it was sent; `backup` is the record of the export that was begun before.
async fn not_sent(
    host: &Host,
    site: &Site,
    run: &Run,
    parameters: Vec<(&'static str, String)>,
    backup: Option<RecordId>,
) -> Ended<ImportReport> {
    let end = Task::stopped_early(host, &OPERATION, site, run, History::Record(parameters)).await;
    with_backup(end, backup, false)
}

fn with_backup(end: Ended<ImportReport>, backup: Option<RecordId>, can_undo: bool) -> Ended<ImportReport> {
    match end {
        Ended::NotSent { record, .. } => Ended::NotSent { record, backup },
        Ended::Unknown { record, stopped, problem, .. } => {
            Ended::Unknown { record, stopped, problem, can_undo }
        }
        end => end,
    }
}

const SAVED_AS: &str = "wayBackSavedAs";

async fn import(
    host: &Host,
    site: Site,
    run: Run,
    mut parameters: Vec<(&'static str, String)>,
    note: String,
    way_back: Option<WayBack>,
) -> Result<Ended<ImportReport>, Problem> {
    let location = parameters.first().map(|(_, location)| location.clone()).unwrap_or_default();
    if let Some(way_back) = &way_back {
        parameters.push((WAY_BACK, way_back.upload.clone()));
        parameters.extend(way_back.saved.iter().map(|file| (SAVED_AS, file.path.clone())));
    }
    let can_undo = way_back.is_some();
    let backup = way_back.as_ref().and_then(|way_back| way_back.record.clone());
    let flavour = site.server().map_or(ServerFlavour::Gis, |server| server.flavour.clone().into());
    let request = wire::ImportServer { location, flavour };
    let task = match Task::within(host, &OPERATION, site, run, History::Record(parameters)).await? {
        Answer::Came(task) => task,
        Answer::Lost(end) => return Ok(with_backup(end, backup, can_undo)),
    };
    let reply = match task.answer(request.send(&task.area)).await {
        Ok(Answer::Came(reply)) => reply,
        Ok(Answer::Lost(end)) => return Ok(with_backup(end, backup, can_undo)),
        // A server that accepts the request and then fails returns 500, at whichever step that was.
        Err(cause @ Problem::Refused { code, .. })
            if !code.is_some_and(|code| (400..500).contains(&code)) =>
        {
            return Err(Problem::ImportFailed { cause: Box::new(cause), record: task.record(), can_undo });
        }
        // Words about a web adaptor may also come from an import that had begun.
        Err(cause @ Problem::InFront { .. }) if can_undo => {
            return Err(Problem::ImportFailed { cause: Box::new(cause), record: task.record(), can_undo });
        }
        Err(problem) => return Err(problem),
    };
    let says_success = reply.says_success();
    let report = ImportReport { way_back, ..ImportReport::of(reply) };
    let outcome = match (says_success, report.is_clean()) {
        (false, _) => Outcome::Failed,
        (true, false) => Outcome::Warnings,
        (true, true) => Outcome::Succeeded,
    };
    // The site keeps no copy of its report.
    let kept = serde_json::to_value(&report).ok();
    task.conclude(outcome, with_failed(&report, note), kept).await;
    Ok(task.done(report))
}

/// So many services are named in the history's list, which shows one line; the report names them all.
const NAMED: usize = 3;

/// What did not start, before `note`: it matters more than where the file lay.
fn with_failed(report: &ImportReport, note: String) -> String {
    let mut names: Vec<&str> = report.failed_services().map(|service| service.service.as_str()).collect();
    if names.is_empty() {
        return note;
    }
    if names.len() > NAMED {
        names.truncate(NAMED);
        names.push("…");
    }
    format!("{} · {note}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::import_report::{ReportCounts, ReportMessage, ReportSource, ServiceStart};

    fn with_failed_services(names: &[&str]) -> ImportReport {
        let failed = |name: &&str| ReportMessage {
            level: "WARNING".to_owned(),
            message: String::new(),
            service: Some(ServiceStart {
                service: (*name).to_owned(),
                state: "FAILED".to_owned(),
                message: String::new(),
                machines: Vec::new(),
            }),
        };
        let messages = names.iter().map(failed).collect();
        ImportReport {
            status: "success".to_owned(),
            counts: ReportCounts::default(),
            sources: vec![ReportSource { source: "Services".to_owned(), messages }],
            way_back: None,
        }
    }

    #[test]
    fn the_history_names_what_did_not_start_and_a_whole_site_that_is_down_stays_one_line() {
        let note = |names: &[&str]| with_failed(&with_failed_services(names), "site.agssite".to_owned());
        assert_eq!(note(&[]), "site.agssite");
        assert_eq!(note(&["a", "b", "c"]), "a, b, c · site.agssite");
        assert_eq!(note(&["a", "b", "c", "d", "e"]), "a, b, c, … · site.agssite");
    }
}
