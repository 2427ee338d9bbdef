//! What a person concluded about a request whose answer was lost. The record's own facts stay as they were.

use rusqlite::{OptionalExtension, TransactionBehavior, params};
use serde::Serialize;

use crate::journal::{Journal, JournalError};
use crate::record::Outcome;
use crate::redact;

/// A conclusion by a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settlement {
    /// How it ended, as far as the person found out.
    pub outcome: Outcome,
    /// How the person knows; may be empty.
    pub note: String,
    /// Who.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

impl Journal {
    /// Writes down what a person found out about a record whose outcome is not known, once.
    ///
    /// # Errors
    /// When the record has an outcome already, is not there, or could not be written.
    pub fn settle(&self, id: &str, settlement: &Settlement) -> Result<(), JournalError> {
        let mut connection = self.lock();
        let settled = (|| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let open = transaction.execute(
                "UPDATE record SET outcome = ?2 WHERE id = ?1 AND outcome IN ('sent', 'unknown')",
                params![id, settlement.outcome.name()],
            )?;
            if open == 1 {
                transaction.execute(
                    "INSERT INTO settlement (record, outcome, note, by, at) VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![
                        id,
                        settlement.outcome.name(),
                        redact::text(&settlement.note),
                        redact::text(&settlement.by),
                        settlement.at
                    ],
                )?;
            }
            transaction.commit()?;
            Ok(open)
        })();
        match settled.map_err(|source| self.failed(source))? {
            0 => Err(JournalError::Answered(id.to_owned())),
            _ => Ok(()),
        }
    }

    /// What a person concluded about a record; `None` when nobody had to.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn settlement(&self, id: &str) -> Result<Option<Settlement>, JournalError> {
        self.lock()
            .query_row("SELECT outcome, note, by, at FROM settlement WHERE record = ?1", [id], |row| {
                let outcome: String = row.get(0)?;
                Ok(Settlement {
                    outcome: Outcome::named(&outcome),
                    note: row.get(1)?,
                    by: row.get(2)?,
                    at: row.get(3)?,
                })
            })
            .optional()
            .map_err(|source| self.failed(source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conclusion, Filter, Intent};

    fn settlement() -> Settlement {
        Settlement {
            outcome: Outcome::Succeeded,
            note: "the file is there".to_owned(),
            by: "sam".to_owned(),
            at: 5_000,
        }
    }

    #[test]
    fn a_lost_answer_is_settled_once_and_its_facts_stay() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let id = journal.intend(&Intent { started_at: 1_000, ..Intent::default() }).unwrap();

        journal.settle(&id, &settlement()).unwrap();

        let record = journal.records(&Filter::default()).unwrap().remove(0);
        assert_eq!((record.outcome, record.ended_at), (Outcome::Succeeded, None), "no answer came");
        assert!(record.is_settled, "the list says who said so");
        assert!(journal.whole(&id).unwrap().record.is_settled);
        assert_eq!(journal.settlement(&id).unwrap(), Some(settlement()));
        assert!(matches!(journal.settle(&id, &settlement()), Err(JournalError::Answered(_))));
    }

    #[test]
    fn what_the_site_answered_cannot_be_settled_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let id = journal.intend(&Intent::default()).unwrap();
        let refused = Conclusion {
            outcome: Outcome::Failed,
            note: String::new(),
            answer: None,
            report: None,
            ended_at: 1,
            elapsed: 1,
        };
        journal.conclude(&id, &refused).unwrap();

        assert!(matches!(journal.settle(&id, &settlement()), Err(JournalError::Answered(_))));
        assert_eq!(journal.settlement(&id).unwrap(), None);
        let found = Filter { outcomes: vec![Outcome::Failed], ..Filter::default() };
        assert!(!journal.records(&found).unwrap().remove(0).is_settled, "the site said so");
    }
}
