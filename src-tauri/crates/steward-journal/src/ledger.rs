//! The ledger of silenced services: whose webhooks were stopped, and which of them were active before.
//!
//! An entry is on disk before the request leaves. It stays until its webhooks are active again, so that what was
//! active is known however the program ends in between.

use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use crate::journal::{Journal, JournalError};
use crate::redact;

/// A service whose webhooks are about to fall silent.
#[derive(Debug, Clone)]
pub struct Silencing {
    /// The record of the deactivation.
    pub record: String,
    /// Identifier of the saved site.
    pub site: String,
    /// Path of the service, as in `Hosted/Hydrants.FeatureServer`.
    pub service: String,
    /// Milliseconds since 1970.
    pub silenced_at: i64,
    /// Who is signed in.
    pub by: String,
    /// Why, in the person's words; may be empty.
    pub why: String,
    /// The webhooks that are active now; `None` when the site does not tell.
    pub active: Option<Vec<SilencedWebhook>>,
}

/// A webhook that was active.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SilencedWebhook {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The origin that payloads are delivered to. Paths and queries of such addresses are often secrets.
    pub origin: String,
}

/// Whether the webhooks of an entry are silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SilenceState {
    /// The request is on its way, or was never sent.
    Intended,
    /// The site said so.
    Silenced,
    /// Sent, and the answer is not known.
    Unknown,
    /// A person said that it needs no restoring any more.
    ByHand,
}

/// One entry of the ledger.
#[derive(Debug, Clone)]
pub struct Silence {
    /// Identifier.
    pub id: String,
    /// What was stopped.
    pub silencing: Silencing,
    /// Whether it is silent.
    pub state: SilenceState,
    /// When to remind of it, in milliseconds since 1970.
    pub remind_at: Option<i64>,
    /// When everything was active again, in milliseconds since 1970.
    pub restored_at: Option<i64>,
    /// Who made it active again.
    pub restored_by: Option<String>,
}

const COLUMNS: &str =
    "id, record, site, service, silenced_at, by, why, active, state, remind_at, restored_at, restored_by";

impl Journal {
    /// Enters a service into the ledger. When this returns, it is on disk.
    ///
    /// # Errors
    /// When it could not be written; then nothing may be sent.
    pub fn intend_silence(&self, silencing: &Silencing) -> Result<String, JournalError> {
        let id = uuid::Uuid::new_v4().to_string();
        let active = silencing.active.as_ref().map(|active| {
            let clean = |webhook: &SilencedWebhook| SilencedWebhook {
                id: webhook.id.clone(),
                name: redact::text(&webhook.name),
                origin: redact::text(&webhook.origin),
            };
            serde_json::to_string(&active.iter().map(clean).collect::<Vec<_>>())
        });
        let active = active.transpose().map_err(JournalError::Damaged)?;
        self.change(
            "INSERT INTO silence (id, record, site, service, silenced_at, by, why, active, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'intended')",
            params![
                id,
                silencing.record,
                silencing.site,
                silencing.service,
                silencing.silenced_at,
                redact::text(&silencing.by),
                redact::text(&silencing.why),
                active
            ],
        )?;
        Ok(id)
    }

    /// The site said that the service is silent.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn silence_answered(&self, id: &str) -> Result<(), JournalError> {
        self.change("UPDATE silence SET state = 'silenced' WHERE id = ?1", [id]).map(drop)
    }

    /// The site refused: the service was never silent, and the entry goes.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn silence_refused(&self, id: &str) -> Result<(), JournalError> {
        self.change("DELETE FROM silence WHERE id = ?1", [id]).map(drop)
    }

    /// The answer to the last request of a deactivation is lost.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn silence_lost(&self, record: &str) -> Result<(), JournalError> {
        let sql = "UPDATE silence SET state = 'unknown' WHERE record = ?1 AND state = 'intended'";
        self.change(sql, [record]).map(drop)
    }

    /// When to remind of an entry, in milliseconds since 1970; `None` for never.
    ///
    /// # Errors
    /// When there is no such entry, or it could not be written.
    pub fn remind_of_silence(&self, id: &str, at: Option<i64>) -> Result<(), JournalError> {
        self.must_change("UPDATE silence SET remind_at = ?2 WHERE id = ?1", id, params![id, at])
    }

    /// Everything that an entry names is active again, or gone from the site.
    ///
    /// # Errors
    /// When there is no such entry, or it could not be written.
    pub fn silence_restored(&self, id: &str, by: &str, at: i64) -> Result<(), JournalError> {
        let sql = "UPDATE silence SET restored_at = ?2, restored_by = ?3 WHERE id = ?1";
        self.must_change(sql, id, params![id, at, redact::text(by)])
    }

    /// A person said that the service needs no restoring any more.
    ///
    /// # Errors
    /// When there is no such entry, or it could not be written.
    pub fn silence_settled(&self, id: &str, by: &str, at: i64) -> Result<(), JournalError> {
        let sql = "UPDATE silence SET state = 'by hand', restored_at = ?2, restored_by = ?3 WHERE id = ?1";
        self.must_change(sql, id, params![id, at, redact::text(by)])
    }

    /// The ledger of a site, or of all of them, newest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn silences(&self, site: Option<&str>) -> Result<Vec<Silence>, JournalError> {
        let sql =
            format!("SELECT {COLUMNS} FROM silence WHERE ?1 IS NULL OR site = ?1 ORDER BY sequence DESC");
        let connection = self.lock();
        connection
            .prepare_cached(&sql)
            .and_then(|mut statement| statement.query_map([site], silence)?.collect())
            .map_err(|source| self.failed(source))
    }

    /// One entry of the ledger.
    ///
    /// # Errors
    /// When there is no such entry, or it cannot be read.
    pub fn silence(&self, id: &str) -> Result<Silence, JournalError> {
        let found = self.silences(None)?.into_iter().find(|entry| entry.id == id);
        found.ok_or_else(|| JournalError::NoSuchRecord(id.to_owned()))
    }

    fn change(&self, sql: &str, values: impl rusqlite::Params) -> Result<usize, JournalError> {
        self.lock()
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(values))
            .map_err(|source| self.failed(source))
    }

    fn must_change(&self, sql: &str, id: &str, values: impl rusqlite::Params) -> Result<(), JournalError> {
        match self.change(sql, values)? {
            0 => Err(JournalError::NoSuchRecord(id.to_owned())),
            _ => Ok(()),
        }
    }
}

