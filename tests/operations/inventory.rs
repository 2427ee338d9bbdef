//! The inventory of a server: taken with an export, compared before an import, and proven after it.

use rusqlite::Connection;
use steward_core::changes::{Change, Kind};
use steward_core::history::import_report;
use steward_core::inventory::service_check::{check_again, check_services};
use steward_core::inventory::stored::NoInventory;
use steward_core::inventory::{Inventory, InventoryPart, MissingPart};
use steward_core::listings::uploads::list_uploads;
use steward_core::model::export_location::ExportLocation;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::ids::RecordId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::operations::import_server::export_comparison::{ExportComparison, compare_with_export};
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{ImportServerForm, ImportServerOptions, preview_import};
use steward_core::site_context::SiteContext;
use steward_core::transfers::stored_file::stored_file;
use steward_core::transfers::upload::{UploadEnd, UploadSource};
use steward_journal::Outcome;
use steward_testkit::{FaultProxy, SINCE_THE_EXPORT};

use crate::export_server::stored_export;
use crate::history::{listened_to, posts};
use crate::import_server::answer;
use crate::odd_sites::another_server;
use crate::test_app::TestApp;
use crate::uploads::allow_site_files;

/// Service of the practice site whose data is missing, so that it never starts.
const NEVER_STARTS: &str = "Parcels/Zoning.MapServer";

const HYDRANTS: &str = "Hosted/Hydrants.FeatureServer";

/// Changes the services of the practice site behind its back.
fn change(app: &TestApp, sql: &str) {
    let database = Connection::open(app.practice_folder().join("server/server.db")).unwrap();
    database.execute_batch(sql).unwrap();
}

#[tokio::test]
async fn the_services_that_an_import_replaces_are_those_that_were_compared() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let upload = newest_upload(&app).await;
    let shown = preview_import(&app.steward.context.access, &app.server).await.unwrap().services.unwrap();
    // Published and deleted while the form is open.
    change(&app, SINCE_THE_EXPORT);

    let comparison = compared(&app, &upload).await;

    let named = named(comparison.clone());
    let count = |change| named.iter().filter(|one| (one.0, one.1) == (Kind::Services, change)).count();
    let more = count(Change::Missing) - count(Change::Added);
    assert_eq!(comparison.services, Some(shown + u32::try_from(more).unwrap()));

    let refused = r#"{"error":{"code":403,"message":"You do not have permissions.","details":[]}}"#;
    let _way = app.with_fault("/admin/services/Parcels?", answer(refused)).await;
    assert_eq!(compared(&app, &upload).await.services, None, "a folder is not listed");
}

/// Identifier of the newest file that the server stores.
async fn newest_upload(app: &TestApp) -> String {
    let uploads = list_uploads(&app.steward.context, &app.server).await.unwrap();
    uploads.into_iter().next_back().unwrap().id
}

pub(crate) async fn compared(app: &TestApp, upload: &str) -> ExportComparison {
    let location = ExportLocation::Upload { id: upload.to_owned() };
    compare_with_export(&app.steward.context, &app.steward.dialogs, &app.server, &location).await.unwrap()
}

async fn compared_at(app: &TestApp, path: &str) -> ExportComparison {
    let location = ExportLocation::Path { path: path.to_owned() };
    compare_with_export(&app.steward.context, &app.steward.dialogs, &app.server, &location).await.unwrap()
}

/// What differs, and how.
fn named(comparison: ExportComparison) -> Vec<(Kind, Change, String)> {
    let differences = comparison.comparison.unwrap().differences;
    differences.into_iter().map(|one| (one.kind, one.change, one.name)).collect()
}

fn import_of(upload: &str) -> ImportServerForm {
    ImportServerForm {
        location: upload.to_owned(),
        confirmation: "City GIS".to_owned(),
        safety_backup: None,
        deactivate_webhooks: None,
        options: ImportServerOptions::default(),
    }
}

