//! Stop before the request has left: at every await on the way to it, the site falls silent and the person stops.

use std::fmt::Debug;
use std::pin::Pin;

use steward_core::history::{HistorySearch, Outcome as Shown, page_of};
use steward_core::model::operation::Key;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::{Ended, RecordId};
use steward_core::operations::deactivate_webhooks::deactivation_log;
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm};
use steward_core::operations::export_portal;
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportPlace};
use steward_core::operations::find_items::FindItemsForm;
use steward_core::operations::import_server::safety_backup::Parachute;
use steward_core::operations::import_server::{self, ImportServerForm};
use steward_core::operations::refresh_invitation::{self, RefreshInvitationForm, into_folder};
use steward_core::operations::update_participant::{self, UpdateParticipantForm};
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy};
use steward_vault::Secret;

use crate::desk::{Desk, files_in};
use crate::export_portal::to;
use crate::import_server::with_parachute;
use crate::stop::soon;

/// A site that falls silent at requests that contain `on`, and counts those that contain `effect`.
async fn silent_at(desk: &Desk, on: &str, effect: &str) -> (FaultProxy, FaultProxy) {
    let silent = FaultProxy::to(desk.practice_address(), on, Fault::Silence).await.unwrap();
    let counted = FaultProxy::to(&silent.address(), effect, Fault::CutAfter(usize::MAX)).await.unwrap();
    desk.go_through(&counted.address());
    (silent, counted)
}

/// The record of what was stopped, and that of the safety backup before it.
type Records = (Option<RecordId>, Option<RecordId>);

/// Stops the operation once the site is silent, and takes its end apart: it must be *not sent*, and at once. In a box,
/// for an operation is large.
fn stopped<'a, T: Debug + 'a>(
    desk: &'a Desk,
    silent: &'a FaultProxy,
    operation: impl Future<Output = Result<Ended<T>, Problem>> + 'a,
) -> Pin<Box<dyn Future<Output = Records> + 'a>> {
    Box::pin(async move {
        desk.host.runs.dismiss(&desk.run());
        let stop = async {
            soon(|| async { silent.met() > 0 }).await;
            desk.host.runs.stop(&desk.run());
            // The site stays silent for a minute: whoever waits for it does not end now.
            soon(|| async { desk.host.runs.all().is_empty() }).await;
        };
        let (ended, ()) = tokio::join!(operation, stop);
        let Ok(Ended::NotSent { record, backup }) = ended else { panic!("{ended:?}") };
        assert_eq!(desk.host.runs.ended()[0].outcome, Shown::NotSent);
        (record, backup)
    })
}

fn deactivation(services: &[&str]) -> DeactivateWebhooksForm {
    DeactivateWebhooksForm {
        services: services.iter().map(|service| (*service).to_owned()).collect(),
        why: String::new(),
        confirmation: String::new(),
    }
}

fn import(with_backup: bool) -> ImportServerForm {
    ImportServerForm {
        location: "/exports/a.agssite".to_owned(),
        confirmation: "City GIS".to_owned(),
        parachute: with_backup.then_some(Parachute { also_here: false }),
    }
}

fn contact(participant: &str) -> UpdateParticipantForm {
    UpdateParticipantForm {
        collaboration_id: "c0a1".to_owned(),
        participant_id: participant.to_owned(),
        contact_firstname: "Ana".to_owned(),
        contact_lastname: "Ito".to_owned(),
        contact_email_address: "ana@example.net".to_owned(),
    }
}

fn invitation(id: &str) -> RefreshInvitationForm {
    RefreshInvitationForm { collaboration_id: "c0a1".to_owned(), invitation_id: id.to_owned() }
}

/// Performs an operation that changes something, stopped where the site is silent; its record.
async fn operation(desk: &Desk, key: Key, silent: &FaultProxy) -> Option<RecordId> {
    let (host, site, run) = (&desk.host, &desk.site, desk.run());
    let here = desk.folder("exports");
    let place = ServerExportPlace::ServerFolder { location: here.display().to_string() };
    let (record, _) = match key {
        Key::ExportPortal => {
            stopped(desk, silent, export_portal::checked_first(host, site, run, to(&here, false))).await
        }
        Key::ExportServer => {
            stopped(desk, silent, export_server::perform(host, site, run, ExportServerForm { place })).await
        }
        Key::ImportServer => {
            stopped(desk, silent, import_server::perform(host, site, run, import(false))).await
        }
        Key::DeactivateWebhooks => {
            let form = deactivation(&["Buffer.GPServer"]);
            stopped(desk, silent, deactivate_webhooks::perform(host, site, run, form)).await
        }
        Key::UpdateParticipant => {
            stopped(desk, silent, update_participant::perform(host, site, run, contact("2d4c"))).await
        }
        Key::RefreshInvitation => {
            stopped(desk, silent, refresh_invitation::perform(host, site, run, invitation("9e2b"))).await
        }
        Key::FindItems => unreachable!("it changes nothing"),
    };
    record
}

