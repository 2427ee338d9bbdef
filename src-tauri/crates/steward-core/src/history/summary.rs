//! Summaries of history entries: one sentence with names and values, for entries whose note does not contain them.
//!
//! `of` returns it as data, for the window. `described` returns it as text, for files.

use serde::Serialize;
use steward_journal::tables::Description;
use steward_journal::{RunPart, StoredRecord};

use crate::history::parameters::{given, several};
use crate::history::{Outcome, imports};
use crate::model::history_key::{HistoryAction, HistoryKey, REHEARSED_SITE};
use crate::model::isolated::joined;
use crate::model::localized_text::Texts;
use crate::model::numbers::count;
use crate::model::operation::OperationKey;

/// Summary of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Summary {
    /// Webhooks were deactivated.
    Deactivation {
        /// Paths of all services of the request.
        services: Vec<String>,
        /// Paths of the services whose webhooks were deactivated; `null` if they are not known, or nothing was sent.
        deactivated: Option<Vec<String>>,
    },
    /// Webhooks of a service were reactivated.
    Reactivation {
        /// Path of the service.
        service: String,
        /// Number of webhooks that were to be reactivated: those that were active before the deactivation, without
        /// those that were already active again.
        webhooks: u32,
        /// Number of webhooks that were reactivated; `null` if it is not known.
        reactivated: Option<u32>,
    },
    /// The contact of a participant was changed.
    Contact {
        /// Name of the participant; its identifier if the name is not known.
        participant: String,
        /// Name of the collaboration; its identifier if the name is not known.
        collaboration: String,
        /// Contact as listed before the change, empty if there was none; `null` if it was not listed.
        before: Option<String>,
        /// Contact as sent.
        after: String,
        /// Whether the portal confirmed the change, and did not show another contact afterwards.
        changed: bool,
    },
    /// An invitation was refreshed.
    Invitation {
        /// URL of the invited portal; the identifier of the invitation if the URL is not known.
        guest: String,
        /// Name of the collaboration; its identifier if the name is not known.
        collaboration: String,
        /// Whether the portal confirmed the refresh, and did not show the expiration of before afterwards.
        refreshed: bool,
    },
    /// A backup plan ran.
    PlanRun {
        /// Name of the plan at that time.
        plan: String,
        /// Parts of the backup set; empty if there is no set, or the run has not ended.
        parts: Vec<RunPart>,
    },
    /// A restore was rehearsed.
    Rehearsal {
        /// Name at that time of the site of the backup set.
        site: String,
        /// Parts of the backup set.
        parts: Vec<RunPart>,
    },
}

/// Makes the summary of a record of an operation; `None` if the operation and the note contain everything. Each operation
/// has its own.
pub(crate) type Summarize = fn(OperationKey, &StoredRecord) -> Option<Summary>;

/// Returns the summary of an entry; `None` if the operation or action and the note contain everything.
pub(crate) fn of(record: &StoredRecord, of_operation: Summarize) -> Option<Summary> {
    match HistoryKey::named(&record.intent.operation)? {
        HistoryKey::Operation(key) => of_operation(key, record),
        HistoryKey::Act(HistoryAction::ReactivateWebhooks) => of_reactivation(record),
        HistoryKey::Act(HistoryAction::RunPlan) => Some(Summary::PlanRun {
            plan: given(&record.intent.parameters, "plan").unwrap_or_default().to_owned(),
            parts: record.facts.run_parts.clone(),
        }),
        HistoryKey::Act(HistoryAction::Rehearse) => Some(Summary::Rehearsal {
            site: given(&record.intent.parameters, REHEARSED_SITE).unwrap_or_default().to_owned(),
            parts: record.facts.run_parts.clone(),
        }),
        HistoryKey::Act(_) => None,
    }
}

fn of_reactivation(record: &StoredRecord) -> Option<Summary> {
    let parameters = &record.intent.parameters;
    let service = given(parameters, "service").filter(|service| !service.is_empty())?.to_owned();
    if let Some(counts) = record.facts.reactivation {
        let is_known = !matches!(record.outcome, Outcome::Sent | Outcome::Unknown);
        return Some(Summary::Reactivation {
            service,
            webhooks: counts.inactive,
            reactivated: is_known.then_some(counts.reactivated),
        });
    }
    // A record of an earlier version, or without an end, has no counts.
    let (planned, all) = (record.intent.requests.len(), several(parameters, "webhook").count());
    // Without a request, nothing changed: the webhooks were active already, or deleted.
    let is_known =
        record.outcome == Outcome::Succeeded || (planned == 0 && record.outcome == Outcome::Warnings);
    Some(Summary::Reactivation {
        service,
        webhooks: count(all),
        reactivated: is_known.then(|| count(planned)),
    })
}

