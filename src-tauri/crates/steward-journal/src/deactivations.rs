//! Deactivation log: which services had their webhooks deactivated, and which of these webhooks were active before.
//!
//! [`Journal::begin_deactivation`] writes an entry before the request is sent. The entry stays until the webhooks are
//! active again or a user resolves it, so that the list of active webhooks survives a crash at any point. An entry whose
//! request was sent without a recorded response becomes [`DeactivationState::Unknown`] when the journal is opened next.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use serde::{Deserialize, Serialize};

use crate::checksum::Table;
use crate::journal::{Journal, JournalError, append, change};
use crate::salvage::{self, is_damage, number, optional_text, text};
use crate::trail;
use steward_redact as redact;

/// Service whose webhooks are about to be deactivated.
#[derive(Debug, Clone)]
pub struct NewDeactivation {
    /// Identifier of the history entry of the deactivation.
    pub record: String,
    /// Identifier of the saved site.
    pub site: String,
    /// Path of the service, for example `Hosted/Hydrants.FeatureServer`.
    pub service: String,
    /// Time since when the webhooks are inactive, in milliseconds since 1970: of the deactivation, or of the undo that made them
    /// inactive once more.
    pub deactivated_at: i64,
    /// User name of the session of that time.
    pub by: String,
    /// Reason that the user entered; may be empty.
    pub why: String,
    /// Webhooks that are active before the deactivation; `None` if the site does not report them.
    pub active: Option<Vec<DeactivatedWebhook>>,
}

/// Webhook that was active before a deactivation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeactivatedWebhook {
    /// Identifier assigned by the site.
    pub id: String,
    /// Name shown to the user, redacted before it is stored.
    pub name: String,
    /// Origin of the receiver. Paths and queries of receiver URLs often contain secrets and are not stored.
    pub origin: String,
}

/// State of the webhooks of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeactivationState {
    /// The request is running, or was never sent.
    Intended,
    /// The site confirmed the deactivation.
    Deactivated,
    /// The request was sent, and no response was received.
    Unknown,
    /// A user marked the entry as resolved without a reactivation by the program.
    ResolvedByHand,
}

/// Entry of the deactivation log.
#[derive(Debug, Clone)]
pub struct Deactivation {
    /// Identifier of the entry.
    pub id: String,
    /// Content written before the request was sent.
    pub intent: NewDeactivation,
    /// State of the webhooks.
    pub state: DeactivationState,
    /// Due time of the reminder, in milliseconds since 1970; `None` for no reminder.
    pub remind_at: Option<i64>,
    /// When the webhooks were reactivated or the entry was marked as resolved, in milliseconds since 1970; `None` for
    /// an open entry.
    pub resolved_at: Option<i64>,
    /// User who reactivated the webhooks or resolved the entry; `None` for an open entry.
    pub resolved_by: Option<String>,
    /// Server that the request was sent to, as in [`Intent::server`](crate::Intent::server); `None` if the history entry
    /// does not name it.
    pub server: Option<String>,
    /// URL of the request, as [`Intent::sent_to`](crate::Intent::sent_to); empty if the history entry does not have it.
    pub sent_to: String,
    /// Whether the entry was damaged on disk. Then its webhooks and its state are not known.
    pub is_damaged: bool,
}

const COLUMNS: &str =
    "id, record, site, service, deactivated_at, by, why, active, state, remind_at, resolved_at, resolved_by";

/// Server and URL of the history entry of a deactivation.
const SERVER: &str = "(SELECT server FROM record WHERE id = deactivation.record),
    (SELECT iif(json_valid(requests), requests ->> '$[#-1].address', NULL) FROM record WHERE id = deactivation.record)";