const EFFECTS: [(Key, &str); 6] = [
    (Key::ExportPortal, "/portaladmin/exportSite"),
    (Key::ExportServer, "/admin/exportSite"),
    (Key::ImportServer, "/admin/importSite"),
    (Key::DeactivateWebhooks, "/deactivateAll"),
    (Key::UpdateParticipant, "/updateInfo"),
    (Key::RefreshInvitation, "/refresh"),
];

#[tokio::test]
async fn stop_while_the_site_is_looked_up_is_not_sent_in_window_and_history() {
    for on in ["/portals/self", "/server/admin?", "generateToken"] {
        for (key, effect) in EFFECTS {
            let desk = Desk::new().await;
            let (silent, counted) = silent_at(&desk, on, effect).await;

            let record = operation(&desk, key, &silent).await;

            assert_eq!(counted.met(), 0, "{key:?} at {on}");
            let history = desk.history().await;
            assert_eq!((history.len(), history[0].outcome), (1, Outcome::NotSent), "{key:?} at {on}");
            assert_eq!(record.unwrap().0, history[0].id);
            assert_eq!(history[0].intent.operation, key.name());
            assert!(!history[0].intent.parameters.is_empty() && history[0].intent.requests.is_empty());
        }
    }
}

#[tokio::test]
async fn what_was_not_sent_stays_so_after_a_restart_and_is_found_by_its_outcome() {
    let desk = Desk::new().await;
    let (silent, _counted) = silent_at(&desk, "/portals/self", "/portaladmin/exportSite").await;
    operation(&desk, Key::ExportPortal, &silent).await;

    let desk = desk.restarted();

    let search = HistorySearch { outcomes: vec![Shown::NotSent], ..HistorySearch::default() };
    let page = page_of(&desk.host, search, None, 10).await.unwrap();
    assert_eq!((page.entries.len(), page.entries[0].outcome), (1, Shown::NotSent));
    let unknown = HistorySearch { outcomes: vec![Shown::Unknown], ..HistorySearch::default() };
    assert!(page_of(&desk.host, unknown, None, 10).await.unwrap().entries.is_empty());
}

#[tokio::test]
async fn stop_of_a_search_that_was_not_sent_leaves_no_record() {
    let desk = Desk::new().await;
    let (silent, counted) = silent_at(&desk, "/portals/self", "/findItems").await;
    let form = FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() };

    let (record, _) = stopped(&desk, &silent, desk.find_items(form)).await;

    assert_eq!((record, counted.met()), (None, 0));
    assert!(desk.history().await.is_empty());
}

fn without_a_server(desk: &Desk) {
    let mut site = desk.host.sites.get(&desk.site).unwrap();
    site.servers.clear();
    desk.host.sites.put(site).unwrap();
    desk.host.forget_known(&desk.site);
}

#[tokio::test]
async fn stop_while_a_token_is_renewed_before_an_export_is_not_sent() {
    let desk = Desk::new().await;
    crate::tokens::with_a_short_token(&desk).await;
    let (silent, counted) = silent_at(&desk, "generateToken", "/portaladmin/exportSite").await;
    without_a_server(&desk);
    let folder = desk.folder("exports");

    let export = export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false));
    let (record, _) = stopped(&desk, &silent, export).await;

    assert_eq!(counted.met(), 0);
    assert_eq!(desk.history().await[0].outcome, Outcome::NotSent);
    assert!(record.is_some());
}

#[tokio::test]
async fn stop_while_a_rejected_token_is_renewed_has_no_effect_and_is_not_sent() {
    let desk = Desk::new().await;
    let user = desk.user("administrator");
    let password = Secret::new(user.password.clone());
    desk.host.keep_password(&desk.site, &user.username, &password).await.unwrap();
    desk.order("export_portal", "expired-token", &[]).await;
    let (silent, counted) = silent_at(&desk, "generateToken", "/portaladmin/exportSite").await;
    without_a_server(&desk);
    let folder = desk.folder("exports");

    let export = export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false));
    stopped(&desk, &silent, export).await;

    assert_eq!(counted.met(), 1, "rejected for its token, and not sent again");
    assert!(files_in(&folder).is_empty());
    assert_eq!(desk.history().await[0].outcome, Outcome::NotSent);
}

#[tokio::test]
async fn stop_while_the_location_is_checked_exports_nothing() {
    for check_only in [false, true] {
        let desk = Desk::new().await;
        let silent = desk.with_fault("/portaladmin/exportSite", Fault::Silence).await;
        let folder = desk.folder("exports");

        let export =
            export_portal::checked_first(&desk.host, &desk.site, desk.run(), to(&folder, check_only));
        stopped(&desk, &silent, export).await;

        assert_eq!(silent.met(), 1, "the check alone");
        let outcomes: Vec<_> = desk.history().await.into_iter().map(|record| record.outcome).collect();
        assert_eq!(outcomes, if check_only { Vec::new() } else { vec![Outcome::NotSent] });
    }
}

