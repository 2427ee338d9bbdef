//! Entries that need attention: failed operations that no later one made up for, and unknown outcomes.

use std::collections::{BTreeMap, HashSet};

use rusqlite::{Connection, params};

use crate::checksum::Table;
use crate::journal::{COLUMNS, Journal, JournalError, LACKS_PARAMETER, SUCCEEDED, as_stored, record};
use crate::record::{Intent, Outcome, StoredRecord};
use crate::salvage::{is_damage, text};
use crate::search::Filter;

/// Maximum number of failures of one operation on one component that are read, newest first.
const MOST: usize = 100;

/// Maximum number of later successes that the failures are compared with.
const MOST_LATER: u32 = 1_000;

/// Maximum number of exports of a server or portal that are searched for a verified one, newest first.
const MOST_EXPORTS: u32 = 200;

/// An entry that needs attention.
#[derive(Debug, Clone)]
pub struct Unsolved {
    /// The entry: failed, or with an unknown outcome.
    pub record: StoredRecord,
    /// Earlier failures of the operation on the same component, about something else.
    pub others: u32,
}

/// Newest exports of a server or portal.
#[derive(Debug, Clone, Default)]
pub struct NewestExports {
    /// Newest export.
    pub last: Option<StoredRecord>,
    /// Newest export of which every entry was verified.
    pub verified: Option<StoredRecord>,
}

/// Operation on a component of a site: site, operation, and server.
type Place = (String, String, String);

#[derive(Default)]
struct Found {
    failed: Vec<i64>,
    unknown: Vec<i64>,
}