impl Journal {
    /// Writes an entry to disk before the request is sent, and returns its identifier.
    ///
    /// # Errors
    ///
    /// - [`JournalError::Damaged`] if the list of webhooks cannot be serialized.
    /// - [`JournalError::Database`] if the entry cannot be written. The request must not be sent then.
    pub fn begin_deactivation(&self, deactivation: &NewDeactivation) -> Result<String, JournalError> {
        let id = uuid::Uuid::new_v4().to_string();
        let active = deactivation.active.as_ref().map(|active| {
            let clean = |webhook: &DeactivatedWebhook| DeactivatedWebhook {
                id: webhook.id.clone(),
                name: redact::text(&webhook.name),
                origin: redact::text(&webhook.origin),
            };
            serde_json::to_string(&active.iter().map(clean).collect::<Vec<_>>())
        });
        let active = active.transpose().map_err(JournalError::Damaged)?;
        let sql = Table::Deactivation.insert(
            "?1 AS id, ?2 AS record, ?3 AS site, ?4 AS service, ?5 AS deactivated_at, ?6 AS by, ?7 AS why,
             ?8 AS active, 'intended' AS state, NULL AS remind_at, NULL AS resolved_at, NULL AS resolved_by",
        );
        self.in_transaction(|transaction| {
            transaction.execute(
                &sql,
                params![
                    id,
                    deactivation.record,
                    deactivation.site,
                    deactivation.service,
                    deactivation.deactivated_at,
                    redact::text(&deactivation.by),
                    redact::text(&deactivation.why),
                    active
                ],
            )
        })?;
        Ok(id)
    }

    /// Records that the site confirmed the deactivation, unless the entry is closed.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the entry cannot be written.
    pub fn confirm_deactivation(&self, id: &str) -> Result<(), JournalError> {
        let sql = "UPDATE deactivation SET state = 'deactivated' WHERE id = ?1 AND state IN ('intended', 'unknown')";
        self.change_one(sql, id, &[&id]).map(drop)
    }

    /// Deletes an entry whose request the site rejected: the webhooks were never deactivated.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the entry cannot be deleted.
    pub fn discard_deactivation(&self, id: &str) -> Result<(), JournalError> {
        self.change_one("DELETE FROM deactivation WHERE id = ?1", id, &[&id]).map(drop)
    }

    /// Marks the entries of a history entry as unknown that have no recorded response.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if an entry cannot be written.
    pub fn mark_deactivation_unknown(&self, record: &str) -> Result<(), JournalError> {
        let open: Vec<String> = {
            let connection = self.lock();
            let sql = "SELECT id FROM deactivation WHERE record = ?1 AND state = 'intended'";
            connection
                .prepare_cached(sql)
                .and_then(|mut statement| statement.query_map([record], |row| text(row, 0))?.collect())
                .map_err(|source| self.failed(source))?
        };
        let sql = "UPDATE deactivation SET state = 'unknown' WHERE id = ?1 AND state = 'intended'";
        open.iter().try_for_each(|id| self.change_one(sql, id, &[id]).map(drop))
    }

    /// Sets the due time of the reminder of an entry, in milliseconds since 1970; `None` removes the reminder.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::Database`] if the entry cannot be written.
    pub fn set_deactivation_reminder(&self, id: &str, at: Option<i64>) -> Result<(), JournalError> {
        self.must_change("UPDATE deactivation SET remind_at = ?2 WHERE id = ?1", id, &[&id, &at])
    }

    /// Records that every webhook of an entry is active again or was deleted on the site.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::Database`] if the entry cannot be written.
    pub fn mark_reactivated(&self, id: &str, by: &str, at: i64) -> Result<(), JournalError> {
        let sql = "UPDATE deactivation SET resolved_at = ?2, resolved_by = ?3 WHERE id = ?1";
        self.must_change(sql, id, &[&id, &at, &redact::text(by)])
    }

    /// Opens an entry again: its webhooks are about to become inactive once more, at `at` by the user `by`.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::Database`] if the entry cannot be written.
    pub fn reopen_deactivation(&self, id: &str, by: &str, at: i64) -> Result<(), JournalError> {
        // Whether the site had confirmed an entry that a user resolved is not known any more.
        let sql =
            "UPDATE deactivation SET deactivated_at = ?3, by = ?2, resolved_at = NULL, resolved_by = NULL,
                   state = iif(state = 'resolved by hand', 'unknown', state) WHERE id = ?1";
        self.must_change(sql, id, &[&id, &redact::text(by), &at])
    }

