//! What is due, from what the journal and the ledger know. Nothing is asked of a site, and nothing runs by itself:
//! the window asks when it is opened and now and then.

use serde::Serialize;
use steward_journal::{Filter, Outcome};

use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::operation::Key;
use crate::model::problem::Problem;
use crate::operations::deactivate_webhooks::deactivation_log::{self, SilenceId};

/// Something to think of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Reminder {
    /// The site.
    pub site: SiteId,
    /// Since when it is due, or when it ends.
    pub at: Millis,
    /// What it is.
    pub about: ReminderAbout,
}

/// What a reminder is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ReminderAbout {
    /// A service is still silent, and the person wanted to be reminded.
    Silence {
        /// The entry of the ledger.
        entry: SilenceId,
        /// Path of the service.
        service: String,
    },
    /// An invitation that was refreshed from here ends within a day.
    Invitation {
        /// The collaboration.
        collaboration_id: String,
        /// The invitation.
        invitation_id: String,
    },
}

const HOUR: i64 = 60 * 60 * 1000;
/// The specification: a refreshed invitation is valid for 72 hours. They are counted from the answer by our clock,
/// so that it does not matter how far the portal's is from ours.
const VALID_FOR: i64 = 72 * HOUR;
/// The last day is the time to refresh it again.
const SOON: i64 = 24 * HOUR;

/// What is due at a moment, the most urgent first.
pub async fn due(host: &Host, now: Millis) -> Result<Vec<Reminder>, Problem> {
    let mut due = Vec::new();
    // The history and the ledger of a site outlive it; there is nothing to be done on it any more.
    let is_saved = |site: &SiteId| host.sites.get(site).is_ok();
    for entry in deactivation_log::ledger(host, None).await? {
        if let (Some(at), None) = (entry.remind_at.filter(|at| *at <= now), entry.restored_at)
            && is_saved(&entry.site)
        {
            let about = ReminderAbout::Silence { entry: entry.id, service: entry.service };
            due.push(Reminder { site: entry.site, at, about });
        }
    }
    let filter = Filter {
        operation: Some(Key::RefreshInvitation.name().to_owned()),
        outcomes: vec![Outcome::Succeeded, Outcome::Warnings],
        from: Some(now.0 - VALID_FOR - HOUR),
        ..Filter::default()
    };
    let mut seen = Vec::new();
    for record in host.journal(move |journal| journal.records(&filter)).await? {
        let given = |name: &str| {
            let found = record.intent.parameters.iter().find(|(given, _)| given == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let about = ReminderAbout::Invitation {
            collaboration_id: given("collaborationId"),
            invitation_id: given("invitationId"),
        };
        // Newest first: an earlier refresh of the same invitation counts no more.
        let key = (record.intent.site.clone(), about.clone());
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let Some(answered) = record.ended_at else { continue };
        let end = answered + VALID_FOR;
        let site = SiteId(record.intent.site);
        if (end - SOON..=end).contains(&now.0) && is_saved(&site) {
            due.push(Reminder { site, at: Millis(end), about });
        }
    }
    due.sort_by_key(|reminder| reminder.at);
    Ok(due)
}
