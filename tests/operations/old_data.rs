//! Data folders as earlier versions left them.

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use steward_core::files::data_folder::DataFolder;
use steward_core::history::guided_tour::{self, GuidedTourStep};
use steward_core::history::{HistorySearch, page_of};
use steward_core::model::deployment::{DeploymentType, Environment};
use steward_core::model::history_key::{HistoryAction, HistoryKey};
use steward_core::model::ids::SiteId;
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::operations::refresh_invitation::waiting;
use steward_core::runs::RunRegistry;
use steward_core::settings::policy::Policy;
use steward_core::settings::preferences::{Language, Theme};
use steward_core::sites::{ConnectionRoute, SiteColor};
use steward_core::steward::Steward;
use steward_core::transfers::upload::unfinished;
use steward_core::webhooks::deactivation_log;
use steward_journal::{Filter, Outcome, StoredRecord};
use steward_vault::MemoryStore;

use crate::test_app::AnswersByItself;

/// Writes the data folder of version 1.
fn version_1(folder: &Path) {
    std::fs::write(folder.join("sites.json"), include_str!("../fixtures/data-folders/v1/sites.json"))
        .unwrap();
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    journal
        .execute_batch(include_str!("../../src-tauri/crates/steward-journal/tests/fixtures/journal-v1.sql"))
        .unwrap();
}

/// Writes the data folder of schema version 5, the last one that called deactivated webhooks silenced. `PROVENANCE.md`
/// beside its files tells how it was made.
fn version_5(folder: &Path) {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/data-folders/v5");
    let invitations = folder.join("kept-invitations");
    std::fs::create_dir(&invitations).unwrap();
    for (from, to) in [(&fixture, folder), (&fixture.join("kept-invitations"), &invitations)] {
        for name in crate::test_app::files_in(from).iter().filter(|name| name.ends_with(".json")) {
            std::fs::copy(from.join(name), to.join(name)).unwrap();
        }
    }
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    journal.execute_batch(&std::fs::read_to_string(fixture.join("journal.sql")).unwrap()).unwrap();
}

fn open(folder: &Path) -> Steward {
    let runs = RunRegistry::new(Box::new(|_| ()));
    Steward::open(folder, Arc::new(MemoryStore::default()), Arc::new(AnswersByItself::default()), runs)
        .unwrap()
}

/// The files of a folder whose names begin so.
fn beginning_with(folder: &Path, name: &str) -> Vec<String> {
    crate::test_app::files_in(folder).into_iter().filter(|file| file.starts_with(name)).collect()
}

#[tokio::test]
async fn an_update_of_the_program_keeps_sites_and_history() {
    let folder = tempfile::tempdir().unwrap();
    version_1(folder.path());

    // The second start finds what the first one made of it.
    for _ in 0..2 {
        let steward = open(folder.path());

        let sites = steward.context.access.sites.all();
        assert_eq!(
            sites.iter().map(|site| site.name.as_str()).collect::<Vec<_>>(),
            ["City GIS", "Field server"]
        );
        let city = &sites[0];
        assert_eq!((city.environment, city.color), (Environment::Production, SiteColor::Red));
        assert_eq!(city.portal.as_ref().unwrap().address.as_str(), "https://gis.example.org/portal");
        assert_eq!(city.ca_certificate.as_deref(), Some(Path::new("/home/sam/certificates/city-ca.pem")));
        assert_eq!(city.username.as_deref(), Some("gisadmin"));
        assert_eq!((&sites[1].portal, &sites[1].username), (&None, &None));

        let records =
            steward.context.history.journal(|journal| journal.records(&Filter::default())).await.unwrap();
        let ends: Vec<_> =
            records.iter().map(|record| (record.intent.operation.as_str(), record.outcome)).collect();
        assert_eq!(
            ends,
            [
                ("export_server", Outcome::Unknown),
                ("deactivate_webhooks", Outcome::Failed),
                ("import_server", Outcome::Warnings),
                ("export_portal", Outcome::Warnings),
            ]
        );
        assert!(records.iter().all(|record| record.intent.site == city.id.0));
    }

    let copies = beginning_with(folder.path(), "journal-v1-");
    assert_eq!(copies.len(), 1, "one copy from before the change: {copies:?}");
    let copy = Connection::open(folder.path().join(&copies[0])).unwrap();
    let count: i64 = copy.query_row("SELECT count(*) FROM record", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 4);
}

/// The site that the data folder of version 5 was written with.
fn city() -> SiteId {
    SiteId("9abef2e1-95d6-40f2-8012-f28395384625".to_owned())
}