    /// Closes an entry again as it was closed before [`reopen_deactivation`](Self::reopen_deactivation). Does nothing if it is
    /// gone.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the entry cannot be written.
    pub fn close_deactivation_again(&self, entry: &Deactivation) -> Result<(), JournalError> {
        let sql = "UPDATE deactivation SET deactivated_at = ?5, by = ?6, resolved_at = ?2, resolved_by = ?3,
                   state = iif(?4, 'resolved by hand', state) WHERE id = ?1";
        let by_hand = entry.state == DeactivationState::ResolvedByHand;
        let (at, by) = (entry.intent.deactivated_at, &entry.intent.by);
        let values: [&dyn ToSql; 6] = [&entry.id, &entry.resolved_at, &entry.resolved_by, &by_hand, &at, by];
        self.change_one(sql, &entry.id, &values).map(drop)
    }

    /// Records that a user marked an entry as resolved, with an event of the audit trail.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::Database`] if the entry cannot be written.
    pub fn resolve_deactivation(&self, id: &str, by: &str, at: i64) -> Result<(), JournalError> {
        let sql = "UPDATE deactivation SET state = 'resolved by hand', resolved_at = ?2, resolved_by = ?3
                   WHERE id = ?1";
        let account = redact::text(by);
        let changed = self.in_transaction(|transaction| {
            let values = params![id, at, account];
            let changed = change(transaction, Table::Deactivation, "id = ?1", &[&id], sql, values)?;
            if changed > 0 {
                append(transaction, trail::resolved_deactivation(transaction, id, &account)?)?;
            }
            Ok(changed)
        })?;
        if changed == 0 { Err(JournalError::NoSuchRecord(id.to_owned())) } else { Ok(()) }
    }

    /// Reads the deactivation log of one site, or of all sites for `None`, newest entry first.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the log cannot be read.
    pub fn deactivations(&self, site: Option<&str>) -> Result<Vec<Deactivation>, JournalError> {
        let sql = format!("{} WHERE ?1 IS NULL OR site = ?1 ORDER BY sequence DESC", select(SERVER));
        let connection = self.lock();
        let read = connection
            .prepare_cached(&sql)
            .and_then(|mut statement| statement.query_map([site], deactivation)?.collect());
        let read = match read {
            Err(error) if is_damage(&error) => one_by_one(&connection, site),
            read => read,
        };
        read.map_err(|source| self.failed(source))
    }

    /// Reads the open entries of all sites, newest first.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the log cannot be read.
    pub fn open_deactivations(&self) -> Result<Vec<Deactivation>, JournalError> {
        let sql = format!("{} WHERE resolved_at IS NULL ORDER BY sequence DESC", select(SERVER));
        let read = || {
            self.lock()
                .prepare_cached(&sql)?
                .query_map([], deactivation)?
                .collect::<rusqlite::Result<Vec<_>>>()
        };
        match read() {
            Err(error) if is_damage(&error) => {
                let all = self.deactivations(None)?.into_iter();
                Ok(all.filter(|entry| entry.resolved_at.is_none()).collect())
            }
            read => read.map_err(|source| self.failed(source)),
        }
    }

    /// Reads one entry of the deactivation log.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::Database`] if the log cannot be read.
    pub fn deactivation(&self, id: &str) -> Result<Deactivation, JournalError> {
        let sql = format!("{} WHERE id = ?1", select(SERVER));
        let read = || self.lock().prepare_cached(&sql)?.query_row([id], deactivation).optional();
        let found = match read() {
            Err(error) if is_damage(&error) => {
                self.deactivations(None)?.into_iter().find(|entry| entry.id == id)
            }
            read => read.map_err(|source| self.failed(source))?,
        };
        found.ok_or_else(|| JournalError::NoSuchRecord(id.to_owned()))
    }

    /// Changes the entry with an identifier, which is the first of the values.
    fn change_one(&self, sql: &str, id: &str, values: &[&dyn ToSql]) -> Result<usize, JournalError> {
        self.in_transaction(|transaction| {
            change(transaction, Table::Deactivation, "id = ?1", &[&id], sql, values)
        })
    }

    fn must_change(&self, sql: &str, id: &str, values: &[&dyn ToSql]) -> Result<(), JournalError> {
        match self.change_one(sql, id, values)? {
            0 => Err(JournalError::NoSuchRecord(id.to_owned())),
            _ => Ok(()),
        }
    }
}