impl Journal {
    /// Reads the entries with an unknown outcome, and the failures of `operations` without a later success, newest first.
    /// Those whose outcome a user set are left out.
    ///
    /// Each operation has the parameters that tell what it is about: a success makes up for a failure with the same ones.
    /// Of several failures of an operation on a component, one entry is returned.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn unsolved(&self, operations: &[(&str, &[&str])]) -> Result<Vec<Unsolved>, JournalError> {
        let mut unsolved = Vec::new();
        for ((site, operation, server), found) in self.problems()? {
            for sequence in found.unknown {
                unsolved.extend(self.at(sequence)?.map(|record| Unsolved { record, others: 0 }));
            }
            if let Some((_, subject)) = operations.iter().find(|(name, _)| *name == operation) {
                unsolved.extend(self.failure(&(site, operation, server), found.failed, subject)?);
            }
        }
        unsolved.retain(|one| !one.record.is_resolved);
        unsolved.sort_unstable_by_key(|one| std::cmp::Reverse(one.record.sequence));
        Ok(unsolved)
    }

    /// Returns the newest failure without a later success.
    fn failure(
        &self,
        place: &Place,
        mut failed: Vec<i64>,
        subject: &[&str],
    ) -> Result<Option<Unsolved>, JournalError> {
        failed.sort_unstable_by_key(|sequence| std::cmp::Reverse(*sequence));
        failed.truncate(MOST);
        let Some((newest, oldest)) = failed.first().copied().zip(failed.last().copied()) else {
            return Ok(None);
        };
        let last_success = self.last_success_at(place)?.unwrap_or_default();
        let Some(first) = self.at(newest)? else { return Ok(None) };
        if subject_of(&first.intent, subject).is_empty() {
            // An outcome that a user set resolves its entry, and no earlier one.
            for sequence in failed.into_iter().take_while(|sequence| *sequence > last_success) {
                if let Some(record) = self.at(sequence)?.filter(|record| !record.is_resolved) {
                    return Ok(Some(Unsolved { record, others: 0 }));
                }
            }
            return Ok(None);
        }
        let mut solved = HashSet::new();
        let mut later = match last_success > oldest {
            true => self.successes_after(place, oldest)?,
            false => Vec::new(),
        };
        let mut found: Option<Unsolved> = None;
        for sequence in failed {
            // Newest first: what succeeded after this failure.
            while let Some((_, intent)) = later.pop_if(|(success, _)| *success > sequence) {
                solved.insert(subject_of(&intent, subject));
            }
            let Some(record) = self.at(sequence)? else { continue };
            if record.is_resolved || !solved.insert(subject_of(&record.intent, subject)) {
                continue;
            }
            match &mut found {
                Some(newer) => newer.others += 1,
                None => found = Some(Unsolved { record, others: 0 }),
            }
        }
        Ok(found)
    }

    /// Returns the positions of failed entries and of those with an unknown outcome.
    fn problems(&self) -> Result<BTreeMap<Place, Found>, JournalError> {
        let read = || {
            self.lock()
                .prepare_cached(
                    "SELECT site, operation, server, outcome, sequence FROM record
                     WHERE outcome IN ('failed', 'unknown')",
                )?
                .query_map([], |row| {
                    let place = (text(row, 0)?, text(row, 1)?, text(row, 2)?);
                    Ok((place, text(row, 3)? == Outcome::Failed.name(), row.get::<_, i64>(4)?))
                })?
                .collect::<rusqlite::Result<Vec<_>>>()
        };
        let rows = match read() {
            Err(error) if is_damage(&error) => {
                let outcomes = vec![Outcome::Failed, Outcome::Unknown];
                let records = self.records(&Filter { outcomes, ..Filter::default() })?.into_iter();
                let row = |record: StoredRecord| {
                    let Intent { site, operation, server, .. } = record.intent;
                    ((site, operation, server), record.outcome == Outcome::Failed, record.sequence)
                };
                records.map(row).collect()
            }
            read => read.map_err(|source| self.failed(source))?,
        };
        let mut found = BTreeMap::<Place, Found>::new();
        for (place, is_failed, sequence) in rows {
            let found = found.entry(place).or_default();
            if is_failed { &mut found.failed } else { &mut found.unknown }.push(sequence);
        }
        Ok(found)
    }

    /// Reads the entry at a position; `None` if it was damaged on disk.
    fn at(&self, sequence: i64) -> Result<Option<StoredRecord>, JournalError> {
        let filter = Filter { before: Some(sequence.saturating_add(1)), limit: Some(1), ..Filter::default() };
        let sql =
            format!("SELECT {COLUMNS} FROM record WHERE sequence = ?1 AND {}", Table::Record.is_intact());
        let read = || self.lock().prepare_cached(&sql)?.query_map([sequence], record)?.next().transpose();
        match read() {
            Err(error) if is_damage(&error) => {
                Ok(self.records(&filter)?.into_iter().find(|record| record.sequence == sequence))
            }
            read => read.map_err(|source| self.failed(source)),
        }
    }

    /// Returns the position of the last success of an operation on a component.
    fn last_success_at(&self, (site, operation, server): &Place) -> Result<Option<i64>, JournalError> {
        let last = |outcome: Outcome| {
            self.lock()
                .prepare_cached(
                    "SELECT max(sequence) FROM record
                     WHERE site = ?1 AND operation = ?2 AND server = ?3 AND outcome = ?4",
                )?
                .query_row(params![site, operation, server, outcome.name()], |row| {
                    row.get::<_, Option<i64>>(0)
                })
        };
        let read = || Ok(last(Outcome::Succeeded)?.max(last(Outcome::Warnings)?));
        match read() {
            Err(error) if is_damage(&error) => {
                let records = self.successes(site, server, operation)?.into_iter();
                Ok(records.map(|record| record.sequence).max())
            }
            read => read.map_err(|source| self.failed(source)),
        }
    }

    /// Returns the successes of an operation on a component after a position, oldest first.
    fn successes_after(
        &self,
        (site, operation, server): &Place,
        after: i64,
    ) -> Result<Vec<(i64, Intent)>, JournalError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM record WHERE site = ?1 AND operation = ?2 AND server = ?3 AND {SUCCEEDED}
                 AND sequence > ?4 AND {} ORDER BY sequence DESC LIMIT ?5",
            Table::Record.is_intact()
        );
        let read = || {
            self.lock()
                .prepare_cached(&sql)?
                .query_map(params![site, operation, server, after, MOST_LATER], record)?
                .collect::<rusqlite::Result<Vec<_>>>()
        };
        let mut records = match read() {
            Err(error) if is_damage(&error) => self.successes(site, server, operation)?,
            read => read.map_err(|source| self.failed(source))?,
        };
        records.sort_unstable_by_key(|record| record.sequence);
        Ok(records.into_iter().map(|record| (record.sequence, record.intent)).collect())
    }

    /// Returns whether a later run wrote other content to the path of the file of a record, also one of another site.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn is_file_replaced(&self, record: &StoredRecord) -> Result<bool, JournalError> {
        let facts = &record.facts;
        is_replaced(&self.lock(), record.sequence, facts.path.as_deref(), facts.sha256.as_deref())
            .map_err(|source| self.failed(source))
    }

    /// Reads the newest export of a server or portal, and the newest of which every entry was verified; `None` if none of the
    /// newest 200 was. Records with the parameter `without` are left out, those whose files were replaced, and those whose
    /// [URL](crate::Intent::sent_to) is not `is_here`. A verified export with a file counts only if `counts` its path and the time when
    /// it was written.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn newest_exports(
        &self,
        site: &str,
        server: &str,
        operation: &str,
        without: (&str, &str),
        is_here: &dyn Fn(&str) -> bool,
        counts: &dyn Fn(&str, i64) -> bool,
    ) -> Result<NewestExports, JournalError> {
        let has_file = |path: Option<&str>, written_at: Option<i64>| {
            path.is_none_or(|path| counts(path, written_at.unwrap_or_default()))
        };
        let sql = format!(
            "SELECT sequence, facts ->> 'unverifiedEntries', facts ->> 'path', facts ->> 'sha256', ended_at,
                 iif(json_valid(requests), requests ->> '$[#-1].address', NULL) FROM record
             WHERE site = ?1 AND operation = ?2 AND server = ?3 AND outcome = ?4 AND json_valid(facts)
                 AND {LACKS_PARAMETER} ?6) AND {}
             ORDER BY sequence DESC LIMIT ?5",
            Table::Record.is_intact()
        );
        let newest = |outcome: Outcome| -> rusqlite::Result<(Option<i64>, Option<i64>)> {
            let connection = self.lock();
            let mut exports = connection.prepare_cached(&sql)?;
            let without = as_stored(without);
            let given = params![site, operation, server, outcome.name(), MOST_EXPORTS, without];
            let mut exports = exports.query(given)?;
            let mut last = None;
            while let Some(row) = exports.next()? {
                let sequence = row.get(0)?;
                let (path, sha256): (Option<String>, Option<String>) = (row.get(2)?, row.get(3)?);
                let sent_to: Option<String> = row.get(5)?;
                if !is_here(&sent_to.unwrap_or_default()) {
                    continue;
                }
                if is_replaced(&connection, sequence, path.as_deref(), sha256.as_deref())? {
                    continue;
                }
                last.get_or_insert(sequence);
                if row.get::<_, Option<i64>>(1)? == Some(0) && has_file(path.as_deref(), row.get(4)?) {
                    return Ok((last, Some(sequence)));
                }
            }
            Ok((last, None))
        };
        let read = || {
            let (succeeded, warnings) = (newest(Outcome::Succeeded)?, newest(Outcome::Warnings)?);
            Ok((succeeded.0.max(warnings.0), succeeded.1.max(warnings.1)))
        };
        match read() {
            Err(error) if is_damage(&error) => {
                let mut all = self.successes(site, server, operation)?;
                all.retain(|record| {
                    !record.intent.has_parameter(without) && is_here(record.intent.sent_to())
                });
                all.sort_unstable_by_key(|record| std::cmp::Reverse(record.sequence));
                let is_verified = |record: &&StoredRecord| {
                    let facts = &record.facts;
                    facts.unverified_entries == Some(0) && has_file(facts.path.as_deref(), record.ended_at)
                };
                let verified = all.iter().find(is_verified).cloned();
                Ok(NewestExports { verified, last: all.into_iter().next() })
            }
            read => {
                let (last, verified) = read.map_err(|source| self.failed(source))?;
                let at = |sequence: Option<i64>| match sequence {
                    Some(sequence) => self.at(sequence),
                    None => Ok(None),
                };
                Ok(NewestExports { last: at(last)?, verified: at(verified)? })
            }
        }
    }
}

