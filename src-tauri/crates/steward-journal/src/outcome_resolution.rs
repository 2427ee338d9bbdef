//! Outcomes that a user set because no response was received.
//!
//! [`Journal::set_outcome`] replaces the unknown outcome of a history entry once. A user can also confirm that it stays
//! unknown, which can be replaced later. The other facts of the entry stay as
//! they were recorded: an entry with an outcome resolution has no response and no end time of the site.

use rusqlite::{OptionalExtension, Row, params};

use crate::checksum::Table;
use crate::journal::{Journal, JournalError, append, change_record, seal};
use crate::record::{Outcome, OutcomeResolution};
use crate::salvage::is_damage;
use crate::trail;
use steward_redact as redact;

impl Journal {
    /// Sets the outcome of a history entry whose outcome is unknown, once.
    ///
    /// # Errors
    ///
    /// - [`JournalError::OutcomeKnown`] if the history entry has an outcome or does not exist.
    /// - [`JournalError::Database`] if the resolution cannot be written. The entry is unchanged then.
    pub fn set_outcome(&self, id: &str, resolution: &OutcomeResolution) -> Result<(), JournalError> {
        let written = self.in_transaction(|transaction| {
            let open = change_record(
                transaction,
                id,
                "UPDATE record SET outcome = ?2 WHERE id = ?1 AND outcome IN ('sent', 'unknown')",
                params![id, resolution.outcome.name()],
            )?;
            if open == 1 {
                transaction.execute(
                    "INSERT OR REPLACE INTO outcome_resolution (record, outcome, note, by, at)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![
                        id,
                        resolution.outcome.name(),
                        redact::text(&resolution.note),
                        redact::text(&resolution.by),
                        resolution.at
                    ],
                )?;
                seal(transaction, Table::OutcomeResolution, "record = ?1", &[&id])?;
                append(transaction, trail::resolved(transaction, id, resolution)?)?;
            }
            Ok(open)
        });
        match written? {
            0 => Err(JournalError::OutcomeKnown(id.to_owned())),
            _ => Ok(()),
        }
    }

    /// Reads the outcome that a user set for a history entry; `None` if no user did, or if it was damaged on disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the resolution cannot be read.
    pub fn outcome_resolution(&self, id: &str) -> Result<Option<OutcomeResolution>, JournalError> {
        let sql = format!(
            "SELECT outcome, note, by, at FROM outcome_resolution WHERE record = ?1 AND {}",
            Table::OutcomeResolution.is_intact()
        );
        let read = |row: &Row<'_>| {
            let outcome: String = row.get(0)?;
            Ok(OutcomeResolution {
                outcome: Outcome::named(&outcome),
                note: row.get(1)?,
                by: row.get(2)?,
                at: row.get(3)?,
            })
        };
        let connection = self.lock();
        let found = connection.prepare_cached(&sql).and_then(|mut statement| statement.query_row([id], read));
        match found.optional() {
            Err(error) if is_damage(&error) => Ok(None),
            found => found.map_err(|source| self.failed(source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conclusion, Filter, Intent};

    fn resolution() -> OutcomeResolution {
        OutcomeResolution {
            outcome: Outcome::Succeeded,
            note: "the file is there".to_owned(),
            by: "sam".to_owned(),
            at: 5_000,
        }
    }

    #[test]
    fn a_lost_response_is_resolved_once_and_its_facts_stay() {
        let (_folder, journal) = Journal::in_new_folder();
        let id = journal.intend(&Intent { started_at: 1_000, ..Intent::default() }).unwrap();

        journal.set_outcome(&id, &resolution()).unwrap();

        let record = journal.records(&Filter::default()).unwrap().remove(0);
        assert_eq!((record.outcome, record.ended_at), (Outcome::Succeeded, None), "no response was received");
        assert!(record.is_resolved, "the list shows that a user set it");
        assert!(journal.whole(&id).unwrap().record.is_resolved);
        assert_eq!(journal.outcome_resolution(&id).unwrap(), Some(resolution()));
        assert!(matches!(journal.set_outcome(&id, &resolution()), Err(JournalError::OutcomeKnown(_))));
    }

    #[test]
    fn an_outcome_that_stays_unknown_is_resolved_and_can_be_set_later() {
        let (_folder, journal) = Journal::in_new_folder();
        let id = journal.intend(&Intent::default()).unwrap();

        journal.set_outcome(&id, &OutcomeResolution { outcome: Outcome::Unknown, ..resolution() }).unwrap();

        let record = journal.records(&Filter::default()).unwrap().remove(0);
        assert!(record.is_resolved);
        assert_eq!(record.outcome, Outcome::Unknown);
        journal.set_outcome(&id, &resolution()).unwrap();
        assert_eq!(journal.outcome_resolution(&id).unwrap(), Some(resolution()));
        assert!(matches!(journal.set_outcome(&id, &resolution()), Err(JournalError::OutcomeKnown(_))));
    }

    #[test]
    fn an_outcome_returned_by_the_site_cannot_be_set() {
        let (_folder, journal) = Journal::in_new_folder();
        let id = journal.intend(&Intent::default()).unwrap();
        let rejected = Conclusion {
            outcome: Outcome::Failed,
            note: String::new(),
            facts: None,
            response: None,
            report: None,
            ended_at: 1,
            elapsed: 1,
        };
        journal.conclude(&id, &rejected).unwrap();

        assert!(matches!(journal.set_outcome(&id, &resolution()), Err(JournalError::OutcomeKnown(_))));
        assert_eq!(journal.outcome_resolution(&id).unwrap(), None);
        let found = Filter { outcomes: vec![Outcome::Failed], ..Filter::default() };
        assert!(!journal.records(&found).unwrap().remove(0).is_resolved, "the site returned it");
    }
}
