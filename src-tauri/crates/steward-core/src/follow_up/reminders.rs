//! Reminders from the history and the deactivation log.
//!
//! [`due`] sends no request to a site. The shell calls it at intervals, to notify of the reminders that [`Announced`]
//! returns: each once, also across restarts.

use std::path::PathBuf;

use serde::Serialize;

use crate::access::checked_facts::find;
use crate::files::JsonStore;
use crate::history::invitations::{self, SOON};
use crate::history::parameters::{COLLABORATION, INVITATION};
use crate::history::record_target::is_of;
use crate::model::ids::{SiteId, Target};
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::site_context::SiteContext;
use crate::webhooks::deactivation_log::{self, DeactivationId};

/// A due item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reminder {
    /// Site with the due item.
    pub site: SiteId,
    /// Time when it became due, or when the invitation expires.
    pub at: Millis,
    /// Subject of the reminder.
    pub about: ReminderAbout,
}

/// Subject of a reminder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ReminderAbout {
    /// The webhooks of a service are still deactivated, and the user requested a reminder.
    Deactivation {
        /// Entry of the deactivation log.
        entry: DeactivationId,
        /// Path of the service.
        service: String,
    },
    /// A refreshed invitation expires within a day.
    Invitation {
        /// Identifier of the collaboration.
        collaboration_id: String,
        /// Identifier of the invitation.
        invitation_id: String,
    },
}

/// Due reminders that a notification was shown for.
pub struct Announced(JsonStore<Vec<String>>);

impl Announced {
    /// Reads the stored reminders.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        Self(JsonStore::open(file))
    }

    /// Returns the reminders among all due ones that were not returned before. They are stored first, so that a
    /// restart does not repeat one. Those that are no longer due are forgotten.
    pub fn take_new(&self, due: Vec<Reminder>) -> Vec<Reminder> {
        // A reminder that is set to another time is another one.
        let keyed: Vec<_> =
            due.into_iter().filter_map(|one| Some((serde_json::to_string(&one).ok()?, one))).collect();
        let before = self.0.get();
        let now: Vec<String> = keyed.iter().map(|(key, _)| key.clone()).collect();
        if now != before {
            self.0.change(|announced| *announced = now);
        }
        keyed.into_iter().filter(|(key, _)| !before.contains(key)).map(|(_, one)| one).collect()
    }
}

/// Returns the due items at a time, the most urgent first.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn due(context: &SiteContext, now: Millis) -> Result<Vec<Reminder>, Problem> {
    let mut due = Vec::new();
    for entry in deactivation_log::entries(context, None).await? {
        let has_some = entry.left.as_ref().is_none_or(|left| !left.is_empty());
        if let (Some(at), None) = (entry.remind_at.filter(|at| *at <= now), entry.resolved_at)
            && has_some
        {
            let about = ReminderAbout::Deactivation { entry: entry.id, service: entry.service };
            due.push(Reminder { site: entry.site, at, about });
        }
    }
    let (filter, checks) = (invitations::refreshes(now), context.access.checked.all());
    let mut seen = Vec::new();
    for record in context.history.journal(move |journal| journal.records(&filter)).await? {
        let given = |name: &str| {
            let found = record.intent.parameters.iter().find(|(given, _)| given == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let about = ReminderAbout::Invitation {
            collaboration_id: given(COLLABORATION),
            invitation_id: given(INVITATION),
        };
        // Newest first: an earlier refresh of the same invitation is obsolete.
        let key = (record.intent.site.clone(), about.clone());
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let Some(end) = invitations::expires_at(&record) else { continue };
        // The history of a removed site remains, but nothing can be done there.
        let portal = context.access.sites.at(&Target::portal(SiteId(record.intent.site.clone()))).ok();
        let Some(portal) = portal.filter(|portal| is_of(portal, &record.intent)) else { continue };
        let is_settled = find(&checks, &portal).is_some_and(|checks| {
            let ReminderAbout::Invitation { collaboration_id, invitation_id } = &about else { return false };
            checks.lacks_invitation(collaboration_id, invitation_id, record.ended_at.map(Millis))
        });
        if (end.0 - SOON..=end.0).contains(&now.0) && !is_settled {
            due.push(Reminder { site: portal.id.clone(), at: end, about });
        }
    }
    due.sort_by_key(|reminder| reminder.at);
    Ok(due)
}
