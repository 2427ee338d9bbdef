//! Verification of exports on this computer, and its results in the history.
//!
//! `read` reads a file, `add_to_record` stores the result, and [`export_state`] returns the last one.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use steward_client::stored_id;
use steward_journal::{Conclusion, Facts, Filter, Journal, JournalError, Outcome, Report, StoredRecord};

use crate::access::checked_facts::find;
use crate::files::archive_check::{self, ReadFile};
use crate::files::drive::while_it_goes_on;
use crate::files::{on_own_thread, open_regular};
use crate::history::imports::is_safety_backup;
use crate::history::record::History;
use crate::history::record_target::is_of;
use crate::history::rehearsals;
use crate::model::checked::FileFound;
use crate::model::export_verification::{
    ArchiveFault, ExportState, ExportVerification, PartlyVerified, Rehearsal,
};
use crate::model::ids::{RecordId, Target};
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::{Component, OperationKey};
use crate::model::problem::Problem;
use crate::model::saved_file::SavedFile;
use crate::site_context::SiteContext;
use crate::sites::TargetSite;
use crate::transfers::stored_file::{records_of, succeeded, with_file};

/// Field of a record's report that contains the verification.
pub(crate) const FIELD: &str = "verification";

/// Number of earlier exports that the size of a file is compared with.
const EARLIER: usize = 5;

/// Reads the export file of a server at `path` completely, and compares its entries with their checksums and its size with
/// earlier exports.
pub(crate) async fn verify(
    context: &SiteContext,
    site: &TargetSite,
    path: &Path,
    file: &SavedFile,
) -> ExportVerification {
    let (opened, sha256) = (path.to_owned(), Some(file.sha256.clone()));
    let read = read(context, (site, Component::Server), move || open_regular(&opened), sha256, |_| ()).await;
    read.map_or_else(|error| unread(file.size, &error), |(_, verification)| verification)
}

/// Returns the verification of a file that cannot be read.
pub(super) fn unread(size: Bytes, error: &std::io::Error) -> ExportVerification {
    tracing::warn!(%error, "an export cannot be read for its verification");
    ExportVerification {
        size,
        entries: 0,
        unverified_entries: 0,
        is_recognized: true,
        fault: Some(ArchiveFault::Unread),
        usual_size: None,
        modified_at: None,
    }
}

/// Reads the export file of a component of a site completely, and returns its SHA-256 with the verification. The
/// content is compared with `sha256`, which is `None` if the content that was exported is not known. Ends early when
/// the future is dropped.
///
/// # Errors
/// The error of the system if the file cannot be opened or read, or if its drive does not respond any more.
pub async fn read(
    context: &SiteContext,
    (site, component): (&TargetSite, Component),
    open: impl FnOnce() -> std::io::Result<File> + Send + 'static,
    sha256: Option<String>,
    count_read: impl Fn(u64) + Send + 'static,
) -> std::io::Result<(String, ExportVerification)> {
    let bytes = Arc::new(AtomicU64::new(0));
    let of_thread = Arc::clone(&bytes);
    let reading = on_own_thread("export verification", move |is_abandoned| {
        let count = |read| {
            of_thread.fetch_add(read, Ordering::Relaxed);
            count_read(read);
        };
        let read = archive_check::read(open()?, is_abandoned, &count)?;
        Ok::<_, std::io::Error>(match sha256 {
            Some(sha256) => read.compared_with(&sha256),
            None => read,
        })
    });
    let ReadFile { size, modified_at, sha256, archive } =
        while_it_goes_on(&bytes, async { reading.await? }).await?;
    let at = site.clone();
    let earlier =
        context.history.journal(move |journal| sizes(journal, (&at, component))?.take(EARLIER).collect());
    let earlier: Vec<u64> = earlier.await.unwrap_or_default();
    let (archive, fault) = match archive {
        Ok(archive) => (Some(archive), None),
        Err(fault) => (None, Some(fault)),
    };
    let verification = ExportVerification {
        size: Bytes(size),
        entries: archive.map_or(0, |archive| small(archive.entries)),
        unverified_entries: archive.map_or(0, |archive| small(archive.unverified)),
        is_recognized: archive.is_none_or(|archive| archive.recognized.is_of(component)),
        fault,
        usual_size: median(earlier),
        modified_at,
    };
    Ok((sha256, verification))
}