fn silence(row: &Row<'_>) -> rusqlite::Result<Silence> {
    let active: Option<String> = row.get(7)?;
    let state: String = row.get(8)?;
    Ok(Silence {
        id: row.get(0)?,
        silencing: Silencing {
            record: row.get(1)?,
            site: row.get(2)?,
            service: row.get(3)?,
            silenced_at: row.get(4)?,
            by: row.get(5)?,
            why: row.get(6)?,
            // A list that cannot be read is one that is not known.
            active: active.and_then(|active| serde_json::from_str(&active).ok()),
        },
        state: match state.as_str() {
            "intended" => SilenceState::Intended,
            "silenced" => SilenceState::Silenced,
            "by hand" => SilenceState::ByHand,
            _ => SilenceState::Unknown,
        },
        remind_at: row.get(9)?,
        restored_at: row.get(10)?,
        restored_by: row.get(11)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn silencing() -> Silencing {
        let webhook = |id: &str| SilencedWebhook {
            id: id.to_owned(),
            name: format!("Notify {id}"),
            origin: "https://hooks.example.org".to_owned(),
        };
        Silencing {
            record: "record".to_owned(),
            site: "a".to_owned(),
            service: "Hosted/Hydrants.FeatureServer".to_owned(),
            silenced_at: 1_000,
            by: "gisadmin".to_owned(),
            why: "Maintenance of the receiver".to_owned(),
            active: Some(vec![webhook("1"), webhook("2")]),
        }
    }

    #[test]
    fn what_was_active_is_known_after_a_program_that_ended_before_the_answer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = Journal::open(&path).unwrap();
        let lost = journal.intend_silence(&silencing()).unwrap();
        let answered = journal.intend_silence(&silencing()).unwrap();
        journal.silence_answered(&answered).unwrap();
        drop(journal);

        let journal = Journal::open(&path).unwrap();

        assert_eq!(journal.silence(&lost).unwrap().state, SilenceState::Unknown);
        assert_eq!(journal.silence(&answered).unwrap().state, SilenceState::Silenced);
        assert_eq!(journal.silence(&lost).unwrap().silencing.active, silencing().active);
    }

    #[test]
    fn an_entry_stays_until_it_is_restored_and_a_refused_one_goes() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let unknown = Silencing { active: None, ..silencing() };
        let (first, second) =
            (journal.intend_silence(&silencing()).unwrap(), journal.intend_silence(&unknown).unwrap());
        journal.silence_refused(&second).unwrap();
        journal.remind_of_silence(&first, Some(5_000)).unwrap();
        journal.silence_restored(&first, "sam", 9_000).unwrap();

        let entries = journal.silences(Some("a")).unwrap();

        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].remind_at, Some(5_000));
        assert_eq!((entries[0].restored_at, entries[0].restored_by.as_deref()), (Some(9_000), Some("sam")));
        assert_eq!(entries[0].state, SilenceState::Intended);
        journal.silence_settled(&first, "sam", 10_000).unwrap();
        assert_eq!(journal.silence(&first).unwrap().state, SilenceState::ByHand);
        assert!(journal.silences(Some("b")).unwrap().is_empty());
        assert!(matches!(journal.remind_of_silence(&second, None), Err(JournalError::NoSuchRecord(_))));
    }

    #[test]
    fn no_secret_of_a_name_or_a_reason_is_in_the_ledger() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let mut secret = silencing();
        secret.why = "the receiver has password=canary1 now".to_owned();
        secret.active.as_mut().unwrap()[0].name = "hook token=canary2".to_owned();
        let id = journal.intend_silence(&secret).unwrap();

        let kept = format!("{:?}", journal.silence(&id).unwrap());

        assert!(!kept.contains("canary"), "{kept}");
    }
}