/// Opens the data folder of version 5 twice, and looks at it each time.
///
/// The first opening copies the journal and renames what has another name since.
async fn version_5_twice(look: impl AsyncFn(&Steward)) {
    let folder = tempfile::tempdir().unwrap();
    version_5(folder.path());
    // The second start finds what the first one made of it.
    for _ in 0..2 {
        look(&open(folder.path())).await;
    }
    let copies = beginning_with(folder.path(), "journal-v5-");
    assert_eq!(copies.len(), 1, "one copy from before the change: {copies:?}");
}

#[tokio::test]
async fn the_sites_and_the_settings_of_version_5_are_found_again() {
    version_5_twice(async |steward| {
        let [city, upland] = &steward.context.access.sites.all()[..] else {
            panic!("{:?}", steward.context.access.sites.all())
        };
        assert_eq!((&city.id, city.name.as_str(), city.read_only), (&self::city(), "City GIS", true));
        assert_eq!(city.portal.as_ref().unwrap().address.as_str(), "https://gis.example.org/portal");
        assert_eq!(city.server().unwrap().address.as_str(), "https://gis.example.org/server");
        assert_eq!(city.seen.as_ref().unwrap().at, Millis(1_795_558_724_179));
        assert_eq!(
            (upland.environment, upland.deployment_type),
            (Environment::Test, DeploymentType::StandaloneServer)
        );
        let direct = upland.server().unwrap().admin_url.as_ref().unwrap();
        assert_eq!(direct.as_str(), "https://upland.example.org:6443/arcgis");
        assert!(matches!(&upland.route, ConnectionRoute::Proxy { user, .. } if user == "sam"), "{upland:?}");

        let preferences = steward.preferences.get();
        assert_eq!((preferences.theme, preferences.zoom), (Theme::Dark, 110));
        assert_eq!((preferences.notifications, preferences.reminders), (false, true));
        assert_eq!(preferences.connection.route, ConnectionRoute::Direct);
        assert_eq!(preferences.last_site, Some(self::city()));
    })
    .await;
}

#[tokio::test]
async fn the_last_valid_policy_of_version_5_holds_while_the_file_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    version_5(folder.path());
    let file = folder.path().join("policy.json");
    std::fs::write(&file, "{ broken").unwrap();

    let policy = Policy::read(&file, &folder.path().join("policy-before.json"));
    assert_eq!(policy.locked.reminders, Some(true));
    let held = DataFolder::take(folder.path()).unwrap();
    let runs = RunRegistry::new(Box::new(|_| ()));
    let (keyring, dialogs) = (Arc::new(MemoryStore::default()), Arc::new(AnswersByItself::default()));
    let steward = Steward::open_under(policy, held, keyring, dialogs, runs).unwrap();

    assert_eq!(steward.preferences.get().language, Language::De);
}

#[tokio::test]
async fn unfinished_work_of_version_5_is_found_again() {
    version_5_twice(async |steward| {
        let [upload] = &unfinished(&steward.context.access.sites, &steward.transfers.uploads, &city())[..]
        else {
            panic!("one upload")
        };
        assert_eq!(upload.path, "/home/sam/desk/survey.csv");
        assert_eq!((upload.size, upload.done), (Bytes(3_150_048), Bytes(2_097_152)));

        let [filter] = &steward.item_searches.recent_filters.of(&city(), "")[..] else {
            panic!("one filter")
        };
        assert_eq!((filter.parent_path.as_str(), filter.is_managed), ("/fileShares", Some(false)));

        let [invitation] = &waiting(&steward.invitation_files.unsaved, &city())[..] else {
            panic!("one invitation")
        };
        assert_eq!(invitation.file_name, "collaboration-harbour.example.com.invite");
        let content = steward.invitation_files.unsaved.get(&invitation.kept.0).unwrap().content;
        let content: serde_json::Value = serde_json::from_slice(&content).unwrap();
        assert_eq!(content["invitationRequest"]["collaborationName"], "Flood Response");

        let tour = guided_tour::view(&steward.tour, &steward.context.history).await.unwrap();
        assert_eq!((tour.begun, tour.folded), (Some(Millis(1_795_558_724_213)), true));
        let done: Vec<_> = tour.steps.iter().filter(|step| step.done).map(|step| step.step).collect();
        use GuidedTourStep::{AddFault, FindItem, SaveAuditPackage};
        assert_eq!(done, [AddFault, FindItem, SaveAuditPackage]);
    })
    .await;
}