/// Returns a number of entries as the window gets it.
pub(crate) fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Adds a file that was downloaded later, and its verification, to the record of its export, which the server stores at
/// `location`. A failure is only logged: the user sees the verification.
pub(crate) async fn add_to_record(
    context: &SiteContext,
    target: &Target,
    location: &str,
    file: &SavedFile,
    verification: Option<&ExportVerification>,
) {
    let (target, file, verification) = (target.clone(), file.clone(), verification.cloned());
    let upload = stored_id(location).unwrap_or_default();
    let added = context.history.journal(move |journal| match export_of(journal, &target, &upload)? {
        Some(export) => add(journal, export, &file, verification.as_ref()).map(|()| true),
        None => Ok(false),
    });
    match added.await {
        Ok(true) => {}
        Ok(false) => tracing::warn!("the export of a verified file has no record"),
        Err(problem) => tracing::warn!(?problem, "cannot add the verification to the record of its export"),
    }
}

/// Returns the record of the export that a server stores at `location`; `None` if the history does not have it, or cannot be read.
pub(crate) async fn record_at(history: &History, target: &Target, location: &str) -> Option<RecordId> {
    let (target, upload) = (target.clone(), stored_id(location)?);
    let export = history.journal(move |journal| export_of(journal, &target, &upload)).await.ok()?;
    export.map(|export| RecordId(export.id))
}

fn export_of(journal: &Journal, target: &Target, upload: &str) -> Result<Option<StoredRecord>, JournalError> {
    let is_export = |record: &StoredRecord| record.intent.operation == OperationKey::ExportServer.name();
    Ok(records_of(journal, target, upload)?.into_iter().find(is_export))
}

/// Adds a file and its verification to a record of an export, like [`add_to_record`]; no verification if the file is gone. Nothing
/// happens if the history does not have the record: it might be that of another computer.
pub async fn add_to(
    context: &SiteContext,
    record: &RecordId,
    file: &SavedFile,
    verification: Option<&ExportVerification>,
) {
    let (id, file, verification) = (record.0.clone(), file.clone(), verification.cloned());
    let added = context.history.journal(move |journal| match journal.record(&id) {
        Ok(export) => add(journal, export, &file, verification.as_ref()),
        Err(JournalError::NoSuchRecord(_)) => Ok(()),
        Err(error) => Err(error),
    });
    if let Err(problem) = added.await {
        tracing::warn!(?problem, "cannot add the verification to the record of its export");
    }
}

/// Adds a file to the record of its export, which then ends with warnings if the file has a fault, and succeeds if it
/// lacked only the file.
fn add(
    journal: &Journal,
    export: StoredRecord,
    file: &SavedFile,
    verification: Option<&ExportVerification>,
) -> Result<(), JournalError> {
    let fields = |report: Report| report.read().map_err(JournalError::Damaged);
    let mut report: BTreeMap<String, Report> =
        journal.report(&export.id)?.map_or_else(|| Ok(BTreeMap::new()), fields)?;
    report.insert(FIELD.to_owned(), Report::of(&verification).map_err(JournalError::Damaged)?);
    let is_faulty = verification.is_some_and(ExportVerification::is_faulty);
    let lacked_only_file = export.facts.lacks_only_file;
    // If the file becomes complete again, for example because it was copied back, the export is a success again.
    let lacks_only_file = is_faulty && (lacked_only_file || export.outcome == Outcome::Succeeded);
    let conclusion = Conclusion {
        outcome: match lacked_only_file {
            _ if is_faulty => Outcome::Warnings,
            true => Outcome::Succeeded,
            false => export.outcome,
        },
        note: export.note,
        facts: Some(Facts { lacks_only_file, ..with_file(export.facts, file, verification) }),
        response: None,
        report: Some(Report::of(&report).map_err(JournalError::Damaged)?),
        ended_at: export.ended_at.unwrap_or(export.intent.started_at),
        elapsed: export.elapsed.unwrap_or_default(),
    };
    journal.conclude(&export.id, &conclusion)
}