/// Returns the name and the summary of an entry for files, the summary in the language of `words`.
pub(crate) fn described(record: &StoredRecord, of_operation: Summarize, words: &Texts) -> Description {
    let summary = of(record, of_operation).map(|summary| in_words(&summary, words));
    Description { operation: kind(record).to_owned(), summary: summary.unwrap_or_default() }
}

/// Returns the key of an operation or action. What was done around an import has a key of its own.
fn kind(record: &StoredRecord) -> &str {
    if imports::is_undo(&record.intent) {
        if imports::is_portal_import(&record.intent) { UNDO_PORTAL_IMPORT } else { UNDO_IMPORT }
    } else if imports::is_safety_backup(&record.intent) {
        SAFETY_BACKUP
    } else {
        &record.intent.operation
    }
}

/// Key of the undo of a server import in files.
pub(crate) const UNDO_IMPORT: &str = "undo_import";
/// Key of the undo of a portal import in files.
pub(crate) const UNDO_PORTAL_IMPORT: &str = "undo_portal_import";
/// Key of a safety backup in files.
pub(crate) const SAFETY_BACKUP: &str = "safety_backup";

fn in_words(summary: &Summary, words: &Texts) -> String {
    let say = |name: &str, given: &[(&str, &str)]| words.say(&format!("summary.{name}"), given);
    let counted = |name: &str, number: usize, given: &[(&str, &str)]| {
        let plural = if number == 1 { "one" } else { "other" };
        let number = number.to_string();
        say(&format!("{name}_{plural}"), &[&[("count", number.as_str())], given].concat())
    };
    match summary {
        Summary::Deactivation { services, deactivated } => {
            let names = joined(services, ", ");
            let all = services.len();
            match deactivated {
                None => counted("deactivating", all, &[("services", &names)]),
                Some(done) if done.len() == all => counted("deactivated", all, &[("services", &names)]),
                Some(done) if done.is_empty() => counted("deactivatedNone", all, &[("services", &names)]),
                Some(done) => {
                    let given = [("done", &*done.len().to_string()), ("services", &joined(done, ", "))];
                    counted("deactivatedPartly", all, &given)
                }
            }
        }
        Summary::Reactivation { service, webhooks, reactivated } => match reactivated {
            None => counted("reactivating", *webhooks as usize, &[("service", service)]),
            Some(0) if *webhooks == 0 => say("reactivatedNothing", &[("service", service)]),
            Some(0) => say("reactivatedNone", &[("service", service)]),
            Some(some) if some < webhooks => {
                let given = [("done", &*some.to_string()), ("service", service)];
                counted("reactivatedPartly", *webhooks as usize, &given)
            }
            Some(some) => counted("reactivated", *some as usize, &[("service", service)]),
        },
        Summary::Contact { participant, collaboration, before, after, changed } => {
            let none = say("noContact", &[]);
            let or_none = |contact: &str| if contact.is_empty() { none.clone() } else { contact.to_owned() };
            let (before, after) = (before.as_deref().map(or_none), or_none(after));
            let name = match (&before, changed) {
                (Some(_), true) => "contactChanged",
                (Some(_), false) => "contact",
                (None, true) => "contactChangedTo",
                (None, false) => "contactTo",
            };
            let before = before.unwrap_or_default();
            say(
                name,
                &[
                    ("participant", participant),
                    ("collaboration", collaboration),
                    ("before", &before),
                    ("after", &after),
                ],
            )
        }
        Summary::Invitation { guest, collaboration, refreshed } => say(
            if *refreshed { "refreshed" } else { "refreshing" },
            &[("guest", guest), ("collaboration", collaboration)],
        ),
        Summary::PlanRun { plan, parts } => {
            let done = parts.iter().filter(|part| part.is_as_expected).count();
            match parts.len() {
                0 => say("planRunWithoutSet", &[("plan", plan)]),
                all if all == done => counted("planRun", all, &[("plan", plan)]),
                all => counted("planRunPartly", all, &[("plan", plan), ("done", &done.to_string())]),
            }
        }
        Summary::Rehearsal { site, parts } => {
            let done = parts.iter().filter(|part| part.is_as_expected).count().to_string();
            counted("rehearsal", parts.len(), &[("site", site), ("done", &done)])
        }
    }
}
