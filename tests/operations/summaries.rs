//! What the history says of an entry: what happened, to whom, and who did it.

use std::io::Read;

use steward_core::actions::sites::{lock_site, unlock_site};
use steward_core::actions::unlock::unlock;
use steward_core::history::summary::Summary;
use steward_core::history::{HistoryEntry, HistoryFormat, HistorySearch, page_of, records_of};
use steward_core::listings::{ParticipantView, invitations, participants};
use steward_core::model::history_key::{HistoryAction, HistoryKey};
use steward_core::model::ids::RecordId;
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::import_server::{UndoOptions, undo};
use steward_core::operations::refresh_invitation::RefreshInvitationForm;
use steward_core::operations::update_participant::UpdateParticipantForm;
use steward_core::webhooks::deactivation_log::entries;
use steward_core::webhooks::reactivation;
use steward_journal::{Outcome, Workstation};
use steward_testkit::until;

use crate::import_server::with_safety_backup;
use crate::read_only::read_only;
use crate::test_app::TestApp;

const HYDRANTS: &str = "Hosted/Hydrants.FeatureServer";
const BUFFER: &str = "Buffer.GPServer";

/// The newest entry, as the window shows it.
pub(crate) async fn newest(app: &TestApp) -> HistoryEntry {
    let page = page_of(&app.steward.context.history, HistorySearch::default(), None, 1).await.unwrap();
    page.entries.into_iter().next().unwrap()
}

/// The history as a saved table, newest first.
async fn table(app: &TestApp) -> String {
    let place = app.folder("saved").join("history.csv");
    app.dialogs.will_choose(&place);
    let steward = &app.steward;
    let search = HistorySearch::default();
    let (history, dialogs) = (&steward.context.history, &steward.dialogs);
    records_of(history, dialogs, &steward.language, search, HistoryFormat::Csv).await.unwrap();
    std::fs::read_to_string(&place).unwrap()
}

/// Whether a table has these cells one after the other.
fn has(table: &str, cells: &[&str]) -> bool {
    table.contains(&format!("\"{}\"", cells.join("\",\"")))
}

/// The pages of the audit package of an entry.
async fn audit_package(app: &TestApp, record: &RecordId) -> (String, serde_json::Value) {
    let place = app.folder("saved").join("package.zip");
    app.dialogs.will_choose(&place);
    app.save_audit_package(record.clone()).await.unwrap();
    let mut package = zip::ZipArchive::new(std::fs::File::open(&place).unwrap()).unwrap();
    let [page, record] = ["report.html", "record.json"].map(|name| {
        let mut content = String::new();
        package.by_name(name).unwrap().read_to_string(&mut content).unwrap();
        content
    });
    (page, serde_json::from_str(&record).unwrap())
}

async fn water_board(app: &TestApp) -> ParticipantView {
    let all = participants(&app.steward.context.access, &app.site).await.unwrap();
    all.into_iter().find(|one| one.portal_name == "Regional Water Board").unwrap()
}

fn to_kim(of: &ParticipantView) -> UpdateParticipantForm {
    UpdateParticipantForm {
        collaboration_id: of.collaboration_id.clone(),
        participant_id: of.participant_id.clone(),
        contact_firstname: "Kim".to_owned(),
        contact_lastname: "Okafor".to_owned(),
        contact_email_address: "kim@example.net".to_owned(),
    }
}

fn deactivation(services: &[&str]) -> DeactivateWebhooksForm {
    DeactivateWebhooksForm {
        services: services.iter().map(|service| (*service).to_owned()).collect(),
        why: String::new(),
        confirmation: String::new(),
    }
}

#[tokio::test]
async fn a_changed_contact_is_named_with_its_collaboration_and_both_values_wherever_it_is_read() {
    let app = TestApp::new().await;
    let before = water_board(&app).await;
    let old =
        format!("{} {}, {}", before.contact_firstname, before.contact_lastname, before.contact_email_address);

    app.update_participant(to_kim(&before)).await.unwrap();

    let entry = newest(&app).await;
    let expected = Summary::Contact {
        participant: "Regional Water Board".to_owned(),
        collaboration: before.collaboration_name.clone(),
        before: Some(old.clone()),
        after: "Kim Okafor, kim@example.net".to_owned(),
        changed: true,
    };
    assert_eq!(entry.summary, Some(expected));
    let said = format!(
        "Contact of Regional Water Board in {} changed: {old} → Kim Okafor, kim@example.net",
        before.collaboration_name
    );
    let (table, here) = (table(&app).await, Workstation::this());
    assert!(has(&table, &["update_participant", "succeeded", &said]), "{table}");
    assert!(has(&table, &["user", "system user", "computer"]), "{table}");
    assert!(has(&table, &[&entry.username, &here.user, &here.computer]), "{table}");
    let (page, record) = audit_package(&app, &entry.id).await;
    assert!(page.contains(&said), "{page}");
    assert_eq!(record["operation"], "update_participant");
    assert_eq!(record["systemUser"], Workstation::this().user.as_str());
    assert!(page.contains(&Workstation::this().computer), "{page}");
    let by_name = HistorySearch { text: "regional water".to_owned(), ..HistorySearch::default() };
    let found = page_of(&app.steward.context.history, by_name, None, 5).await.unwrap().entries;
    assert_eq!(found.len(), 1, "it is found by the name of the participant");
}