/// What every record of version 5 was about and how it ended, newest first.
const HISTORY_OF_VERSION_5: [(&str, Outcome); 24] = [
    ("unlock", Outcome::Succeeded),
    ("export_portal", Outcome::Failed),
    ("export_server", Outcome::NotSent),
    ("export_server", Outcome::Unknown),
    ("export_server", Outcome::Succeeded),
    ("upload", Outcome::Failed),
    ("upload", Outcome::Succeeded),
    ("refresh_invitation", Outcome::Succeeded),
    ("refresh_invitation", Outcome::Succeeded),
    ("update_participant", Outcome::Succeeded),
    ("reactivate_webhooks", Outcome::Succeeded),
    ("deactivate_webhooks", Outcome::Succeeded),
    ("import_server", Outcome::Warnings),
    ("import_server", Outcome::Warnings),
    ("export_server", Outcome::Succeeded),
    ("export_server", Outcome::Succeeded),
    ("export_portal", Outcome::Warnings),
    ("trust_certificate", Outcome::Succeeded),
    ("remove_site", Outcome::Succeeded),
    ("add_site", Outcome::Succeeded),
    ("change_site", Outcome::Succeeded),
    ("add_site", Outcome::Succeeded),
    ("change_connection", Outcome::Succeeded),
    ("sign_in", Outcome::Succeeded),
];

async fn records(steward: &Steward) -> Vec<StoredRecord> {
    steward.context.history.journal(|journal| journal.records(&Filter::default())).await.unwrap()
}

/// The value of a parameter; empty when there is none.
fn parameter<'a>(record: &'a StoredRecord, name: &str) -> &'a str {
    let found = record.intent.parameters.iter().find(|(one, _)| one == name);
    found.map(|(_, value)| value.as_str()).unwrap_or_default()
}

#[tokio::test]
async fn the_history_of_version_5_is_found_again() {
    version_5_twice(async |steward| {
        let records = records(steward).await;
        let found: Vec<_> =
            records.iter().map(|record| (record.intent.operation.as_str(), record.outcome)).collect();
        assert_eq!(found, HISTORY_OF_VERSION_5);
        assert!(records.iter().all(|record| record.workstation.user == "sam"));
        let page = page_of(&steward.context.history, HistorySearch::default(), None, 100).await.unwrap();
        assert_eq!(page.entries.len(), records.len(), "the window shows every one of them");

        assert_eq!(
            (parameter(&records[0], "reason"), parameter(&records[0], "minutes")),
            ("Patch day", "15")
        );
        assert_eq!(parameter(&records[10], "webhook"), "Copy to the fire service");
        assert_eq!(parameter(&records[11], "why"), "The receiver moves");
        let (undo, import, backup) = (&records[12], &records[13], &records[14]);
        assert_eq!(parameter(undo, "undoes"), import.id);
        assert_eq!(parameter(import, "safetyBackup"), "i406b10d6-a2d9-4446-ae69-8bb0add2672d");
        assert_eq!(parameter(import, "safetyBackupSavedAs"), "/home/sam/desk/before.agssite");
        assert!(page.entries[13].has_safety_backup, "it can be undone");
        assert_eq!(
            (parameter(backup, "purpose"), backup.note.as_str()),
            ("safetyBackup", "/home/sam/desk/before.agssite")
        );
        let added = &records[21];
        assert_eq!(
            (parameter(added, "siteEnvironment"), parameter(added, "siteDeploymentType")),
            ("test", "standaloneServer")
        );
        assert_eq!(parameter(added, "siteConnection"), "system");
        assert_eq!(parameter(&records[23], "signInMethod"), "password");

        let id = records[16].id.clone();
        let export = steward.context.history.journal(move |journal| journal.whole(&id)).await.unwrap();
        let answer = export.response.unwrap();
        assert!(answer.text.contains("success with warning") && !answer.truncated, "{answer:?}");
        assert_eq!(
            export.record.intent.requests[0].address,
            "https://gis.example.org/portal/portaladmin/exportSite"
        );

        let id = import.id.clone();
        let (report, mut done) = steward
            .context
            .history
            .journal(move |journal| Ok((journal.report(&id)?, journal.checklist_items(&id)?)))
            .await
            .unwrap();
        assert_eq!(report.unwrap()["counts"]["failedServices"], 1);
        done.sort();
        assert_eq!(done, ["0.1", "webAdaptors"]);
    })
    .await;
}

