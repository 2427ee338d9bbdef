//! Texts of the notifications of ended runs, and of reminders when they are due.

use crate::follow_up::reminders::{self, Announced, Reminder, ReminderAbout};
use crate::history::{Outcome, imports};
use crate::model::localized_text::Texts;
use crate::model::numbers::Millis;
use crate::model::site_proof::ProofState;
use crate::proof::watch::Ended;
use crate::runs::EndedRun;
use crate::settings::preferences::Preferences;
use crate::site_context::SiteContext;

/// A notification of the desktop.
#[derive(Debug, PartialEq, Eq)]
pub struct Notification {
    /// Title, with the site.
    pub title: String,
    /// Text, with line breaks.
    pub body: String,
}

/// Desktops cut off longer notifications.
const MOST_LINES: usize = 4;

/// Returns the notifications of reminders that are due and not announced yet, one for each site; none if reminders are
/// switched off.
pub async fn of_reminders(
    context: &SiteContext,
    announced: &Announced,
    preferences: &Preferences,
    words: &Texts,
) -> Vec<Notification> {
    if !preferences.reminders {
        return Vec::new();
    }
    let due = match reminders::due(context, Millis::now()).await {
        Ok(due) => announced.take_new(due),
        Err(error) => {
            tracing::warn!(?error, "cannot read the reminders");
            Vec::new()
        }
    };
    let sites = context.access.sites.all();
    sites
        .iter()
        .map(|site| (site, due.iter().filter(|one| one.site == site.id).collect::<Vec<_>>()))
        .filter(|(_, due)| !due.is_empty())
        .map(|(site, due)| of_site(&site.name, &due, words))
        .collect()
}

fn of_site(site: &str, due: &[&Reminder], words: &Texts) -> Notification {
    let mut lines: Vec<_> = due
        .iter()
        .take(MOST_LINES)
        .map(|one| match &one.about {
            ReminderAbout::Deactivation { service, .. } => {
                words.say("notice.deactivation", &[("service", service)])
            }
            ReminderAbout::Invitation { .. } => words.say("notice.invitation", &[]),
        })
        .collect();
    if due.len() > MOST_LINES {
        lines.push("…".to_owned());
    }
    Notification { title: words.say("notice.reminder", &[("site", site)]), body: lines.join("\n") }
}

/// Returns the notification of an ended run; `None` if notifications are switched off.
#[must_use]
pub fn of_run(run: &EndedRun, preferences: &Preferences, words: &Texts) -> Option<Notification> {
    preferences.notifications.then(|| text(run, words))
}

/// Returns the notification of a site that needs no further check after an import; `None` if notifications are switched off.
#[must_use]
pub fn of_proof(ended: &Ended, preferences: &Preferences, words: &Texts) -> Option<Notification> {
    let state = match ended.proof.state {
        ProofState::Done => "done",
        ProofState::Wrong => "wrong",
        ProofState::NotKnown => "notKnown",
        ProofState::NotYet => "notYet",
    };
    preferences.notifications.then(|| Notification {
        title: ended.site_name.clone(),
        body: words.say(&format!("notice.back.{state}"), &[]),
    })
}

