//! Data folders as this and other versions left them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;
use steward_app::steward::Steward;
use steward_core::actions::preferences::{SetAside, SetAsideData};
use steward_core::files::data_folder::DataFolder;
use steward_core::follow_up::reminders::{Reminder, ReminderAbout};
use steward_core::history::guided_tour::{self, GuidedTourStep};
use steward_core::history::{self, HistorySearch, page_of};
use steward_core::inventory::Inventory;
use steward_core::model::deployment::{DeploymentType, Environment};
use steward_core::model::history_key::{HistoryAction, HistoryKey};
use steward_core::model::ids::{RecordId, ServerId, SiteId, Target};
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::operations::find_items::validation::Verdict;
use steward_core::operations::refresh_invitation::waiting;
use steward_core::runs::RunRegistry;
use steward_core::settings::policy::Policy;
use steward_core::settings::preferences::{Language, Theme};
use steward_core::sites::ConnectionRoute;
use steward_core::transfers::export_verification::export_state;
use steward_core::transfers::upload::unfinished;
use steward_core::webhooks::deactivation_log::{self, DeactivationId};
use steward_journal::{Filter, Journal, NoteKind, Outcome, StoredRecord};
use steward_vault::MemoryStore;

use crate::test_app::{AnswersByItself, files_in};

/// Writes the data folder of format 1. `PROVENANCE.md` beside its files tells how it was made.
fn format_1(folder: &Path) {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/data-folders/format-1");
    let invitations = folder.join("unsaved-invitations");
    std::fs::create_dir(&invitations).unwrap();
    for (from, to) in [(&fixture, folder), (&fixture.join("unsaved-invitations"), &invitations)] {
        for name in files_in(from).iter().filter(|name| name.ends_with(".json")) {
            std::fs::copy(from.join(name), to.join(name)).unwrap();
        }
    }
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    journal.execute_batch(&std::fs::read_to_string(fixture.join("journal.sql")).unwrap()).unwrap();
    // Every record has an event; those of the fixture name the computer of the test.
    steward_journal::trail::tell_all(&journal).unwrap();
}

fn open(folder: &Path) -> anyhow::Result<Steward> {
    let runs = RunRegistry::new(Box::new(|_| ()));
    Steward::open(folder, Arc::new(MemoryStore::default()), Arc::new(AnswersByItself::default()), runs)
}

/// The site that the data folder was written with.
fn city() -> SiteId {
    SiteId("9abef2e1-95d6-40f2-8012-f28395384625".to_owned())
}

/// The server of City GIS.
fn city_server() -> Target {
    Target { site: city(), server: Some(ServerId("server".to_owned())) }
}

/// Says what to do when a test of the fixture fails.
struct WhenTheFormatChanged;

impl Drop for WhenTheFormatChanged {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "\nA data folder of format 1 is not read as it was written. Until the first release, change the files in \
                 tests/fixtures/data-folders/format-1 as you changed the program. After it, leave them as they are: \
                 raise the format, and write a migration. PROVENANCE.md there says how.\n"
            );
        }
    }
}

/// Opens the data folder of format 1 twice, and looks at it each time.
async fn format_1_twice(look: impl AsyncFn(&Steward)) {
    let _hint = WhenTheFormatChanged;
    let folder = tempfile::tempdir().unwrap();
    format_1(folder.path());
    let before = files_in(folder.path()).len();
    // The second start finds what the first one made of it.
    for _ in 0..2 {
        let steward = open(folder.path()).unwrap();
        assert_eq!(steward.set_aside().await.unwrap(), []);
        look(&steward).await;
    }
    let mut left = files_in(folder.path());
    left.retain(|name| !name.ends_with(".lock") && !name.starts_with("journal.db-") && name != "known-files");
    assert_eq!(left.len(), before, "nothing was set aside: {left:?}");
}

#[test]
fn a_new_journal_has_the_tables_of_the_journal_of_format_1() {
    let _hint = WhenTheFormatChanged;
    let folder = tempfile::tempdir().unwrap();
    format_1(folder.path());
    let new = folder.path().join("new.db");
    drop(Journal::open(&new).unwrap());

    assert_eq!(tables(&new), tables(&folder.path().join("journal.db")));
}

/// The tables, indexes and triggers of a database, without comments and line breaks.
fn tables(database: &Path) -> Vec<String> {
    let database = Connection::open(database).unwrap();
    let mut all =
        database.prepare("SELECT concat_ws(' ', name, sql) FROM sqlite_schema ORDER BY name").unwrap();
    let all = all.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap);
    let without_comments = |sql: String| {
        let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
        lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    };
    all.map(without_comments).collect()
}

