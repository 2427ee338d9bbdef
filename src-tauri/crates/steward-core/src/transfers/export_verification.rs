//! Verification of server exports on this computer, and its results in the history.
//!
//! [`verify`] reads a file, [`add_to_record`] stores the result, and [`export_state`] returns the last one.

use std::path::Path;

use steward_journal::{Conclusion, Journal, JournalError, Outcome, StoredRecord};

use crate::files::archive_check;
use crate::history::parameters::DESTINATION;
use crate::history::same_site::must_be_here;
use crate::model::deployment::Environment;
use crate::model::export_verification::{ArchiveFault, ExportState, ExportVerification, Rehearsal};
use crate::model::history_key::UPLOAD;
use crate::model::ids::SiteId;
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::model::saved_file::SavedFile;
use crate::site_context::SiteContext;
use crate::sites::Site;
use crate::transfers::stored_file::{given, succeeded};

/// Field of a record's report that contains the verification.
pub(crate) const FIELD: &str = "verification";

/// Earlier exports that the size of a file is compared with.
const EARLIER: usize = 5;

/// Reads the export file at `path` completely, and compares its entries with their checksums and its size with earlier exports.
pub(crate) async fn verify(
    context: &SiteContext,
    site: &Site,
    path: &Path,
    file: &SavedFile,
) -> ExportVerification {
    let (path, looked_at) = (path.to_owned(), file.clone());
    let read = tokio::task::spawn_blocking(move || archive_check::verify(&path, &looked_at)).await;
    let (archive, fault) = match read {
        Ok(Ok(Ok(archive))) => (Some(archive), None),
        Ok(Ok(Err(fault))) => (None, Some(fault)),
        Ok(Err(error)) => {
            tracing::warn!(%error, "an export cannot be read for its verification");
            (None, Some(ArchiveFault::Unread))
        }
        Err(error) => {
            tracing::error!(%error, "the verification of an export ended early");
            (None, Some(ArchiveFault::Unread))
        }
    };
    let at = site.clone();
    let earlier = context.history.journal(move |journal| verifications(journal, &at, EARLIER)).await;
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    ExportVerification {
        size: file.size,
        entries: archive.map_or(0, |archive| small(archive.entries)),
        unverified_entries: archive.map_or(0, |archive| small(archive.unverified)),
        fault,
        usual_size: median(earlier.unwrap_or_default().into_iter().map(|(_, one)| one.size.0).collect()),
    }
}

/// Adds the verification of a file to the record of its export, which ends with warnings if the file has a fault. A
/// failure is only logged: the user sees the verification.
pub(crate) async fn add_to_record(
    context: &SiteContext,
    site: &Site,
    location: &str,
    verification: &ExportVerification,
) {
    let (site, location, verification) = (site.clone(), location.to_owned(), verification.clone());
    let added = context.history.journal(move |journal| {
        for export in exports(journal, &site)? {
            if !journal.response_contains(&export.id, &location)? {
                continue;
            }
            let mut report = journal.report(&export.id)?.unwrap_or_default();
            report[FIELD] = serde_json::to_value(&verification).unwrap_or_default();
            let outcome = if verification.fault.is_some() { Outcome::Warnings } else { export.outcome };
            let conclusion = Conclusion {
                outcome,
                note: export.note,
                response: None,
                report: Some(report),
                ended_at: export.ended_at.unwrap_or(export.intent.started_at),
                elapsed: export.elapsed.unwrap_or_default(),
            };
            return journal.conclude(&export.id, &conclusion).map(|()| true);
        }
        Ok(false)
    });
    match added.await {
        Ok(true) => {}
        Ok(false) => tracing::warn!("the export of a verified file has no record"),
        Err(problem) => tracing::warn!(?problem, "cannot add the verification to the record of its export"),
    }
}