#[tokio::test]
async fn stop_while_the_safety_backup_is_made_sends_no_import() {
    for (on, backup) in [
        ("/portals/self", None),
        ("/admin/exportSite", Some(Outcome::Unknown)),
        ("/admin/uploads?", Some(Outcome::Succeeded)),
        ("/download", Some(Outcome::Succeeded)),
    ] {
        let desk = Desk::new().await;
        let (silent, counted) = silent_at(&desk, on, "/admin/importSite").await;

        let importing = import_server::perform(&desk.host, &desk.site, desk.run(), import(true));
        let (record, told) = stopped(&desk, &silent, importing).await;

        assert_eq!(counted.met(), 0, "{on}");
        let history = desk.history().await;
        let import = &history[0];
        assert_eq!(
            (&import.intent.operation[..], import.outcome),
            ("import_server", Outcome::NotSent),
            "{on}"
        );
        assert_eq!(record.unwrap().0, import.id);
        let export = &history[1];
        assert_eq!(export.outcome, backup.unwrap_or(Outcome::NotSent), "{on}");
        assert_eq!(told.is_some(), backup.is_some(), "{on}");
    }
}

#[tokio::test]
async fn stop_of_an_undo_that_looks_for_its_backup_is_not_sent() {
    let desk = Desk::new().await;
    let record = with_parachute(&desk, false).await;
    let (silent, counted) = silent_at(&desk, "/admin/uploads?", "/admin/importSite").await;

    let undo = import_server::undo(&desk.host, &desk.site, desk.run(), record, "City GIS");
    stopped(&desk, &silent, undo).await;

    assert_eq!((counted.met(), desk.history().await[0].outcome), (0, Outcome::NotSent));
}

#[tokio::test]
async fn stop_before_the_first_service_is_deactivated_is_not_sent_and_leaves_the_ledger_empty() {
    let desk = Desk::new().await;
    let (silent, counted) = silent_at(&desk, "/webhooks?", "/deactivateAll").await;
    let form = deactivation(&["Buffer.GPServer", "Hosted/Hydrants.FeatureServer"]);

    stopped(&desk, &silent, deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), form)).await;

    assert_eq!((counted.met(), desk.history().await[0].outcome), (0, Outcome::NotSent));
    assert!(deactivation_log::ledger(&desk.host, None).await.unwrap().is_empty());
}

#[tokio::test]
async fn stop_between_two_services_tells_which_was_deactivated_and_which_was_not_sent() {
    let desk = Desk::new().await;
    let (silent, counted) = silent_at(&desk, "/Hydrants.FeatureServer/webhooks?", "/deactivateAll").await;
    let form = deactivation(&["Buffer.GPServer", "Hosted/Hydrants.FeatureServer", "Other.GPServer"]);

    let stop = async {
        soon(|| async { silent.met() > 0 }).await;
        desk.host.runs.stop(&desk.run());
    };
    let deactivating = deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), form);
    let (ended, ()) = tokio::join!(deactivating, stop);

    let Ok(Ended::Done { report, .. }) = ended else { panic!("{ended:?}") };
    let not_sent: Vec<_> = report.services.iter().map(|one| one.not_sent).collect();
    assert_eq!(not_sent, [false, true, true]);
    assert!(report.services.iter().all(|one| one.problem.is_none()), "{report:?}");
    assert_eq!((counted.met(), desk.history().await[0].outcome), (1, Outcome::Warnings));
    assert_eq!(deactivation_log::ledger(&desk.host, None).await.unwrap().len(), 1);
}

#[tokio::test]
async fn stop_of_a_restoration_that_looks_at_the_service_is_not_sent() {
    let desk = Desk::new().await;
    let form = deactivation(&["Buffer.GPServer"]);
    deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();
    let entry = deactivation_log::ledger(&desk.host, None).await.unwrap().remove(0);
    let (silent, counted) = silent_at(&desk, "/webhooks?", "/edit").await;

    let restore = deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry.id);
    stopped(&desk, &silent, restore).await;

    assert_eq!((counted.met(), desk.history().await[0].outcome), (0, Outcome::NotSent));
}

#[tokio::test]
async fn stop_before_the_first_of_several_is_not_sent() {
    let desk = Desk::new().await;
    let (silent, counted) = silent_at(&desk, "/portals/self", "/updateInfo").await;
    let forms = vec![contact("2d4c"), contact("3e5d")];
    let changing = update_participant::perform_several(&desk.host, &desk.site, desk.run(), forms);
    stopped(&desk, &silent, changing).await;
    assert_eq!((counted.met(), desk.history().await[0].outcome), (0, Outcome::NotSent));

    let desk = Desk::new().await;
    let (silent, counted) = silent_at(&desk, "/portals/self", "/refresh").await;
    desk.dialogs.will_choose(&desk.folder("invitations"));
    let forms = vec![invitation("9e2b"), invitation("8d1a")];
    stopped(&desk, &silent, into_folder::perform(&desk.host, &desk.site, desk.run(), forms)).await;
    assert_eq!((counted.met(), desk.history().await[0].outcome), (0, Outcome::NotSent));
}