/// Returns the beginning of a statement that reads entries, with the expressions for their server and URL.
fn select(server: &str) -> String {
    format!("SELECT {COLUMNS}, {}, {server} FROM deactivation", Table::Deactivation.is_intact())
}

/// Reads the entries that can be read from a damaged file. The table of records may be what is damaged, so that their
/// server is not read.
fn one_by_one(connection: &Connection, site: Option<&str>) -> rusqlite::Result<Vec<Deactivation>> {
    let mut one = connection.prepare(&format!("{} WHERE sequence = ?1", select("NULL, NULL")))?;
    let mut entries = Vec::new();
    for place in salvage::places(connection, "deactivation")?.all().rev() {
        match one.query_row([place], deactivation) {
            Ok(entry) if site.is_none_or(|site| entry.intent.site == site) => entries.push(entry),
            Err(error) if error != rusqlite::Error::QueryReturnedNoRows && !is_damage(&error) => {
                return Err(error);
            }
            _ => {}
        }
    }
    Ok(entries)
}

fn deactivation(row: &Row<'_>) -> rusqlite::Result<Deactivation> {
    let is_intact: bool = row.get(12)?;
    let active = optional_text(row, 7)?.filter(|_| is_intact);
    let state = text(row, 8)?;
    Ok(Deactivation {
        id: text(row, 0)?,
        intent: NewDeactivation {
            record: text(row, 1)?,
            site: text(row, 2)?,
            service: text(row, 3)?,
            deactivated_at: number(row, 4)?.unwrap_or_default(),
            by: text(row, 5)?,
            why: text(row, 6)?,
            // Treat a list that cannot be parsed as unknown.
            active: active.and_then(|active| serde_json::from_str(&active).ok()),
        },
        state: match state.as_str() {
            "intended" if is_intact => DeactivationState::Intended,
            "deactivated" if is_intact => DeactivationState::Deactivated,
            "resolved by hand" if is_intact => DeactivationState::ResolvedByHand,
            _ => DeactivationState::Unknown,
        },
        remind_at: number(row, 9)?,
        resolved_at: number(row, 10)?,
        resolved_by: optional_text(row, 11)?,
        server: optional_text(row, 13)?,
        sent_to: optional_text(row, 14)?.unwrap_or_default(),
        is_damaged: !is_intact,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_deactivation() -> NewDeactivation {
        let webhook = |id: &str| DeactivatedWebhook {
            id: id.to_owned(),
            name: format!("Notify {id}"),
            origin: "https://hooks.example.org".to_owned(),
        };
        NewDeactivation {
            record: "record".to_owned(),
            site: "a".to_owned(),
            service: "Hosted/Hydrants.FeatureServer".to_owned(),
            deactivated_at: 1_000,
            by: "gisadmin".to_owned(),
            why: "Maintenance of the receiver".to_owned(),
            active: Some(vec![webhook("1"), webhook("2")]),
        }
    }

    #[test]
    fn active_webhooks_are_known_after_a_crash_before_the_response() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = Journal::open(&path).unwrap();
        let lost = journal.begin_deactivation(&new_deactivation()).unwrap();
        let answered = journal.begin_deactivation(&new_deactivation()).unwrap();
        journal.confirm_deactivation(&answered).unwrap();
        drop(journal);

        let journal = Journal::open(&path).unwrap();

        assert_eq!(journal.deactivation(&lost).unwrap().state, DeactivationState::Unknown);
        assert_eq!(journal.deactivation(&answered).unwrap().state, DeactivationState::Deactivated);
        assert_eq!(journal.deactivation(&lost).unwrap().intent.active, new_deactivation().active);
    }

    #[test]
    fn one_of_very_many_entries_is_read_without_the_others() {
        let (_folder, journal) = Journal::in_new_folder();
        let ids: Vec<_> =
            (0..3_000).map(|_| journal.begin_deactivation(&new_deactivation()).unwrap()).collect();

        // Otherwise nine million entries would be read.
        for id in &ids {
            assert_eq!(journal.deactivation(id).unwrap().id, *id);
        }
    }

    #[test]
    fn an_entry_stays_until_it_is_resolved_and_a_rejected_one_is_deleted() {
        let (_folder, journal) = Journal::in_new_folder();
        let unknown = NewDeactivation { active: None, ..new_deactivation() };
        let (first, second) = (
            journal.begin_deactivation(&new_deactivation()).unwrap(),
            journal.begin_deactivation(&unknown).unwrap(),
        );
        journal.discard_deactivation(&second).unwrap();
        journal.set_deactivation_reminder(&first, Some(5_000)).unwrap();
        journal.mark_reactivated(&first, "sam", 9_000).unwrap();

        let entries = journal.deactivations(Some("a")).unwrap();

        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].remind_at, Some(5_000));
        assert_eq!((entries[0].resolved_at, entries[0].resolved_by.as_deref()), (Some(9_000), Some("sam")));
        assert_eq!(entries[0].state, DeactivationState::Intended);
        journal.resolve_deactivation(&first, "sam", 10_000).unwrap();
        assert_eq!(journal.deactivation(&first).unwrap().state, DeactivationState::ResolvedByHand);
        assert!(journal.deactivations(Some("b")).unwrap().is_empty());
        assert!(matches!(
            journal.set_deactivation_reminder(&second, None),
            Err(JournalError::NoSuchRecord(_))
        ));
    }

    #[test]
    fn an_entry_that_is_opened_again_begins_then_and_is_as_it_was_when_it_is_closed_again() {
        let (_folder, journal) = Journal::in_new_folder();
        let id = journal.begin_deactivation(&new_deactivation()).unwrap();
        journal.resolve_deactivation(&id, "sam", 9_000).unwrap();
        let closed = journal.deactivation(&id).unwrap();

        journal.reopen_deactivation(&id, "kim", 20_000).unwrap();
        let open = journal.deactivation(&id).unwrap();
        journal.close_deactivation_again(&closed).unwrap();

        assert_eq!((open.intent.deactivated_at, open.intent.by.as_str()), (20_000, "kim"));
        assert_eq!(
            (open.resolved_at, open.resolved_by, open.state),
            (None, None, DeactivationState::Unknown)
        );
        assert_eq!(format!("{:?}", journal.deactivation(&id).unwrap()), format!("{closed:?}"));
    }

    #[test]
    fn an_entry_that_a_user_resolves_is_told_in_the_audit_trail() {
        let (_folder, journal) = Journal::in_new_folder();
        let deactivation = new_deactivation();
        let id = journal.begin_deactivation(&deactivation).unwrap();

        journal.resolve_deactivation(&id, "sam", 10_000).unwrap();
        assert!(matches!(journal.resolve_deactivation("gone", "sam", 1), Err(JournalError::NoSuchRecord(_))));

        let mut told: Vec<serde_json::Value> = Vec::new();
        let collect = |entry: &crate::trail::export::Entry| {
            told.extend(entry.body.as_deref().and_then(|body| serde_json::from_str(body).ok()));
            Ok::<_, JournalError>(())
        };
        journal.read_trail(&crate::trail::export::Selection::default(), i64::MAX, collect).unwrap();
        told.retain(|body| body["type"] == "deactivation.resolved");
        assert_eq!(told.len(), 1);
        for (field, value) in
            [("record", &deactivation.record), ("site", &deactivation.site), ("account", &"sam".to_owned())]
        {
            assert_eq!(told[0][field], **value, "{field}");
        }
        assert_eq!(told[0]["parameters"], serde_json::json!([["service", deactivation.service]]));
    }

    #[test]
    fn secrets_in_names_and_reasons_are_not_stored_in_the_deactivation_log() {
        let (_folder, journal) = Journal::in_new_folder();
        let mut secret = new_deactivation();
        secret.why = "the receiver has password=canary1 now".to_owned();
        secret.active.as_mut().unwrap()[0].name = "hook token=canary2".to_owned();
        let id = journal.begin_deactivation(&secret).unwrap();

        let kept = format!("{:?}", journal.deactivation(&id).unwrap());

        assert!(!kept.contains("canary"), "{kept}");
    }
}