/// Returns the last verified server export of a site, and its last import into a test or practice site, from the
/// history.
///
/// # Errors
/// [`Problem::Unexpected`] if the site is not saved, or the history cannot be read.
pub async fn export_state(context: &SiteContext, site: &SiteId) -> Result<ExportState, Problem> {
    let (site, all) = (context.access.sites.get(site)?, context.access.sites.all());
    let is_for_tests = |one: &Site| matches!(one.environment, Environment::Test | Environment::Practice);
    let others: Vec<_> = all.into_iter().filter(|one| one.id != site.id && is_for_tests(one)).collect();
    context
        .history
        .journal(move |journal| {
            let verified = verifications(journal, &site, 1)?.first().map(|(at, _)| *at);
            Ok(ExportState { verified, rehearsed: last_rehearsal(journal, &site, &others)? })
        })
        .await
}

/// Returns the newest verifications of complete files, at most `most`, with the times of the exports.
fn verifications(
    journal: &Journal,
    site: &Site,
    most: usize,
) -> Result<Vec<(Millis, ExportVerification)>, JournalError> {
    let mut found = Vec::new();
    // An export in a folder of the server was never on this computer.
    let was_here = |export: &StoredRecord| {
        export.has_report && given(&export.intent.parameters, "location").is_none_or(|path| path.is_empty())
    };
    for export in exports(journal, site)?.filter(was_here) {
        let kept = journal.report_field(&export.id, FIELD)?;
        let kept = kept.and_then(|kept| serde_json::from_value::<ExportVerification>(kept).ok());
        if let Some(whole) = kept.filter(|kept| kept.fault.is_none()) {
            found.push((ended_at(&export), whole));
            if found.len() == most {
                break;
            }
        }
    }
    Ok(found)
}

/// Returns the exports of the current server, newest first.
fn exports(
    journal: &Journal,
    site: &Site,
) -> Result<impl Iterator<Item = StoredRecord> + use<>, JournalError> {
    let records = journal.records(&succeeded(&site.id.0, OperationKey::ExportServer.name()))?;
    let site = site.clone();
    Ok(records.into_iter().filter(move |record| must_be_here(&site, &record.intent).is_ok()))
}

/// Returns the last import of a file that this app exported from `site`, into one of the `others`. The files are
/// compared by their paths on this computer.
fn last_rehearsal(
    journal: &Journal,
    site: &Site,
    others: &[Site],
) -> Result<Option<Rehearsal>, JournalError> {
    let files: Vec<_> =
        exports(journal, site)?.filter_map(|export| given(&export.intent.parameters, DESTINATION)).collect();
    let mut last: Option<Rehearsal> = None;
    for other in others {
        let uploads = journal.records(&succeeded(&other.id.0, UPLOAD))?;
        let ours: Vec<_> = uploads
            .iter()
            .filter(|sent| given(&sent.intent.parameters, "file").is_some_and(|file| files.contains(&file)))
            .collect();
        let imports = journal.records(&succeeded(&other.id.0, OperationKey::ImportServer.name()))?;
        let import = imports.into_iter().find(|import| {
            let location = given(&import.intent.parameters, "location").unwrap_or_default();
            ours.iter().any(|sent| sent.note.ends_with(&format!("({location})")))
        });
        let at = import.as_ref().map(ended_at);
        if let Some(at) = at.filter(|at| last.as_ref().is_none_or(|last| last.at < *at)) {
            last = Some(Rehearsal { at, site: other.id.clone(), site_name: other.name.clone() });
        }
    }
    Ok(last)
}

fn ended_at(record: &StoredRecord) -> Millis {
    Millis(record.ended_at.unwrap_or(record.intent.started_at))
}

fn median(mut sizes: Vec<u64>) -> Option<Bytes> {
    sizes.sort_unstable();
    sizes.get(sizes.len() / 2).copied().map(Bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_size_is_not_moved_by_one_odd_export() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![100, 3, 110]), Some(Bytes(100)));
        assert_eq!(median(vec![100, 3, 110, 105, 9_000]), Some(Bytes(105)));
    }
}