#[tokio::test]
async fn the_sites_and_the_settings_of_format_1_are_found_again() {
    format_1_twice(async |steward| {
        let [city, upland] = &steward.context.access.sites.all()[..] else {
            panic!("{:?}", steward.context.access.sites.all())
        };
        assert_eq!((&city.id, city.name.as_str(), city.read_only), (&self::city(), "City GIS", true));
        assert_eq!(city.portal.as_ref().unwrap().address.as_str(), "https://gis.example.org/portal");
        assert_eq!(city.current_server().unwrap().address.as_str(), "https://gis.example.org/server");
        assert_eq!(city.seen.as_ref().unwrap().at, Millis(1_795_558_724_179));
        assert_eq!(
            (upland.environment, upland.deployment_type),
            (Environment::Test, DeploymentType::StandaloneServer)
        );
        let direct = upland.current_server().unwrap().admin_url.as_ref().unwrap();
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
async fn the_last_valid_policy_of_format_1_holds_while_the_file_cannot_be_read() {
    let _hint = WhenTheFormatChanged;
    let folder = tempfile::tempdir().unwrap();
    format_1(folder.path());
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
async fn unfinished_work_of_format_1_is_found_again() {
    format_1_twice(async |steward| {
        let [upload] = &unfinished(&steward.transfers.uploads, &city_server())[..] else {
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

/// What every record was about and how it ended, newest first.
const HISTORY_OF_FORMAT_1: [(&str, Outcome); 26] = [
    ("import_server", Outcome::Warnings),
    ("export_server", Outcome::Succeeded),
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
async fn the_history_of_format_1_is_found_again() {
    format_1_twice(async |steward| {
        let records = records(steward).await;
        let found: Vec<_> =
            records.iter().map(|record| (record.intent.operation.as_str(), record.outcome)).collect();
        assert_eq!(found, HISTORY_OF_FORMAT_1);
        assert!(records.iter().all(|record| record.workstation.user == "sam"));
        let page = page_of(&steward.context.history, HistorySearch::default(), None, 100).await.unwrap();
        assert_eq!(page.entries.len(), records.len(), "the window shows every one of them");

        assert_eq!(
            (parameter(&records[2], "reason"), parameter(&records[2], "minutes")),
            ("Patch day", "15")
        );
        assert_eq!(parameter(&records[12], "webhook"), "Copy to the fire service");
        assert_eq!(parameter(&records[13], "why"), "The receiver moves");
        let (undo, import, backup) = (&records[14], &records[15], &records[16]);
        assert_eq!(parameter(undo, "undoes"), import.id);
        assert_eq!(parameter(import, "safetyBackup"), "i406b10d6-a2d9-4446-ae69-8bb0add2672d");
        assert_eq!(parameter(import, "safetyBackupSavedAs"), "/home/sam/desk/before.agssite");
        assert!(page.entries[15].has_safety_backup, "it can be undone");
        assert_eq!(
            (parameter(backup, "purpose"), backup.note.as_str()),
            ("safetyBackup", "/home/sam/desk/before.agssite")
        );
        // Its note is in the words of an earlier version.
        let lost = &page.entries[5].note_parts;
        assert!(matches!(&lost[..], [part] if part.kind == NoteKind::NoResponse), "{lost:?}");
        let upload = &page.entries[8];
        assert!(upload.upload.as_ref().is_some_and(|id| upload.note_parts[0].upload.as_ref() == Some(id)));
        let changed =
            page.entries.iter().flat_map(|entry| &entry.parameters).find(|one| one.name == "siteName");
        assert!(
            changed.is_some_and(|one| one.value == "Upland \u{2192} Upland GIS" && one.before.is_none()),
            "a change without facts keeps its text: {changed:?}"
        );
        let added = &records[23];
        assert_eq!(
            (parameter(added, "siteEnvironment"), parameter(added, "siteDeploymentType")),
            ("test", "standaloneServer")
        );
        assert_eq!(parameter(added, "siteConnection"), "system");
        assert_eq!(parameter(&records[25], "signInMethod"), "password");

        let id = records[18].id.clone();
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
        assert_eq!(report.unwrap().read::<serde_json::Value>().unwrap()["counts"]["failedServices"], 1);
        done.sort();
        assert_eq!(done, ["0.1", "webAdaptors"]);
    })
    .await;
}

#[tokio::test]
async fn what_was_concluded_and_deactivated_in_format_1_is_found_again() {
    format_1_twice(async |steward| {
        let concluded = records(steward).await.remove(6);
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

        let log = deactivation_log::entries(&steward.context, Some(&city())).await.unwrap();
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
async fn a_reactivation_of_format_1_is_found_by_its_operation_and_by_its_words() {
    format_1_twice(async |steward| {
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
async fn reports_inventories_checks_and_announced_reminders_of_format_1_are_found_again() {
    format_1_twice(async |steward| {
        let records = records(steward).await;
        let (import, export) = (RecordId(records[0].id.clone()), records[1].id.clone());
        let report = history::import_report(&steward.context.history, import).await.unwrap();
        assert_eq!(report.counts.failed_services, 1);
        let proof = report.proof.unwrap();
        let check = proof.check.unwrap();
        assert_eq!((check.should_run, check.running, proof.services_before), (15, 14, Some(16)));
        assert_eq!(report.reactivated.unwrap().active, 2);

        let inventory = steward
            .context
            .history
            .journal(move |journal| journal.report_field(&export, "inventory"))
            .await
            .unwrap();
        let inventory: Inventory = inventory.unwrap().read().unwrap();
        assert_eq!(
            (inventory.services.len(), inventory.webhooks.len(), inventory.data_items.len()),
            (2, 2, 2)
        );
        let state = export_state(&steward.context, &city_server()).await.unwrap();
        assert_eq!(state.verified, Some(Millis(1_795_558_725_000)), "when the export began");

        let overview = steward.overviews().of_site(&city()).await.unwrap();
        let services = &overview.components[1].services;
        assert_eq!(services.value.as_ref().map(|check| check.running), Some(14));
        assert_eq!(services.failed_at, Some(Millis(1_795_558_729_000)));

        let validations = &steward.item_searches.validations;
        let checked =
            validations.of_item(&city(), "server gis.example.org/server", "/fileShares/zoning").unwrap();
        assert_eq!((checked.verdict, checked.valid_at), (Verdict::Invalid, Some(Millis(1_795_558_720_000))));

        let about = ReminderAbout::Deactivation {
            entry: DeactivationId("65aac8e0-4c15-44d7-ad8e-61fd3c695a46".to_owned()),
            service: "Buffer.GPServer".to_owned(),
        };
        let due = vec![Reminder { site: city(), at: Millis(4_102_444_800_000), about }];
        assert_eq!(steward.announced.take_new(due), [], "it was announced");
    })
    .await;
}

/// The content of all files in a data folder, except for the locks.
fn contents(folder: &Path) -> Vec<(String, Option<Vec<u8>>)> {
    let mut all: Vec<_> = files_in(folder)
        .into_iter()
        .filter(|name| !name.ends_with(".lock"))
        .map(|name| {
            let content = std::fs::read(folder.join(&name)).ok();
            (name, content)
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_data_folder_with_a_newer_format_is_refused_in_words_and_left_untouched() {
    for newer in ["sites.json", "journal.db"] {
        let folder = tempfile::tempdir().unwrap();
        format_1(folder.path());
        // It is set aside, but not where the start is refused.
        std::fs::write(folder.path().join("preferences.json"), "{ half a file").unwrap();
        let path = folder.path().join(newer);
        match newer {
            "sites.json" => std::fs::write(&path, r#"{"format":2,"content":{"later":[]}}"#).unwrap(),
            _ => Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 2").unwrap(),
        }
        let before = contents(folder.path());

        let error = format!("{:#}", open(folder.path()).err().unwrap());

        assert!(error.contains(newer) && error.contains("newer version"), "{error}");
        assert_eq!(contents(folder.path()), before, "{newer}");
    }
}

#[tokio::test]
async fn snapshots_of_a_newer_version_or_of_something_else_are_kept_and_told_and_new_ones_begin() {
    for other in ["PRAGMA user_version = 7", "PRAGMA application_id = 1", "DROP TABLE span"] {
        let folder = tempfile::tempdir().unwrap();
        format_1(folder.path());
        let file = folder.path().join("changes.db");
        let view = async |steward: &Steward| {
            steward.snapshots.view(&steward.context.history, &city()).await.unwrap().snapshots
        };
        let steward = open(folder.path()).unwrap();
        assert_eq!(view(&steward).await, []);
        drop(steward);
        Connection::open(&file).unwrap().execute_batch(other).unwrap();
        let before = std::fs::read(&file).unwrap();

        let steward = open(folder.path()).unwrap();

        let told = steward.set_aside().await.unwrap();
        let [aside] = &told[..] else { panic!("{other}: {told:?}") };
        assert_eq!(aside.what, SetAsideData::Snapshots);
        assert_eq!(std::fs::read(&aside.path).unwrap(), before, "{other}");
        assert_eq!(view(&steward).await, [], "{other}");
    }
}

#[tokio::test]
async fn each_file_that_cannot_be_read_is_told_with_where_it_is_until_a_user_resolves_it() {
    for (name, what) in [
        ("preferences.json", SetAsideData::Preferences),
        ("uploads.json", SetAsideData::Uploads),
        ("item-filters.json", SetAsideData::Filters),
        ("item-validations.json", SetAsideData::Validations),
        ("guided-tour.json", SetAsideData::GuidedTour),
        ("announced-reminders.json", SetAsideData::Reminders),
        ("checked-facts.json", SetAsideData::Checks),
        ("site-proofs.json", SetAsideData::SiteProofs),
        ("changes.db", SetAsideData::Snapshots),
        ("forwarded.json", SetAsideData::Forwarded),
        ("unsaved-invitations/c5f7a8a4-6c8a-4a53-9a3f-0d2c4f0b8f11.json", SetAsideData::Invitation),
    ] {
        let folder = tempfile::tempdir().unwrap();
        format_1(folder.path());
        std::fs::write(folder.path().join(name), "half a fi").unwrap();

        let steward = open(folder.path()).unwrap();

        let told = steward.set_aside().await.unwrap();
        let [aside] = &told[..] else { panic!("{name}: {told:?}") };
        assert_eq!((aside.what, aside.is_empty), (what, false));
        assert_ne!(Path::new(&aside.path), folder.path().join(name));
        assert_eq!(std::fs::read_to_string(&aside.path).unwrap(), "half a fi", "{name}");
        drop(steward);
        let steward = open(folder.path()).unwrap();
        assert_eq!(steward.set_aside_at_start(), told, "{name}: the second start says the same");

        assert_eq!(steward.resolve_set_aside(aside).await.unwrap(), [], "{name}");
        let kept = folder.path().join("resolved-files").join(Path::new(&aside.path).file_name().unwrap());
        assert_eq!(std::fs::read_to_string(kept).unwrap(), "half a fi", "{name}");
        drop(steward);
        assert_eq!(open(folder.path()).unwrap().set_aside_at_start(), [], "{name}");
    }
}

#[test]
fn a_second_site_or_server_with_the_same_identifier_gets_one_of_its_own_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    format_1(folder.path());
    let file = folder.path().join("sites.json");
    let mut stored: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let sites = stored["content"].as_array_mut().unwrap();
    let mut second = sites[0].clone();
    second["name"] = "Water".into();
    let mut server = second["servers"][0].clone();
    server["name"] = "raster.example.org".into();
    second["servers"].as_array_mut().unwrap().push(server);
    sites.push(second);
    let before = sites.len();
    std::fs::write(&file, stored.to_string()).unwrap();

    let steward = open(folder.path()).unwrap();

    let path = file.display().to_string();
    let told = SetAside { what: SetAsideData::EqualSites, path, is_empty: false };
    assert_eq!(steward.set_aside_at_start(), [told]);
    let sites = steward.context.access.sites.all();
    assert_eq!((sites.len(), &sites[0].id, &sites[0].servers[0].id.0[..]), (before, &city(), "server"));
    let second = sites.last().unwrap();
    assert_eq!(second.name, "Water");
    assert_ne!(second.id, city());
    let names: Vec<_> = second.servers.iter().map(|server| &server.name[..]).collect();
    assert_eq!(names, ["gis.example.org", "raster.example.org"]);
    assert_ne!(second.servers[0].id, second.servers[1].id);
    drop(steward);

    let steward = open(folder.path()).unwrap();
    let ids = || -> Vec<_> { steward.context.access.sites.all().into_iter().map(|site| site.id).collect() };
    let known: Vec<_> = sites.iter().map(|site| site.id.clone()).collect();
    assert_eq!((ids(), steward.set_aside_at_start()), (known.clone(), Vec::new()));
    steward.context.access.sites.remove(&city()).unwrap();
    assert_eq!(ids(), known[1..], "the other one stays");
}

#[tokio::test]
async fn a_data_folder_of_before_the_release_is_set_aside_whole_and_the_program_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    format_1(folder.path());
    // As the last version before the release marked them.
    let marks = "PRAGMA application_id = 0; PRAGMA user_version = 6";
    Connection::open(folder.path().join("journal.db")).unwrap().execute_batch(marks).unwrap();
    std::fs::write(folder.path().join("sites.json"), r#"{"version":3,"sites":[]}"#).unwrap();
    let before = contents(folder.path());

    let steward = open(folder.path()).unwrap();

    assert!(steward.context.access.sites.all().is_empty() && records(&steward).await.is_empty());
    let told = steward.set_aside_at_start();
    let [SetAside { what: SetAsideData::BeforeRelease, path, .. }] = &told[..] else { panic!("{told:?}") };
    let aside = PathBuf::from(path);
    for (name, content) in before.iter().filter(|(name, _)| name != "policy-before.json") {
        assert_eq!(&std::fs::read(aside.join(name)).ok(), content, "{name}");
    }
    assert!(folder.path().join("policy-before.json").exists(), "the organization decides, not a version");
    drop(steward);
    assert_eq!(open(folder.path()).unwrap().set_aside_at_start(), [], "it is set aside once");
}