#[tokio::test]
async fn a_contact_of_which_no_list_was_read_is_told_by_its_identifiers_and_claims_no_earlier_value() {
    let app = TestApp::new().await;
    let form = to_kim(&water_board(&app).await);
    let ids = (form.participant_id.clone(), form.collaboration_id.clone());
    let app = app.restarted();

    app.update_participant(form).await.unwrap();

    let Some(Summary::Contact { participant, collaboration, before, .. }) = newest(&app).await.summary else {
        panic!("no contact")
    };
    assert_eq!((participant, collaboration, before), (ids.0, ids.1, None));
}

#[tokio::test]
async fn a_refreshed_invitation_is_told_by_the_portal_and_the_collaboration() {
    let app = TestApp::new().await;
    let invitation = invitations(&app.steward.context.access, &app.site).await.unwrap().remove(0);
    let form = RefreshInvitationForm {
        collaboration_id: invitation.collaboration_id.clone(),
        invitation_id: invitation.invitation_id.clone(),
    };

    app.refresh_invitation(form).await.unwrap();

    let expected = Summary::Invitation {
        guest: invitation.guest_portal_url,
        collaboration: invitation.collaboration_name,
        refreshed: true,
    };
    assert_eq!(newest(&app).await.summary, Some(expected));
}

#[tokio::test]
async fn deactivated_services_are_counted_and_named() {
    let app = TestApp::new().await;

    app.deactivate_webhooks(deactivation(&[HYDRANTS, BUFFER])).await.unwrap();

    let services = vec![HYDRANTS.to_owned(), BUFFER.to_owned()];
    let expected = Summary::Deactivation { deactivated: Some(services.clone()), services };
    assert_eq!(newest(&app).await.summary, Some(expected));
    let said = format!("Webhooks deactivated on 2 services: {HYDRANTS}, {BUFFER}");
    let saved = table(&app).await;
    assert!(has(&saved, &["deactivate_webhooks", "succeeded", &said]), "{saved}");

    app.deactivate_webhooks(deactivation(&[HYDRANTS, "Nowhere.FeatureServer"])).await.unwrap();

    let Some(Summary::Deactivation { deactivated, .. }) = newest(&app).await.summary else { panic!("none") };
    assert_eq!(deactivated, Some(vec![HYDRANTS.to_owned()]));
    let saved = table(&app).await;
    assert!(saved.contains(&format!("Webhooks deactivated on 1 of 2 services: {HYDRANTS}")), "{saved}");
    assert!(saved.contains("Nowhere.FeatureServer: "), "the reason: {saved}");
}

#[tokio::test]
async fn a_reactivation_that_changed_nothing_says_so() {
    let app = TestApp::new().await;
    app.deactivate_webhooks(deactivation(&[HYDRANTS])).await.unwrap();
    let entry = entries(&app.steward.context, Some(&app.site)).await.unwrap().remove(0);
    let server = app.practice_folder().join("server/server.db");
    let database = rusqlite::Connection::open(server).unwrap();
    assert!(database.execute("UPDATE webhooks SET active = 1", []).unwrap() > 0, "activated by hand");

    let restore = reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id);
    assert!(matches!(restore.await.unwrap(), RunResult::Done { .. }));

    let said = format!("Nothing changed on {HYDRANTS}: the webhooks were already active");
    let saved = table(&app).await;
    assert!(has(&saved, &["reactivate_webhooks", "succeeded", &said]), "{saved}");
}

#[tokio::test]
async fn the_undo_of_an_import_is_called_one_in_the_saved_list_and_in_its_audit_package() {
    let app = TestApp::new().await;
    let record = with_safety_backup(&app, false).await;

    let (context, transfers) = (&app.steward.context, &app.steward.transfers);
    undo(context, transfers, &app.site, app.run(), record, "City GIS", UndoOptions::default()).await.unwrap();

    let saved = table(&app).await;
    for operation in ["undo_import", "import_server", "safety_backup"] {
        assert_eq!(saved.matches(&format!("\"{operation}\",")).count(), 1, "{operation}: {saved}");
    }
    let (page, record) = audit_package(&app, &newest(&app).await.id).await;
    assert!(page.contains("<td>Undo of server import<"), "{page}");
    assert!(record["parameters"].to_string().contains("\"undoes\""), "{record}");
}

#[tokio::test]
async fn locking_a_site_again_is_recorded_once_and_holds_without_a_disk() {
    let app = TestApp::new().await;
    read_only(&app);
    let context = &app.steward.context;
    let locks = async || app.history().await.iter().filter(|one| one.intent.operation == "lock").count();

    lock_site(context, app.site.clone()).await.unwrap();
    assert_eq!(locks().await, 0, "it was locked");

    unlock_site(context, app.site.clone(), "Receiver moves".to_owned()).await.unwrap();
    lock_site(context, app.site.clone()).await.unwrap();
    lock_site(context, app.site.clone()).await.unwrap();

    assert_eq!(locks().await, 1);
    let entry = newest(&app).await;
    assert_eq!(entry.operation, HistoryKey::Act(HistoryAction::Lock));
    assert_eq!((entry.outcome, entry.username.is_empty()), (Outcome::Succeeded, false));

    unlock(context, &app.site, "Once more").await.unwrap();
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();
    assert_eq!(lock_site(context, app.site.clone()).await.unwrap().unlocked_until, None);
    journal.execute_batch("DROP TRIGGER full").unwrap();
    until("the record of the lock", async || locks().await == 2).await;
}