#[tokio::test]
async fn an_export_leaves_its_inventory_beside_the_file() {
    let app = TestApp::new().await;

    let export = stored_export(&app).await;

    let beside = export.with_file_name("city.agssite.inventory.json");
    let inventory: Inventory = serde_json::from_slice(&std::fs::read(beside).unwrap()).unwrap();
    assert_eq!(inventory.missing, []);
    let paths: Vec<_> = inventory.services.iter().map(|service| service.path.as_str()).collect();
    assert!(paths.contains(&NEVER_STARTS) && paths.contains(&"Hosted/Hydrants.FeatureServer"), "{paths:?}");
    assert!(inventory.webhooks.iter().any(|webhook| webhook.active == Some(true)), "{inventory:?}");
    assert!(inventory.data_items.iter().any(|item| item.path.starts_with("/fileShares/")), "{inventory:?}");
    assert_eq!((inventory.machines.len(), inventory.sha256.len()), (1, 64));
    let folders = inventory.folders.unwrap();
    assert!(["Hosted", "Parcels"].iter().all(|name| folders.iter().any(|one| one == name)), "{folders:?}");
}

#[tokio::test]
async fn a_file_of_this_computer_is_compared_before_its_upload_but_only_one_that_the_user_selected() {
    let app = TestApp::new().await;
    let export = stored_export(&app).await;
    let upload = newest_upload(&app).await;
    change(&app, SINCE_THE_EXPORT);
    let location = ExportLocation::Here { path: export.display().to_string() };
    let dialogs = &app.steward.dialogs;
    let compare = async || compare_with_export(&app.steward.context, dialogs, &app.server, &location).await;
    let refused = compare().await;
    assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{refused:?}");

    dialogs.dropped.remember(&export);
    let found = compare().await.unwrap();

    assert_eq!(named(found), named(compared(&app, &upload).await));
    assert_eq!(newest_upload(&app).await, upload, "nothing was uploaded");
    std::fs::write(&export, "other content").unwrap();
    assert_eq!(compare().await.unwrap().no_inventory, Some(NoInventory::OfOtherContent));
}

#[tokio::test]
async fn an_import_is_told_before_by_what_disappears_and_after_by_what_does_not_run() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let upload = newest_upload(&app).await;
    assert_eq!(named(compared(&app, &upload).await), [], "nothing changed since the export");
    change(&app, SINCE_THE_EXPORT);

    let told = named(compared(&app, &upload).await);

    let expected = [
        (Kind::Services, Change::Missing, "Bridges.MapServer"),
        (Kind::Services, Change::Missing, "BufferZone.GPServer"),
        (Kind::Services, Change::Missing, "Ferries.MapServer"),
        (Kind::Services, Change::Missing, "Quays.MapServer"),
        (Kind::Services, Change::Differs, "Basemap.MapServer"),
        (Kind::Services, Change::Added, "Buffer.GPServer"),
        (Kind::Webhooks, Change::Missing, "BufferZone.GPServer: Archive every job"),
        (Kind::Webhooks, Change::Missing, "BufferZone.GPServer: Tell the planners"),
        (Kind::Webhooks, Change::Added, "Buffer.GPServer: Archive every job"),
        (Kind::Webhooks, Change::Added, "Buffer.GPServer: Tell the planners"),
    ];
    let told: Vec<_> = told.iter().map(|(kind, change, name)| (*kind, *change, name.as_str())).collect();
    assert_eq!(told[..], expected);

    let ended = app.import_server(import_of(&upload)).await.unwrap();

    let RunResult::Done { report, record: Some(record), .. } = ended else { panic!("{ended:?}") };
    let proof = report.proof.clone().unwrap();
    let check = proof.check.unwrap();
    assert_eq!(proof.services_before, Some(check.services + 3));
    assert_eq!(proof.lost, Some(Vec::new()));
    let not_running: Vec<_> = check.not_running.iter().map(|one| one.service.as_str()).collect();
    assert_eq!(not_running, [NEVER_STARTS]);
    assert_eq!(check.running + 1, check.should_run);
    let kept =
        app.steward.context.history.journal(move |journal| journal.report(&record.0)).await.unwrap().unwrap();
    assert_eq!(
        kept.read::<serde_json::Value>().unwrap(),
        serde_json::to_value(&report).unwrap(),
        "the history has the proof"
    );
    assert_eq!(named(compared(&app, &upload).await), [], "the site is as in the export again");
}