/// Returns whether a later run wrote other content to the path of a file, also one of another site.
fn is_replaced(
    connection: &Connection,
    sequence: i64,
    path: Option<&str>,
    sha256: Option<&str>,
) -> rusqlite::Result<bool> {
    let Some(path) = path else { return Ok(false) };
    let mut later = connection.prepare_cached(
        "SELECT EXISTS(SELECT 1 FROM record WHERE sequence > ?1 AND json_valid(facts)
             AND facts ->> 'path' = ?2 AND facts ->> 'sha256' IS NOT ?3)",
    )?;
    later.query_row(params![sequence, path, sha256], |row| row.get(0))
}

/// Returns the values of the parameters that tell what a request is about.
fn subject_of(intent: &Intent, names: &[&str]) -> Vec<String> {
    let parameters = intent.parameters.iter().filter(|(name, _)| names.contains(&name.as_str()));
    parameters.map(|(_, value)| value.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Conclusion, Facts, OutcomeResolution};

    fn concluded(journal: &Journal, operation: &str, about: &str, outcome: Outcome) -> String {
        let intent = Intent {
            site: "a".to_owned(),
            operation: operation.to_owned(),
            parameters: match about {
                "" => Vec::new(),
                about => vec![("participantId".to_owned(), about.to_owned())],
            },
            ..Intent::default()
        };
        let id = journal.intend(&intent).unwrap();
        let conclusion = Conclusion {
            outcome,
            note: String::new(),
            facts: None,
            response: None,
            report: None,
            ended_at: 1_000,
            elapsed: 1,
        };
        journal.conclude(&id, &conclusion).unwrap();
        id
    }

    fn unsolved(journal: &Journal) -> Vec<(String, u32)> {
        let found =
            journal.unsolved(&[("import_server", &[]), ("update_participant", &["participantId"])]).unwrap();
        found.into_iter().map(|one| (one.record.id, one.others)).collect()
    }

    #[test]
    fn a_failure_needs_attention_until_the_operation_succeeds_on_the_same_subject() {
        let (_folder, journal) = Journal::in_new_folder();
        concluded(&journal, "import_server", "", Outcome::Failed);
        let import = concluded(&journal, "import_server", "", Outcome::Failed);
        let water = concluded(&journal, "update_participant", "water", Outcome::Failed);
        let rescue = concluded(&journal, "update_participant", "rescue", Outcome::Failed);
        concluded(&journal, "find_items", "", Outcome::Failed);
        assert_eq!(unsolved(&journal), [(rescue, 1), (import, 0)]);

        concluded(&journal, "update_participant", "rescue", Outcome::Warnings);
        concluded(&journal, "import_server", "", Outcome::Succeeded);
        assert_eq!(unsolved(&journal), [(water, 0)]);

        concluded(&journal, "update_participant", "water", Outcome::Succeeded);
        assert_eq!(unsolved(&journal), []);
    }

    #[test]
    fn an_unknown_outcome_needs_attention_until_it_is_set() {
        let (_folder, journal) = Journal::in_new_folder();
        let unknown = concluded(&journal, "upload", "", Outcome::Unknown);
        concluded(&journal, "upload", "", Outcome::Succeeded);
        assert_eq!(unsolved(&journal), [(unknown.clone(), 0)]);

        let outcome = Outcome::Unknown;
        let by_hand = OutcomeResolution { outcome, note: String::new(), by: "sam".to_owned(), at: 9 };
        journal.set_outcome(&unknown, &by_hand).unwrap();
        assert_eq!(unsolved(&journal), []);
    }

    #[test]
    fn an_outcome_that_a_user_set_settles_no_earlier_failure() {
        let (_folder, journal) = Journal::in_new_folder();
        let failed = concluded(&journal, "import_server", "", Outcome::Failed);
        let lost = concluded(&journal, "import_server", "", Outcome::Unknown);
        let set = |outcome| OutcomeResolution { outcome, note: String::new(), by: "sam".to_owned(), at: 9 };
        journal.set_outcome(&lost, &set(Outcome::Failed)).unwrap();
        assert_eq!(unsolved(&journal), [(failed, 0)]);

        let lost = concluded(&journal, "import_server", "", Outcome::Unknown);
        journal.set_outcome(&lost, &set(Outcome::Succeeded)).unwrap();
        assert_eq!(unsolved(&journal), []);
    }

    #[test]
    fn the_last_verified_export_is_not_one_with_entries_that_were_not_read() {
        let (_folder, journal) = Journal::in_new_folder();
        for (ended_at, unverified_entries) in [(1, Some(0)), (2, Some(3)), (3, None)] {
            let id = concluded(&journal, "export_server", "", Outcome::Succeeded);
            let conclusion = Conclusion {
                outcome: Outcome::Succeeded,
                note: String::new(),
                facts: Some(Facts { unverified_entries, ..Facts::default() }),
                response: None,
                report: None,
                ended_at,
                elapsed: 1,
            };
            journal.conclude(&id, &conclusion).unwrap();
        }
        let ended = |record: Option<StoredRecord>| record.and_then(|record| record.ended_at);
        let newest = |server| {
            let exports = journal
                .newest_exports("a", server, "export_server", ("purpose", ""), &|_| true, &|_, _| true)
                .unwrap();
            (ended(exports.last), ended(exports.verified))
        };
        assert_eq!(newest(""), (Some(3), Some(1)));
        assert_eq!(newest("other"), (None, None));
    }

    #[test]
    fn an_export_whose_file_a_later_run_replaced_is_no_export_any_more() {
        let (_folder, journal) = Journal::in_new_folder();
        for (ended_at, site, path, sha256) in
            [(1, "a", "old", "1"), (2, "a", "same", "2"), (3, "b", "same", "3"), (4, "c", "same", "3")]
        {
            let intent = Intent {
                site: site.to_owned(),
                operation: "export_server".to_owned(),
                started_at: ended_at,
                ..Intent::default()
            };
            let id = journal.intend(&intent).unwrap();
            let facts = Facts {
                path: Some(path.to_owned()),
                sha256: Some(sha256.to_owned()),
                unverified_entries: Some(0),
                ..Facts::default()
            };
            let conclusion = Conclusion {
                outcome: Outcome::Succeeded,
                note: String::new(),
                facts: Some(facts),
                response: None,
                report: None,
                ended_at,
                elapsed: 1,
            };
            journal.conclude(&id, &conclusion).unwrap();
        }
        let newest = |site: &str| {
            let exports = journal
                .newest_exports(site, "", "export_server", ("purpose", ""), &|_| true, &|_, _| true)
                .unwrap();
            [exports.last, exports.verified].map(|one| one.and_then(|record| record.ended_at))
        };
        assert_eq!(newest("a"), [Some(1), Some(1)], "its newest file is that of another site");
        assert_eq!(newest("b"), [Some(3), Some(3)], "the same content was written again");
        assert_eq!(newest("c"), [Some(4), Some(4)]);
    }
}