/// Returns the last verified export of a server or portal, safety backups apart, from the history.
///
/// # Errors
/// [`Problem::Unexpected`] if the site is not saved, or the history cannot be read.
pub async fn export_state(context: &SiteContext, target: &Target) -> Result<ExportState, Problem> {
    let site = context.access.sites.at(target)?;
    let component = if site.server().is_some() { Component::Server } else { Component::Portal };
    let files = find(&context.access.checked.all(), &site).map(|checks| checks.export_files.clone());
    // The last export is one to restore from: neither a safety backup nor a file that is lost.
    let counts = move |export: &StoredRecord| {
        let found = export
            .facts
            .path
            .as_deref()
            .zip(files.as_ref())
            .map(|(path, files)| files.file(path, Millis(export.ended_at.unwrap_or_default())));
        let is_lost = matches!(found, Some(FileFound::Gone | FileFound::Changed));
        !is_safety_backup(&export.intent) && !is_lost
    };
    context
        .history
        .journal(move |journal| {
            let (mut verified, mut partly_verified) = (None, None);
            for one in verifications(journal, (&site, component), counts)? {
                let (export, one) = one?;
                // Changes after the start of an export might not be in its file.
                let at = Millis(export.intent.started_at);
                if one.is_verified() {
                    verified = Some((at, export.outcome == Outcome::Warnings));
                    break;
                }
                let ExportVerification { unverified_entries, is_recognized, .. } = one;
                partly_verified.get_or_insert(PartlyVerified { at, unverified_entries, is_recognized });
            }
            let (verified, has_warnings) = verified.unzip();
            Ok(ExportState { verified, has_warnings: has_warnings.unwrap_or_default(), partly_verified })
        })
        .await
}

/// Returns the last verification of the file of an export; `None` if it was not verified.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub async fn last_verification(
    history: &History,
    export: &RecordId,
) -> Result<Option<ExportVerification>, Problem> {
    let id = export.0.clone();
    let kept = history.journal(move |journal| journal.report_field(&id, FIELD)).await?;
    Ok(kept.and_then(|kept| kept.read::<ExportVerification>().ok()))
}

/// Returns whether a verification is of the file that the record of its export has, by size and time. A file that was
/// written again with the same content is not, until that is noted.
pub async fn is_of_noted_file(history: &History, export: &RecordId, now: &ExportVerification) -> bool {
    let noted = last_verification(history, export).await.ok().flatten();
    noted.is_none_or(|noted| noted.is_of(now.size.0, now.modified_at))
}

/// Returns the last rehearsal that imported an export of a server or portal; `None` if there was none. Exports are
/// known by their SHA-256.
///
/// # Errors
/// Those of [`export_state`].
pub async fn last_rehearsal(context: &SiteContext, target: &Target) -> Result<Option<Rehearsal>, Problem> {
    let site = context.access.sites.at(target)?;
    let component = if site.server().is_some() { Component::Server } else { Component::Portal };
    let last = context.history.journal(move |journal| {
        let rehearsed = rehearsals::in_journal(journal)?;
        if rehearsed.is_empty() {
            return Ok(None);
        }
        let contents: Vec<_> =
            exports(journal, (&site, component))?.filter_map(|export| export.facts.sha256).collect();
        Ok(rehearsed.newest(contents.iter().map(String::as_str)).cloned())
    });
    last.await
}