#[tokio::test]
async fn a_comparison_lists_what_this_app_changed_since_the_export() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let upload = newest_upload(&app).await;
    assert_eq!(compared(&app, &upload).await.changes.count, 0, "the export is no change");
    let services = vec![HYDRANTS.to_owned()];
    let form = DeactivateWebhooksForm { services, why: String::new(), confirmation: String::new() };
    app.deactivate_webhooks(form).await.unwrap();

    let changes = compared(&app, &upload).await.changes;

    assert_eq!((changes.count, changes.changes[0].note.as_str()), (1, HYDRANTS));
}

#[tokio::test]
async fn a_safety_backup_has_an_inventory_too_so_that_an_undo_is_compared() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let upload = newest_upload(&app).await;
    change(&app, SINCE_THE_EXPORT);
    let secured = ImportServerForm {
        safety_backup: Some(SafetyBackupOptions { also_here: false }),
        ..import_of(&upload)
    };
    let ended = app.import_server(secured).await.unwrap();
    let RunResult::Done { report, record: Some(record), .. } = ended else { panic!("{ended:?}") };
    let backup = report.safety_backup.unwrap();

    let told = named(compared(&app, &backup.upload).await);

    assert!(told.contains(&(Kind::Services, Change::Added, "Quays.MapServer".to_owned())), "{told:?}");
    let ended = app.undo_import(record, false).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(report.proof.unwrap().lost, Some(Vec::new()), "everything of the backup is back");
}

#[tokio::test]
async fn a_part_that_the_server_does_not_list_is_named_with_the_reason_and_the_export_is_none_the_worse() {
    let app = TestApp::new().await;
    let rejected = answer(r#"{"status":"error","code":403,"messages":["Authorization failed."]}"#);
    let _strict = app.with_fault("/admin/machines", rejected).await;
    app.dialogs.will_choose(&app.folder("exported").join("city.agssite"));
    let form = ExportServerForm { place: ServerExportDestination::ThisComputer };

    let ended = app.export_server(form).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let missing = report.inventory.unwrap().missing;
    let [MissingPart { part: InventoryPart::Machines, of: None, reason }] = &missing[..] else {
        panic!("{missing:?}")
    };
    assert!(reason.contains("Authorization failed."), "{reason}");
    assert_eq!(app.history().await[0].outcome, Outcome::Succeeded);
}

#[tokio::test]
async fn an_export_that_this_app_did_not_make_has_no_inventory() {
    let app = TestApp::new().await;
    let compared = compared(&app, "i00000000-0000-0000-0000-000000000000").await;
    assert!(compared.comparison.is_none() && compared.contents.is_none(), "{compared:?}");
}

#[tokio::test]
async fn of_a_stored_file_without_an_inventory_the_contents_are_shown() {
    let app = TestApp::new().await;
    let export = stored_export(&app).await;
    std::fs::remove_file(export.with_file_name("city.agssite.inventory.json")).unwrap();
    let journal = Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    journal.execute_batch("UPDATE record SET report = NULL").unwrap();
    steward_journal::seal_all(&journal).unwrap();
    drop(journal);

    let compared = compared(&app, &newest_upload(&app).await).await;

    assert!(compared.comparison.is_none(), "{compared:?}");
    let contents = compared.contents.unwrap();
    let archive = zip::ZipArchive::new(std::fs::File::open(export).unwrap()).unwrap();
    let services = archive.file_names().flatten().filter(|name| name.starts_with("services/")).count();
    assert_eq!(contents.entries as usize, archive.len());
    let largest = &contents.folders[0];
    assert_eq!((largest.name.as_str(), largest.entries as usize), ("services", services));
}

#[tokio::test]
async fn an_export_in_a_folder_of_the_server_was_never_here_and_is_not_compared() {
    let app = TestApp::new().await;
    let location = app.folder("exports").display().to_string();
    let form = ExportServerForm { place: ServerExportDestination::ServerFolder { location } };
    let ended = app.export_server(form).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location, .. } = report.outcome else { panic!("{report:?}") };
    // Somebody can write another file there.
    std::fs::write(&location, "another file").unwrap();

    let compared = compared_at(&app, &location).await;

    assert!(compared.comparison.is_none() && compared.contents.is_none(), "{compared:?}");
    assert_eq!(compared.no_inventory, Some(NoInventory::UnknownContent));
}