#[tokio::test]
async fn what_was_concluded_and_deactivated_in_version_5_is_found_again() {
    version_5_twice(async |steward| {
        let concluded = records(steward).await.remove(4);
        assert!(concluded.is_resolved);
        let id = concluded.id;
        let conclusion = steward
            .context
            .history
            .journal(move |journal| journal.outcome_resolution(&id))
            .await
            .unwrap()
            .unwrap();
        assert_eq!((conclusion.outcome, conclusion.by.as_str()), (Outcome::Succeeded, "steward"));
        assert_eq!(
            (conclusion.note.as_str(), conclusion.at),
            ("The file is in the folder", 1_795_558_723_989)
        );

        let log = deactivation_log::entries(&steward.context.history, Some(&city())).await.unwrap();
        let [by_hand, reactivated, open] = &log[..] else { panic!("{log:?}") };
        assert_eq!((by_hand.service.as_str(), by_hand.by_hand), ("Hosted/StreetTrees.FeatureServer", true));
        assert_eq!(by_hand.resolved_at, Some(Millis(1_795_558_722_520)));
        assert_eq!(
            (reactivated.service.as_str(), reactivated.by_hand),
            ("Hosted/Hydrants.FeatureServer", false)
        );
        assert_eq!(reactivated.resolved_at, Some(Millis(1_795_558_722_519)));
        assert_eq!(reactivated.restored_by.as_deref(), Some("steward"));
        assert_eq!((open.service.as_str(), open.known, open.resolved_at), ("Buffer.GPServer", true, None));
        assert_eq!(
            (open.deactivated_at, open.remind_at),
            (Millis(1_795_558_722_472), Some(Millis(4_102_444_800_000)))
        );
        assert_eq!((open.by.as_str(), open.why.as_str()), ("steward", "The receiver moves"));
        assert_eq!(
            open.active.as_deref(),
            Some(&["Archive every job".to_owned(), "Tell the planners".to_owned()][..])
        );
    })
    .await;
}

#[tokio::test]
async fn a_reactivation_of_version_5_is_found_by_its_operation_and_by_its_words() {
    version_5_twice(async |steward| {
        let by_operation = HistorySearch {
            operation: Some(HistoryKey::Act(HistoryAction::ReactivateWebhooks)),
            ..HistorySearch::default()
        };
        let by_words = HistorySearch { text: "fire service".to_owned(), ..HistorySearch::default() };
        for search in [by_operation, by_words] {
            let found = page_of(&steward.context.history, search, None, 10).await.unwrap().entries;
            let [entry] = &found[..] else { panic!("{found:?}") };
            assert_eq!(entry.note, "Hosted/Hydrants.FeatureServer");
        }
    })
    .await;
}

#[tokio::test]
async fn the_guided_tour_of_version_5_is_renamed_and_an_earlier_one_beside_it_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    version_5(folder.path());
    let (old, new) = (folder.path().join("lap.json"), folder.path().join("guided-tour.json"));
    let before = std::fs::read(&old).unwrap();

    drop(open(folder.path()));

    assert_eq!((std::fs::read(&new).unwrap(), old.exists()), (before, false));
    // An earlier version was used once more.
    std::fs::write(&old, r#"{"begun":1,"folded":false,"seen":[],"ordered":null}"#).unwrap();
    let steward = open(folder.path());
    assert_eq!(
        guided_tour::view(&steward.tour, &steward.context.history).await.unwrap().begun,
        Some(Millis(1_795_558_724_213))
    );
    steward.tour.fold(false);
    let written = std::fs::read_to_string(&new).unwrap();
    for name in ["addFault", "saveAuditPackage", "\"fault_added_at\": 1795558724219"] {
        assert!(written.contains(name), "{name} in {written}");
    }
}

#[test]
fn unsaved_invitations_of_version_5_are_moved_also_where_some_are_in_the_new_folder_already() {
    let folder = tempfile::tempdir().unwrap();
    version_5(folder.path());
    let (old, new) = (folder.path().join("kept-invitations"), folder.path().join("unsaved-invitations"));
    let [name] = &crate::test_app::files_in(&old)[..] else { panic!("one invitation") };
    let content = std::fs::read(old.join(name)).unwrap();

    drop(open(folder.path()));
    assert_eq!((std::fs::read(new.join(name)).unwrap(), old.exists()), (content.clone(), false));

    // An earlier version was used once more, and kept an invitation of its own.
    std::fs::create_dir(&old).unwrap();
    std::fs::write(old.join("later.json"), content).unwrap();
    assert_eq!(waiting(&open(folder.path()).invitation_files.unsaved, &city()).len(), 2);
    assert!(!old.exists());
}