/// Returns the size of the last complete file that was exported from a server to this computer.
pub(crate) async fn last_size(history: &History, site: &TargetSite) -> Result<Option<Bytes>, Problem> {
    let site = site.clone();
    let last = history.journal(move |journal| sizes(journal, (&site, Component::Server))?.next().transpose());
    Ok(last.await?.map(Bytes))
}

/// Returns whether a file has the content of an export that the history has from before `record`, for example because a cache
/// answered its download. Of two equal exports, the later one does not have the present state (`spec-notes.md`, 90). Without
/// `record`, all exports are earlier ones; of a record that the history does not have, none is known to be.
pub(crate) async fn is_of_earlier_export(history: &History, sha256: &str, record: Option<&RecordId>) -> bool {
    let (sha256, own) = (Some(sha256.to_owned()), record.map(|record| record.0.clone()));
    let is_earlier = history.journal(move |journal| {
        let own = own.map(|own| journal.record(&own)).transpose()?;
        let to = own.as_ref().map(|own| own.intent.started_at);
        let is_it = |export: &StoredRecord| {
            export.facts.sha256 == sha256 && own.as_ref().is_none_or(|own| own.id != export.id)
        };
        for operation in [OperationKey::ExportServer, OperationKey::ExportPortal] {
            let exports = Filter { site: None, to, ..succeeded("", operation.name()) };
            if journal.records(&exports)?.iter().any(is_it) {
                return Ok(true);
            }
        }
        Ok(false)
    });
    is_earlier.await.unwrap_or_default()
}

/// Notes in the verification of a complete file that it is that of an earlier export than `record`, as [`is_of_earlier_export`]
/// decides.
pub async fn note_earlier(
    history: &History,
    verification: &mut ExportVerification,
    sha256: &str,
    record: Option<&RecordId>,
) {
    if verification.fault.is_none() && is_of_earlier_export(history, sha256, record).await {
        verification.fault = Some(ArchiveFault::Earlier);
    }
}

/// Returns the sizes of complete files that are exports, newest first.
fn sizes(
    journal: &Journal,
    of: (&TargetSite, Component),
) -> Result<impl Iterator<Item = Result<u64, JournalError>>, JournalError> {
    let all = verifications(journal, of, |_| true)?;
    Ok(all.filter_map(|one| match one {
        Ok((_, one)) => one.is_recognized.then_some(Ok(one.size.0)),
        Err(error) => Some(Err(error)),
    }))
}

/// Returns the verifications of complete files of the exports for which `counts` is true, newest first, with the
/// exports.
///
/// Each verification is read when the iterator gets to it: the report that it is in can be megabytes.
fn verifications(
    journal: &Journal,
    of: (&TargetSite, Component),
    counts: impl Fn(&StoredRecord) -> bool,
) -> Result<impl Iterator<Item = Result<(StoredRecord, ExportVerification), JournalError>>, JournalError> {
    // An export in a folder of the server was never on this computer.
    let here = exports(journal, of)?.filter(move |export| export.facts.sha256.is_some() && counts(export));
    Ok(here.filter_map(move |export| {
        let kept = match journal.report_field(&export.id, FIELD) {
            Ok(kept) => kept?.read::<ExportVerification>().ok()?,
            Err(error) => return Some(Err(error)),
        };
        match journal.is_file_replaced(&export) {
            Ok(is_replaced) => (kept.fault.is_none() && !is_replaced).then(|| Ok((export, kept))),
            Err(error) => Some(Err(error)),
        }
    }))
}

/// Returns the exports of a server or portal, newest first.
fn exports(
    journal: &Journal,
    (site, component): (&TargetSite, Component),
) -> Result<impl Iterator<Item = StoredRecord> + use<>, JournalError> {
    let export = match component {
        Component::Portal => OperationKey::ExportPortal,
        Component::Server => OperationKey::ExportServer,
    };
    let records = journal.records(&succeeded(&site.id.0, export.name()))?;
    let site = site.clone();
    Ok(records.into_iter().filter(move |record| is_of(&site, &record.intent)))
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