#[tokio::test]
async fn a_later_check_is_added_to_the_report_of_its_import() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let ended = app.import_server(import_of(&newest_upload(&app).await)).await.unwrap();
    let RunResult::Done { report, record: Some(record), .. } = ended else { panic!("{ended:?}") };
    change(&app, "UPDATE services SET real_time_state = 'STARTED'");
    let SiteContext { access, history, .. } = &app.steward.context;

    let later = check_again(access, history, &app.site, record.clone()).await.unwrap();

    assert_eq!((later.not_running.len(), later.running), (0, later.should_run));
    let kept = import_report(history, record).await.unwrap();
    let proof = kept.proof.clone().unwrap();
    assert_eq!((proof.check.as_ref(), proof.later), (report.proof.unwrap().check.as_ref(), vec![later]));
    let export = RecordId(app.history().await[1].id.clone());
    let import = RecordId(app.history().await[0].id.clone());
    let other = check_again(access, history, &app.site, export).await;
    assert!(matches!(other, Err(Problem::Unexpected { .. })), "an export is no import: {other:?}");
    let elsewhere = another_server(&app).await;
    let asked = elsewhere.asked().len();
    let of_its_server = check_again(access, history, &app.site, import).await;
    assert!(of_its_server.is_ok(), "{of_its_server:?}");
    assert_eq!(elsewhere.asked().len(), asked, "the other server was asked nothing");
}

#[tokio::test]
async fn an_uploaded_file_is_compared_by_the_inventory_beside_it() {
    let app = TestApp::new().await;
    let export = stored_export(&app).await;
    change(&app, SINCE_THE_EXPORT);
    // The records of the export are those of another computer.
    let journal = Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    journal.execute_batch("UPDATE record SET report = NULL").unwrap();
    steward_journal::seal_all(&journal).unwrap();
    drop(journal);
    allow_site_files(&app);
    app.dialogs.will_choose(&export);
    let end = app.upload(UploadSource::Choose { part_mebibytes: 1 }).await.unwrap();
    let UploadEnd::Uploaded { item, .. } = end else { panic!("{end:?}") };

    let compared = compared(&app, &item.0).await;

    assert!(compared.is_beside, "anyone might have changed it");
    let told = named(compared);
    assert!(told.contains(&(Kind::Services, Change::Missing, "Quays.MapServer".to_owned())), "{told:?}");
}

/// Makes the records of the exports those of another computer.
fn forget_exports(app: &TestApp) {
    let journal = Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let changed = journal.execute("DELETE FROM record WHERE operation = 'export_server'", []).unwrap();
    assert!(changed > 0);
}

/// Uploads a file, and returns its identifier.
pub(crate) async fn uploaded(app: &TestApp, file: &std::path::Path) -> String {
    allow_site_files(app);
    app.dialogs.will_choose(file);
    let end = app.upload(UploadSource::Choose { part_mebibytes: 1 }).await.unwrap();
    let UploadEnd::Uploaded { item, .. } = end else { panic!("{end:?}") };
    item.0
}

fn inventory_beside(export: &std::path::Path) -> std::path::PathBuf {
    export.with_file_name("city.agssite.inventory.json")
}

/// Changes the inventory beside an export.
fn forge(export: &std::path::Path, change: impl FnOnce(&mut Inventory)) {
    let beside = inventory_beside(export);
    let mut inventory = serde_json::from_slice(&std::fs::read(&beside).unwrap()).unwrap();
    change(&mut inventory);
    std::fs::write(beside, serde_json::to_vec(&inventory).unwrap()).unwrap();
}

#[tokio::test]
async fn the_inventory_in_the_history_counts_and_not_a_forged_one_beside_the_file() {
    let app = TestApp::new().await;
    let export = stored_export(&app).await;
    change(&app, SINCE_THE_EXPORT);
    let upload = uploaded(&app, &export).await;
    let expected = named(compared(&app, &upload).await);
    assert_eq!(expected.len(), 10);
    forge(&export, |inventory| inventory.services.clear());

    assert_eq!(named(compared(&app, &upload).await), expected);
}