fn text(run: &EndedRun, words: &Texts) -> Notification {
    let name = match run.act {
        None if run.is_undo => imports::undo_text(run.operation.descriptor().component()),
        Some(act) => format!("historyAction.{}", act.name()),
        None => format!("operation.{}.name", run.operation.name()),
    };
    let operation = words.say(&name, &[]);
    let outcome = match run.outcome {
        Outcome::Sent | Outcome::Unknown => "unknown",
        Outcome::Succeeded => "succeeded",
        Outcome::Warnings => "warnings",
        Outcome::Failed => "failed",
        Outcome::NotSent => "notSent",
    };
    let site = run.server_name.as_ref().map_or_else(
        || run.site_name.clone(),
        |server| words.say("serverOfSite", &[("server", server), ("site", &run.site_name)]),
    );
    let given = [("operation", operation.as_str()), ("site", site.as_str())];
    Notification {
        title: words.say("operationsPanel.run", &given),
        body: words.say(&format!("notice.{outcome}"), &given),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::model::history_key::HistoryAction;
    use crate::model::ids::SiteId;
    use crate::model::operation::OperationKey;
    use crate::model::site_proof::SiteProof;
    use crate::runs::RunId;
    use crate::webhooks::deactivation_log::DeactivationId;

    fn ended(operation: OperationKey, act: Option<HistoryAction>) -> EndedRun {
        EndedRun {
            id: RunId("1".to_owned()),
            site: SiteId("a".to_owned()),
            site_name: "City & <County>".to_owned(),
            server: None,
            server_name: None,
            operation,
            act,
            is_undo: false,
            outcome: Outcome::Warnings,
            record: None,
            ended_at: Millis(0),
            took: 1,
        }
    }

    #[test]
    fn a_notice_says_what_ended_where_and_how() {
        let Notification { title, body } = text(&ended(OperationKey::ExportServer, None), &Texts::of("en"));

        assert_eq!(title, "Server export on City & <County>");
        assert_eq!(body, "Completed with warnings.");
    }

    #[test]
    fn the_end_of_a_wait_says_in_each_language_whether_the_site_is_back() {
        let on = Preferences { notifications: true, ..Preferences::default() };
        let ended =
            |state| Ended { site_name: "Harbour".to_owned(), proof: SiteProof::example(state, Vec::new()) };
        let states = [ProofState::Done, ProofState::Wrong, ProofState::NotKnown, ProofState::NotYet];
        for language in ["en", "de", "es"] {
            let notices = states.map(|state| of_proof(&ended(state), &on, &Texts::of(language)).unwrap());
            let bodies: HashSet<_> = notices.iter().map(|notice| notice.body.clone()).collect();
            assert_eq!(bodies.len(), states.len(), "{bodies:?}");
            assert!(!bodies.iter().any(|body| body.contains("notice.")), "{bodies:?}");
            assert!(notices.iter().all(|notice| notice.title == "Harbour"));
        }
        let off = Preferences { notifications: false, ..Preferences::default() };
        assert!(of_proof(&ended(ProofState::Done), &off, &Texts::of("en")).is_none());
    }

    #[test]
    fn a_notice_of_one_of_several_servers_names_it() {
        let run =
            EndedRun { server_name: Some("gisapp01".to_owned()), ..ended(OperationKey::ExportServer, None) };

        let Notification { title, .. } = text(&run, &Texts::of("en"));

        assert_eq!(title, "Server export on gisapp01 of City & <County>");
    }

    #[test]
    fn a_notice_of_an_undo_is_told_apart_from_that_of_an_import() {
        for (operation, title) in [
            (OperationKey::ImportServer, "Undo of server import on City & <County>"),
            (OperationKey::ImportPortal, "Undo of portal import on City & <County>"),
        ] {
            let run = EndedRun { is_undo: true, ..ended(operation, None) };

            assert_eq!(text(&run, &Texts::of("en")).title, title);
        }
    }

    #[test]
    fn a_reminder_says_where_and_of_what() {
        let about = |service: &str| Reminder {
            site: SiteId("a".to_owned()),
            at: Millis(0),
            about: ReminderAbout::Deactivation {
                entry: DeactivationId("1".to_owned()),
                service: service.to_owned(),
            },
        };
        let one = about("Water/Mains.FeatureServer");

        let Notification { title, body } = of_site("City GIS", &[&one], &Texts::of("en"));

        assert_eq!(title, "Reminder: City GIS");
        assert_eq!(body, "The webhooks of Water/Mains.FeatureServer are still deactivated.");
        let many = of_site("City GIS", &[&one; 20], &Texts::of("en"));
        assert_eq!(many.body.lines().count(), 5);
    }

    #[test]
    fn a_reactivation_goes_by_its_own_name_and_not_by_the_deactivation() {
        let run = ended(OperationKey::DeactivateWebhooks, Some(HistoryAction::ReactivateWebhooks));

        assert_eq!(text(&run, &Texts::of("en")).title, "Webhook reactivation on City & <County>");
    }
}
