//! Reason or ticket of history entries, which a user can give or change later.

use rusqlite::{OptionalExtension, params};

use crate::checksum::Table;
use crate::journal::{Journal, JournalError, append, change_record};
use crate::salvage::text;
use crate::trail::{self, Event};
use steward_redact as redact;

impl Journal {
    /// Sets the reason of entries, without secrets: of all or none. The audit trail has an event for each entry that
    /// changes, with the previous reason.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if an entry does not exist.
    /// - [`JournalError::DamagedRecord`] if one was damaged on disk.
    /// - [`JournalError::Database`] if the reason cannot be written.
    pub fn set_reason(&self, ids: &[String], reason: &str) -> Result<(), JournalError> {
        let reason = redact::text(reason);
        let read = format!("SELECT reason, {} FROM record WHERE id = ?1", Table::Record.is_whole());
        let refused = self.in_transaction(|transaction| {
            let mut before = Vec::new();
            for id in ids {
                let found = transaction
                    .prepare_cached(&read)?
                    .query_row([id], |row| Ok((text(row, 0)?, row.get::<_, bool>(1)?)))
                    .optional()?;
                match found {
                    None => return Ok(Some(JournalError::NoSuchRecord(id.clone()))),
                    Some((_, false)) => return Ok(Some(JournalError::DamagedRecord(id.clone()))),
                    Some((reason, true)) => before.push(reason),
                }
            }
            for (id, before) in ids.iter().zip(before).filter(|(_, before)| *before != reason) {
                let sql = "UPDATE record SET reason = ?2 WHERE id = ?1";
                change_record(transaction, id, sql, params![id, reason])?;
                let record_sha256 = trail::record(transaction, id)?.sha256;
                let (record, reason) = (id.clone(), reason.clone());
                append(transaction, Some(Event::ReasonAdded { record, reason, before, record_sha256 }))?;
            }
            Ok(None)
        });
        refused?.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trail::export::Selection;
    use crate::{Batch, Conclusion, Filter, Intent, Outcome};

    /// Returns the bodies of the audit trail that have a reason.
    fn told(journal: &Journal) -> Vec<serde_json::Value> {
        let mut bodies = Vec::new();
        let collect = |entry: &crate::trail::export::Entry| {
            bodies.extend(entry.body.as_deref().and_then(|body| serde_json::from_str(body).ok()));
            Ok::<_, JournalError>(())
        };
        journal.read_trail(&Selection::default(), i64::MAX, collect).unwrap();
        bodies.retain(|body: &serde_json::Value| body["type"] == "reason.added");
        bodies
    }

    #[test]
    fn a_reason_is_found_and_can_be_changed_and_the_earlier_one_stays_in_the_audit_trail() {
        let (_folder, journal) = Journal::in_new_folder();
        let intent = Intent { reason: "CHG-2291".to_owned(), ..Intent::default() };
        let id = journal.intend(&intent).unwrap();
        let found = |text: &str| {
            journal.records(&Filter { text: text.to_owned(), ..Filter::default() }).unwrap().len()
        };
        assert_eq!(found("chg-2291"), 1);

        journal.set_reason(std::slice::from_ref(&id), "CHG-2295 token=secret").unwrap();
        journal.set_reason(std::slice::from_ref(&id), "CHG-2295 token=secret").unwrap();

        assert_eq!((found("chg-2291"), found("chg-2295")), (0, 1));
        let reason = journal.whole(&id).unwrap().record.intent.reason;
        assert!(reason.starts_with("CHG-2295") && !reason.contains("secret"), "{reason}");
        let told = told(&journal);
        assert_eq!(told.len(), 1, "the second call changed nothing");
        assert_eq!((&told[0]["record"], &told[0]["before"]), (&id.into(), &"CHG-2291".into()));
    }

    #[test]
    fn a_reason_is_given_to_all_entries_or_to_none() {
        let (_folder, journal) = Journal::in_new_folder();
        let ids = [journal.intend(&Intent::default()).unwrap(), "gone".to_owned()];

        let refused = journal.set_reason(&ids, "CHG-1");

        assert!(matches!(refused, Err(JournalError::NoSuchRecord(id)) if id == "gone"));
        assert_eq!(journal.records(&Filter::default()).unwrap()[0].intent.reason, "");
        assert!(told(&journal).is_empty());
    }

    #[test]
    fn the_outcomes_of_a_batch_are_counted_whatever_else_is_in_the_history() {
        let (_folder, journal) = Journal::in_new_folder();
        let of = |batch: &str| {
            let batch = Some(Batch { id: batch.to_owned(), size: 5 }).filter(|batch| !batch.id.is_empty());
            journal.intend(&Intent { batch, ..Intent::default() }).unwrap()
        };
        let conclude = |id: &str, outcome| {
            let conclusion = Conclusion {
                outcome,
                note: String::new(),
                facts: None,
                response: None,
                report: None,
                ended_at: 1,
                elapsed: 1,
            };
            journal.conclude(id, &conclusion).unwrap();
        };
        let ids = [of("one"), of(""), of("one"), of("other"), of("one")];
        for (id, outcome) in ids.iter().zip([Outcome::Succeeded, Outcome::Failed, Outcome::Failed]) {
            conclude(id, outcome);
        }

        let counted = journal.batches(&["one".to_owned(), "none".to_owned()]).unwrap();

        assert_eq!(counted.len(), 1);
        assert_eq!(counted[0].batch, Batch { id: "one".to_owned(), size: 5 });
        let mut outcomes = counted[0].outcomes.clone();
        outcomes.sort_by_key(|(outcome, _)| outcome.name());
        assert_eq!(outcomes, [(Outcome::Failed, 1), (Outcome::Sent, 1), (Outcome::Succeeded, 1)]);
        let of_batch = Filter { batch: Some("one".to_owned()), ..Filter::default() };
        let listed: Vec<_> = journal.records(&of_batch).unwrap().into_iter().map(|one| one.id).collect();
        assert_eq!(listed, [ids[4].as_str(), &ids[2], &ids[0]], "newest first");
    }
}