/// Changes an export or its inventory.
type Tamper = fn(&std::path::Path);

#[tokio::test]
async fn an_inventory_beside_a_file_that_is_of_other_content_is_not_compared() {
    let others: [(&str, Tamper, NoInventory); 4] = [
        (
            "a truncated export",
            |export| {
                let whole = std::fs::read(export).unwrap();
                std::fs::write(export, &whole[..whole.len() / 2]).unwrap();
            },
            NoInventory::OfOtherContent,
        ),
        (
            "the inventory of another export",
            |export| forge(export, |other| other.sha256 = "0".repeat(64)),
            NoInventory::OfOtherContent,
        ),
        (
            "an emptied inventory",
            |export| {
                forge(export, |emptied| *emptied = Inventory { format: 1, ..Inventory::default() });
            },
            NoInventory::OfOtherContent,
        ),
        ("an empty file", |export| std::fs::write(inventory_beside(export), "").unwrap(), NoInventory::None),
    ];
    for (case, change_file, reason) in others {
        let app = TestApp::new().await;
        let export = stored_export(&app).await;
        forget_exports(&app);
        change_file(&export);
        let upload = uploaded(&app, &export).await;

        let compared = compared(&app, &upload).await;

        assert!(compared.comparison.is_none(), "{case}: {compared:?}");
        assert_eq!(compared.no_inventory, Some(reason), "{case}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_in_place_of_an_inventory_is_not_waited_for() {
    let app = TestApp::new().await;
    let export = stored_export(&app).await;
    forget_exports(&app);
    let upload = uploaded(&app, &export).await;
    std::fs::remove_file(inventory_beside(&export)).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(inventory_beside(&export)).status().unwrap();
    assert!(pipe.success());

    assert_eq!(compared(&app, &upload).await.no_inventory, Some(NoInventory::None));
}

#[tokio::test]
async fn a_file_at_the_path_of_an_export_is_not_that_export() {
    let app = TestApp::new().await;
    let export = stored_export(&app).await;
    let whole = std::fs::read(&export).unwrap();
    std::fs::write(&export, &whole[..whole.len() / 2]).unwrap();
    std::fs::remove_file(inventory_beside(&export)).unwrap();
    let upload = uploaded(&app, &export).await;

    let compared = compared(&app, &upload).await;

    assert!(compared.comparison.is_none(), "{compared:?}");
}

#[tokio::test]
async fn an_export_is_known_at_another_path_and_of_another_site() {
    let app = TestApp::new().await;
    let export = stored_export(&app).await;
    change(&app, SINCE_THE_EXPORT);
    let journal = Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    journal.execute_batch("UPDATE record SET site = 'another' WHERE operation = 'export_server'").unwrap();
    steward_journal::seal_all(&journal).unwrap();
    drop(journal);
    let renamed = export.with_file_name("renamed.agssite");
    std::fs::rename(&export, &renamed).unwrap();
    let upload = uploaded(&app, &renamed).await;

    let compared_now = compared(&app, &upload).await;

    let other = compared_now.other_server.clone().unwrap();
    assert_eq!((other.site_name.as_str(), other.server_name), ("City GIS", None), "as it was exported");
    let told = named(compared_now);
    assert!(told.contains(&(Kind::Services, Change::Missing, "Quays.MapServer".to_owned())), "{told:?}");
}

#[tokio::test]
async fn an_export_of_another_server_of_the_site_is_told_before_it_is_imported() {
    let app = TestApp::new().await;
    let export = stored_export(&app).await;
    assert_eq!(compared(&app, &newest_upload(&app).await).await.other_server, None, "it is of this one");
    let journal = Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let of_another =
        "UPDATE record SET server = 'second', server_name = 'gisapp02' WHERE operation = 'export_server'";
    journal.execute_batch(of_another).unwrap();
    steward_journal::seal_all(&journal).unwrap();
    drop(journal);

    let other = compared(&app, &uploaded(&app, &export).await).await.other_server.unwrap();

    assert_eq!((other.site, other.server_name.as_deref()), (app.site.clone(), Some("gisapp02")));
}

#[tokio::test]
async fn an_import_after_which_services_of_the_export_are_missing_ends_with_warnings() {
    for (folder, outcome) in
        [("/services/Nowhere?", Outcome::Succeeded), ("/services/Water?", Outcome::Warnings)]
    {
        let app = TestApp::new().await;
        stored_export(&app).await;
        let upload = newest_upload(&app).await;
        change(&app, "UPDATE services SET real_time_state = 'STARTED'");
        let imported = answer(r#"{"status":"success","result":[]}"#);
        let imports = FaultProxy::to(app.practice_address(), "/admin/importSite", imported).await.unwrap();
        let empty = answer(r#"{"folderName":"Water","folders":[],"services":[]}"#);
        let folders = FaultProxy::to(&imports.address(), folder, empty).await.unwrap();
        app.go_through(&folders.address());

        let ended = app.import_server(import_of(&upload)).await.unwrap();

        let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
        let proof = report.proof.unwrap();
        assert!(proof.check.unwrap().not_running.is_empty(), "what is there runs");
        assert_eq!(proof.lost.unwrap().is_empty(), outcome == Outcome::Succeeded);
        assert_eq!(app.history().await[0].outcome, outcome);
    }
}

#[tokio::test]
async fn an_upload_of_another_server_with_the_same_identifier_tells_nothing_of_this_one() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let upload = newest_upload(&app).await;
    let known = stored_file(&app.steward.context, &app.steward.transfers, &app.server, upload.clone()).await;
    assert!(known.unwrap().local.is_some(), "it is of this server");
    let journal = Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    journal.execute_batch("UPDATE record SET server = 'second'").unwrap();
    steward_journal::seal_all(&journal).unwrap();
    drop(journal);

    let compared = compared(&app, &upload).await;

    assert_eq!(compared.no_inventory, Some(NoInventory::UnknownContent));
    let known = stored_file(&app.steward.context, &app.steward.transfers, &app.server, upload).await;
    assert_eq!(known.unwrap().local, None);
}

#[tokio::test]
async fn a_server_without_reports_is_asked_for_each_service() {
    let app = TestApp::new().await;
    let expected = check_services(&app.steward.context.access, &app.server).await.unwrap();
    let missing = answer(r#"{"status":"error","code":404,"messages":["no such resource"]}"#);
    let _old = app.with_fault("/report", missing).await;

    let check = check_services(&app.steward.context.access, &app.server).await.unwrap();

    assert_eq!((check.services, check.running), (expected.services, expected.running));
    assert_eq!(check.not_running, expected.not_running);
}

#[tokio::test]
async fn a_report_without_services_hides_none_that_the_list_has() {
    let app = TestApp::new().await;
    let expected = check_services(&app.steward.context.access, &app.server).await.unwrap();
    for empty in [r#"{"reports":null}"#, r#"{"reports":[]}"#, r#"{"reports":[{"odd":1}]}"#] {
        let _odd = app.with_fault("/report", answer(empty)).await;

        let check = check_services(&app.steward.context.access, &app.server).await.unwrap();

        assert_eq!((check.services, check.running), (expected.services, expected.running), "{empty}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_list_its_services_is_not_judged() {
    let app = TestApp::new().await;
    let rejected = answer(r#"{"status":"error","code":403,"messages":["Authorization failed."]}"#);
    let _strict = app.with_fault("/admin/services?", rejected).await;

    let problem = check_services(&app.steward.context.access, &app.server).await.unwrap_err();

    assert!(matches!(problem, Problem::Rejected { code: Some(403), .. }), "{problem:?}");
}

#[tokio::test]
async fn a_comparison_and_a_check_send_nothing_that_changes_the_site() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let upload = newest_upload(&app).await;
    let (address, wire) = listened_to(app.practice_address()).await;
    app.go_through(&address);

    compared(&app, &upload).await;
    check_services(&app.steward.context.access, &app.server).await.unwrap();

    let paths: Vec<_> = posts(&wire).into_iter().map(|(path, _)| path).collect();
    let reads = |path: &String| path.ends_with("/findItems") || path.ends_with("/generateToken");
    assert!(!paths.is_empty() && paths.iter().all(reads), "{paths:?}");
}
