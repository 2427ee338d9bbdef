use rusqlite::Connection;
use steward_app::steward::Steward;
use steward_core::follow_up::outcome_check::{CheckFact, check, resolve};
use steward_core::history::changes_since::since_import;
use steward_core::inventory::portal_comparison::CountedPart;
use steward_core::inventory::{InventoryPart, MissingPart};
use steward_core::model::deployment::Environment;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::ids::RecordId;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::{FieldError as FormFault, PreconditionFailure, Problem, SafetyBackupStep};
use steward_core::model::run_result::RunResult;
use steward_core::model::unavailable_reason::UnavailableReason;
use steward_core::operations::import_portal::change_summary::{PortalImportEffect, change_summary, compare};
use steward_core::operations::import_portal::proof::{check_again, report_of};
use steward_core::operations::import_portal::{ImportPortalForm, PortalImportReport};
use steward_core::sites::SiteForm;
use steward_journal::{Conclusion, Facts, Outcome};
use steward_plans::set::{PartState, SkipReason};
use steward_testkit::{Fault, FaultProxy, until};

use crate::backup_plans::{plan_of, run_of};
use crate::export_portal::to;
use crate::import_server::answer;
use crate::test_app::TestApp;

pub(crate) fn form(location: &str) -> ImportPortalForm {
    ImportPortalForm {
        location: location.to_owned(),
        export_version: Some("11.1".to_owned()),
        safety_backup: None,
        confirmation: "City GIS".to_owned(),
        check_only: false,
        store: None,
    }
}

/// A file that the portal can read, and that is no export.
pub(crate) fn some_file(app: &TestApp) -> String {
    let path = app.folder("exports").join("a.portalsite");
    std::fs::write(&path, "no archive").unwrap();
    path.display().to_string()
}

/// With a safety backup beside the other exports.
pub(crate) fn secured(app: &TestApp, location: &str) -> ImportPortalForm {
    ImportPortalForm { safety_backup: Some(app.folder("safety").display().to_string()), ..form(location) }
}

pub(crate) async fn exported(app: &TestApp) -> String {
    let ended = app.export_portal(to(&app.folder("exports"), false)).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location, .. } = report.outcome else { panic!("{report:?}") };
    location
}

fn portal(app: &TestApp) -> Connection {
    Connection::open(app.practice_folder().join("portal/portal.db")).unwrap()
}

fn groups(app: &TestApp) -> u32 {
    portal(app).query_row("SELECT count(*) FROM groups", [], |row| row.get(0)).unwrap()
}

fn lose_a_group(app: &TestApp) {
    let one = "(SELECT id FROM groups ORDER BY id LIMIT 1)";
    portal(app)
        .execute_batch(&format!(
            "DELETE FROM group_items WHERE group_id = {one}; DELETE FROM group_members WHERE group_id = {one};
             DELETE FROM groups WHERE id = {one};"
        ))
        .unwrap();
}

fn done(ended: Result<RunResult<PortalImportReport>, Problem>) -> (PortalImportReport, RecordId) {
    match ended {
        Ok(RunResult::Done { report, record: Some(record), .. }) => (report, record),
        other => panic!("{other:?}"),
    }
}

fn files(app: &TestApp, folder: &str) -> usize {
    std::fs::read_dir(app.folder(folder)).unwrap().count()
}

#[tokio::test]
async fn what_was_exported_comes_back_and_what_was_there_before_comes_back_by_the_undo() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = groups(&app);
    lose_a_group(&app);

    let (report, import) = done(app.import_portal(secured(&app, &file)).await);

    assert_eq!(groups(&app), before);
    let safety_backup = report.safety_backup.unwrap();
    assert!(std::path::Path::new(&safety_backup.location).is_file());
    assert_eq!(report.proof, None, "every session has ended, and nobody can renew this one");
    assert_eq!(app.history().await[0].outcome, Outcome::Succeeded);

    app.sign_in("administrator").await.unwrap();
    let context = &app.steward.context;
    let proof = check_again(&context.access, &context.history, &app.site, import.clone()).await.unwrap();
    let comparison = proof.comparison.clone().unwrap();
    assert!(comparison.rows.iter().all(|row| row.portal == row.export), "{comparison:?}");
    assert_eq!(report_of(&context.history, import.clone()).await.unwrap().proof, Some(proof));

    done(app.undo_portal_import(import.clone(), None).await);

    assert_eq!(groups(&app), before - 1);
    let undo = app.history().await.remove(0);
    assert!(undo.intent.parameters.contains(&("undoes".to_owned(), import.0)));
    let ended: Vec<bool> = context.runs.ended().iter().map(|run| run.is_undo).collect();
    assert_eq!(ended, [false, false, true], "after an export and an import");
}

#[tokio::test]
async fn the_record_names_the_safety_backup_before_the_import_is_sent() {
    let app = TestApp::new().await;
    let file = exported(&app).await;

    let (report, _) = done(app.import_portal(secured(&app, &file)).await);

    let written = report.safety_backup.unwrap().location;
    let history = app.history().await;
    assert!(history[0].intent.parameters.contains(&("safetyBackup".to_owned(), written.clone())));
    assert_eq!(history[0].note, file);
    let [_, safety, ..] = &history[..] else { panic!("no safety backup") };
    assert_eq!((safety.intent.operation.as_str(), safety.note.as_str()), ("export_portal", &*written));
    assert!(safety.intent.parameters.contains(&("purpose".to_owned(), "safetyBackup".to_owned())));
}

#[tokio::test]
async fn an_import_is_compared_with_the_export_of_then_and_not_with_a_later_one_over_its_file() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = groups(&app);
    let (_, import) = done(app.import_portal(form(&file)).await);
    app.sign_in("administrator").await.unwrap();
    lose_a_group(&app);
    let over_it = answer(&serde_json::json!({ "status": "success", "location": file }).to_string());
    let way = app.with_fault("/portaladmin/exportSite", over_it).await;
    let ended = app.export_portal(to(&app.folder("exports"), false)).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(report.outcome.location() == Some(file.as_str()) && way.met() > 0, "{report:?}");

    let context = &app.steward.context;
    let proof = check_again(&context.access, &context.history, &app.site, import).await.unwrap();

    let rows = proof.comparison.unwrap().rows;
    let of_groups = rows.iter().find(|row| row.part == CountedPart::Groups).unwrap();
    assert_eq!((of_groups.portal, of_groups.export), (Some(before - 1), Some(before)));
}

#[tokio::test]
async fn an_entered_version_counts_by_what_it_means_and_not_by_its_text() {
    let app = TestApp::new().await;
    let file = some_file(&app);
    let _way = app.with_fault("/portals/self?", of_version("11.1")).await;
    let unread = Problem::form("exportVersion", FormFault::NotAVersion);
    for (text, expected) in [
        (" 11.1 ", "the same"),
        ("11.1.0", "the same"),
        ("11.1 (build 42328)", "the same"),
        ("v11.1", "the same"),
        ("11,1", "the same"),
        ("Enterprise 11.1", "the same"),
        ("11", "another"),
        ("11.10", "another"),
        ("\u{202e}1.11", "another"),
        ("-11.1", "unread"),
        ("eleven", "unread"),
        ("build 42328", "unread"),
        ("99999999999999999999.1", "unread"),
        (&"1".repeat(100_000), "unread"),
    ] {
        let of = ImportPortalForm { export_version: Some(text.to_owned()), ..form(&file) };
        let ended = app.import_portal(of).await;
        let taken_for = match &ended {
            Err(Problem::PreconditionFailed { why: PreconditionFailure::OtherVersion { .. } }) => "another",
            Err(problem) if *problem == unread => "unread",
            _ => "the same",
        };
        assert_eq!(taken_for, expected, "{} {ended:?}", text.chars().take(20).collect::<String>());
    }
}

#[tokio::test]
async fn a_check_of_the_file_changes_nothing_and_leaves_no_record() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let records = app.history().await.len();
    let check = |location: &str| ImportPortalForm { check_only: true, ..form(location) };

    let ended = app.import_portal(check(&file)).await.unwrap();

    let RunResult::Done { report, record: None, .. } = ended else { panic!("{ended:?}") };
    assert!(report.check_only && !report.warned);
    let refused = app.import_portal(check("/nowhere/a.portalsite")).await.err().unwrap();
    assert!(matches!(refused, Problem::Rejected { .. }), "{refused:?}");
    assert_eq!(app.history().await.len(), records);
}

#[tokio::test]
async fn a_file_that_the_portal_cannot_read_is_not_imported_and_nothing_is_exported_before() {
    let app = TestApp::new().await;

    let refused = app.import_portal(secured(&app, "/nowhere/a.portalsite")).await.err().unwrap();

    assert!(matches!(refused, Problem::Rejected { .. }), "{refused:?}");
    assert_eq!(files(&app, "safety"), 0);
    let history = app.history().await;
    assert_eq!((history.len(), history[0].outcome), (1, Outcome::NotSent), "with its reason: {history:?}");
}

#[tokio::test]
async fn a_folder_that_the_portal_cannot_write_to_stops_the_import_before_anything_is_sent() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let folder = Some("/nowhere/at all".to_owned());

    let refused = app.import_portal(ImportPortalForm { safety_backup: folder, ..form(&file) }).await;

    let Err(Problem::SafetyBackupFailed { step: SafetyBackupStep::Export, cause: Some(_) }) = refused else {
        panic!("{refused:?}")
    };
    let history = app.history().await;
    let outcomes: Vec<_> = history.iter().map(|one| (one.intent.operation.as_str(), one.outcome)).collect();
    assert_eq!(outcomes, [("import_portal", Outcome::NotSent), ("export_portal", Outcome::Succeeded)]);
}

#[tokio::test]
async fn a_safety_backup_that_fails_leaves_the_import_unsent() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let rejected = answer(r#"{"error":{"code":500,"message":"The disk is full.","details":null}}"#);
    let import = app.with_fault("/portaladmin/exportSite", rejected).await.sparing(1);

    let refused = app.import_portal(secured(&app, &file)).await.err().unwrap();

    assert!(matches!(refused, Problem::SafetyBackupFailed { .. }), "{refused:?}");
    assert_eq!(import.met(), 1);
    let history = app.history().await;
    let outcomes: Vec<_> =
        history.iter().map(|one| (one.intent.operation.as_str(), one.outcome)).take(2).collect();
    assert_eq!(outcomes, [("import_portal", Outcome::NotSent), ("export_portal", Outcome::Failed)]);
}

#[tokio::test]
async fn a_folder_that_the_portal_names_is_no_safety_backup() {
    let app = TestApp::new().await;
    let form = secured(&app, &some_file(&app));
    let body = serde_json::json!({ "status": "success", "location": form.safety_backup }).to_string();
    // The first request is the check of the folder.
    let _way = app.with_fault("/portaladmin/exportSite", answer(&body)).await.sparing(1);

    let refused = app.import_portal(form).await.err().unwrap();

    assert!(
        matches!(refused, Problem::SafetyBackupFailed { step: SafetyBackupStep::Export, .. }),
        "{refused:?}"
    );
    let history = app.history().await;
    assert_eq!((history[0].outcome, history[1].outcome), (Outcome::NotSent, Outcome::Failed));
    assert_eq!(history[1].facts.site_path, None);
}

#[tokio::test]
async fn a_file_of_earlier_that_the_portal_names_is_no_safety_backup() {
    let app = TestApp::new().await;
    let earlier = exported(&app).await;
    let imported = some_file(&app);
    // Some systems spell one path in several ways.
    let spelled =
        [imported.replace('/', "//"), imported.replace('/', "\\"), format!("{} ", imported.to_uppercase())];
    for named in [&earlier, &imported].into_iter().chain(&spelled) {
        let body = serde_json::json!({ "status": "success", "location": named }).to_string();
        // The first request is the check of the folder.
        let _way = app.with_fault("/portaladmin/exportSite", answer(&body)).await.sparing(1);

        let refused = app.import_portal(secured(&app, &imported)).await.err().unwrap();

        let Problem::SafetyBackupFailed { step: SafetyBackupStep::Archive(ArchiveFault::Earlier), .. } =
            refused
        else {
            panic!("{named}: {refused:?}")
        };
        let history = app.history().await;
        assert_eq!((history[0].outcome, history[1].outcome), (Outcome::NotSent, Outcome::Failed));
    }
}

#[tokio::test]
async fn after_a_lost_answer_the_outcome_is_unknown_and_the_undo_is_offered() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let _way = app.with_fault("/portaladmin/importSite", Fault::AnswerLost).await.sparing(1);

    let ended = app.import_portal(secured(&app, &file)).await.unwrap();

    let RunResult::Unknown { record: Some(record), can_undo: true, .. } = ended else { panic!("{ended:?}") };
    app.sign_in("administrator").await.unwrap();
    let Steward { context, invitation_files, dialogs, .. } = &app.steward;
    let seen = check(context, &invitation_files.unsaved, dialogs, &record).await.unwrap();
    let items = portal(&app).query_row("SELECT count(*) FROM items", [], |row| row.get(0)).ok();
    let content = seen.facts.iter().find_map(|fact| match fact {
        CheckFact::PortalContent { items, .. } => Some(*items),
        _ => None,
    });
    assert_eq!(content, Some(items), "{:?}", seen.facts);
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_leaves_the_outcome_unknown() {
    let app = TestApp::new().await;
    let file = some_file(&app);
    for body in ["<html>", "{}", r#"{"status":"pending"}"#] {
        let _way = app.with_fault("/portaladmin/importSite", answer(body)).await.sparing(1);
        let ended = app.import_portal(form(&file)).await.unwrap();
        assert!(matches!(ended, RunResult::Unknown { can_undo: false, .. }), "{body}: {ended:?}");
    }
}

#[tokio::test]
async fn an_import_that_failed_half_way_says_so_and_can_be_undone() {
    let app = TestApp::new().await;

    let failed = app.import_portal(secured(&app, &some_file(&app))).await.err().unwrap();

    let Problem::ImportFailed { record: Some(record), can_undo: true, .. } = failed else {
        panic!("{failed:?}")
    };
    let history = app.history().await;
    assert_eq!((history[0].id.clone(), history[0].outcome), (record.0, Outcome::Failed));
}

#[tokio::test]
async fn stop_while_the_file_is_checked_is_not_sent() {
    let app = TestApp::new().await;
    let held = app.with_fault("/portaladmin/importSite", Fault::Silence).await;
    let stopping = async {
        until("the check", async || held.met() > 0).await;
        app.steward.context.runs.stop(&app.run());
    };

    let (ended, ()) = tokio::join!(app.import_portal(form("/exports/a.portalsite")), stopping);

    assert!(matches!(ended, Ok(RunResult::NotSent { record: Some(_), .. })), "{ended:?}");
    assert_eq!(app.history().await[0].outcome, Outcome::NotSent);
}

#[tokio::test]
async fn an_import_is_not_undone_at_another_portal_that_the_site_has_since() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let (_, import) = done(app.import_portal(secured(&app, &file)).await);
    let mut site = app.sites().get(&app.site).unwrap();
    site.portal.as_mut().unwrap().address = "https://gis.example.org/portal".parse().unwrap();
    app.sites().put(site).unwrap();

    let refused = app.undo_portal_import(import, None).await;

    let changed = Problem::PreconditionFailed { why: PreconditionFailure::ServerChanged };
    assert_eq!(refused.err(), Some(changed));
    assert_eq!(app.history().await[0].outcome, Outcome::Succeeded, "no second entry");
}

#[tokio::test]
async fn an_import_is_not_undone_with_a_file_that_a_later_export_wrote_over_its_safety_backup() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let (report, import) = done(app.import_portal(secured(&app, &file)).await);
    let safety_backup = report.safety_backup.unwrap().location;
    app.sign_in("administrator").await.unwrap();
    let (sites, history) = (app.sites(), &app.steward.context.history);
    assert!(since_import(sites, history, import.clone()).await.is_ok());
    let named = safety_backup.replace("/safety/", "//Safety/");
    let body = serde_json::json!({ "status": "success", "location": named }).to_string();
    let _way = app.with_fault_after_the_check(answer(&body)).await;
    app.export_portal(to(&app.folder("exports"), false)).await.unwrap();
    assert_eq!(app.history().await[0].facts.earlier_file.as_ref(), Some(&named));
    let records = app.history().await.len();

    let summary = since_import(sites, history, import.clone()).await.err();
    let refused = app.undo_portal_import(import, None).await.err();

    let why = PreconditionFailure::SafetyBackupReplaced { file: safety_backup };
    let replaced = Some(Problem::PreconditionFailed { why });
    assert_eq!((summary, refused), (replaced.clone(), replaced));
    assert_eq!(app.history().await.len(), records, "nothing was sent");
}

#[tokio::test]
async fn a_portal_behind_a_web_adaptor_without_its_administration_url_is_not_asked() {
    let app = TestApp::new().await;
    let mut site = app.sites().get(&app.site).unwrap();
    let portal = site.portal.as_mut().unwrap();
    portal.address = "https://gis.example.org/portal".parse().unwrap();
    let site_at = |admin: Option<&str>| {
        let mut site = site.clone();
        site.portal.as_mut().unwrap().admin_url = admin.map(|url| url.parse().unwrap());
        steward_core::sites::availability::availability(
            &{
                app.sites().put(site).unwrap();
                app.sites().at(&steward_core::model::ids::Target::portal(app.site.clone())).unwrap()
            },
            &steward_core::sites::availability::SiteFacts::default(),
        )
        .into_iter()
        .find(|one| one.operation == OperationKey::ImportPortal)
        .unwrap()
        .reasons
    };
    assert_eq!(site_at(None), [UnavailableReason::NoAdminUrl]);
    assert_eq!(site_at(Some("https://gis.example.org:7443/arcgis")), []);
}

#[tokio::test]
async fn a_rejection_by_the_web_adaptor_is_said_to_be_one() {
    let app = TestApp::new().await;
    let words = "This operation is not allowed through the web adaptor.";
    let body = format!(r#"{{"error":{{"code":403,"message":"{words}","details":[]}}}}"#);
    let _way = app.with_fault("/portaladmin/importSite", answer(&body)).await.sparing(1);

    let refused = app.import_portal(form(&some_file(&app))).await.err().unwrap();

    assert_eq!(refused, Problem::InFront { message: words.to_owned() });
}

#[tokio::test]
async fn a_token_that_ends_before_the_import_has_changed_nothing() {
    let app = TestApp::new().await;
    let ended = r#"{"error":{"code":498,"message":"Invalid Token.","details":[]}}"#;
    let way = app.with_fault("/portaladmin/importSite", answer(ended)).await.sparing(1);

    let refused = app.import_portal(form(&some_file(&app))).await;

    assert!(matches!(refused, Err(Problem::SignIn { .. })), "{refused:?}");
    assert_eq!(way.met(), 1);
    assert_eq!(app.history().await[0].outcome, Outcome::Failed);
}

#[tokio::test]
async fn an_inventory_that_is_lost_leaves_the_import_with_its_outcome_and_names_what_is_missing() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let (_, import) = done(app.import_portal(form(&file)).await);
    app.sign_in("administrator").await.unwrap();
    let refusal = r#"{"error":{"code":403,"message":"You do not have permissions","details":[]}}"#;
    let _way = app.with_fault("/community/groups", answer(refusal)).await;

    let context = &app.steward.context;
    let proof = check_again(&context.access, &context.history, &app.site, import).await.unwrap();

    let [MissingPart { part: InventoryPart::Groups, .. }] = proof.inventory.missing.as_slice() else {
        panic!("{proof:?}")
    };
    let rows = proof.comparison.unwrap().rows;
    let groups = rows.iter().find(|row| row.part == CountedPart::Groups).unwrap();
    assert!(groups.portal.is_none() && groups.export.is_some(), "{groups:?}");
    assert_eq!(app.history().await[0].outcome, Outcome::Succeeded);
}

/// A portal of this version, as it describes itself.
fn of_version(version: &str) -> Fault {
    answer(&format!(
        r#"{{"id":"0123456789ABCDEF","isPortal":true,"enterpriseVersion":"{version}",
            "user":{{"username":"steward","role":"org_admin","privileges":[]}}}}"#
    ))
}

#[tokio::test]
async fn each_version_is_asked_what_it_has_and_imports_only_its_own_exports() {
    for (version, can_check, is_short) in
        [("10.4", false, true), ("10.8.1", false, true), ("11.1", true, false), ("12.0", true, false)]
    {
        let app = TestApp::new().await;
        let _way = app.with_fault("/portals/self?", of_version(version)).await;
        let of = |export: &str| ImportPortalForm {
            export_version: Some(export.to_owned()),
            ..form("/a.portalsite")
        };

        let checked = app.import_portal(ImportPortalForm { check_only: true, ..of(version) }).await;
        assert_eq!(matches!(checked, Err(Problem::Rejected { .. })), can_check, "{version}: {checked:?}");
        assert_eq!(matches!(checked, Err(Problem::TooOld { .. })), !can_check, "{version}: {checked:?}");

        // The file is not there: a portal that can check says so before, and another one after the request.
        let imported = app.import_portal(of(version)).await;
        assert_eq!(matches!(imported, Err(Problem::Rejected { .. })), can_check, "{version}: {imported:?}");
        assert_eq!(
            matches!(imported, Err(Problem::ImportFailed { .. })),
            !can_check,
            "{version}: {imported:?}"
        );

        let records = app.history().await.len();
        let other = app.import_portal(of("11.3")).await.err().unwrap();
        let (export, portal) = ("11.3".to_owned(), version.to_owned());
        let why = PreconditionFailure::OtherVersion { export, portal };
        assert_eq!(other, Problem::PreconditionFailed { why });
        assert_eq!(app.history().await.len(), records);

        let effects = change_summary(&app.steward.context, &app.site).await.unwrap().effects;
        assert_eq!(effects.contains(&PortalImportEffect::TokenOfAnHour), is_short, "{version}");
    }
}

#[tokio::test]
async fn the_version_of_an_export_is_that_of_its_record_and_is_asked_for_any_other_file() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let unasked = |location: &str| ImportPortalForm { export_version: None, ..form(location) };

    let refused = app.import_portal(unasked("/exports/other.portalsite")).await.err().unwrap();
    assert_eq!(refused, Problem::form("exportVersion", FormFault::Required));

    let _way = app.with_fault("/portals/self?", of_version("12.0")).await;
    let refused = app.import_portal(unasked(&file)).await.err().unwrap();
    let Problem::PreconditionFailed { why: PreconditionFailure::OtherVersion { portal, .. } } = refused
    else {
        panic!("{refused:?}")
    };
    assert_eq!(portal, "12.0");
}

#[tokio::test]
async fn without_a_version_a_portal_is_not_asked_to_check_a_file_that_it_might_import() {
    let app = TestApp::new().await;
    let nameless = app.with_fault("/portals/self?", of_version("")).await;
    let administration = answer(r#"{"error":{"code":500,"message":"Starting.","details":[]}}"#);
    let way = FaultProxy::to(&nameless.address(), "/portaladmin?", administration).await.unwrap();
    app.go_through(&way.address());

    let check = ImportPortalForm { check_only: true, ..form("/exports/a.portalsite") };
    let refused = app.import_portal(check).await.err().unwrap();

    let why = PreconditionFailure::VersionUnknown;
    assert_eq!(refused, Problem::PreconditionFailed { why });
    assert!(way.met() > 0);
}

#[tokio::test]
async fn the_wrong_name_typed_sends_nothing() {
    let app = TestApp::new().await;
    let wrong = ImportPortalForm { confirmation: "City".to_owned(), ..form("/a.portalsite") };

    let problem = app.import_portal(wrong).await.err().unwrap();

    assert_eq!(problem, Problem::form("confirmation", FormFault::NotTheName));
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn an_export_is_compared_with_the_portal_by_its_record() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    lose_a_group(&app);
    let context = &app.steward.context;

    let compared = compare(context, &app.site, &file).await.unwrap();

    let rows = compared.comparison.unwrap().rows;
    let groups_row = rows.iter().find(|row| row.part == CountedPart::Groups).unwrap();
    let now = groups(&app);
    assert_eq!((groups_row.portal, groups_row.export), (Some(now), Some(now + 1)));
    assert_eq!(compared.export_version, compared.portal_version);
    let unknown = compare(context, &app.site, "/exports/other.portalsite").await.unwrap();
    assert!(unknown.comparison.is_none() && unknown.export_version.is_none());
}

#[tokio::test]
async fn an_export_that_another_url_wrote_is_named_and_one_of_the_administration_url_is_not() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let context = &app.steward.context;
    let other = async || compare(context, &app.site, &file).await.unwrap().other_url;
    assert_eq!(other().await, None);

    let was = app.sites().get(&app.site).unwrap().portal.unwrap().address;
    let practice = app.practice_address().to_owned();
    let way = FaultProxy::to(&practice, "/nothing", Fault::Reset).await.unwrap();
    app.go_through(&way.address());

    assert_eq!(other().await.as_deref(), Some(was.as_str().trim_end_matches('/')));
    let mut site = app.sites().get(&app.site).unwrap();
    site.portal.as_mut().unwrap().admin_url = Some(was);
    app.sites().put(site.clone()).unwrap();
    assert_eq!(other().await, None, "its own administration URL");
    site.portal.as_mut().unwrap().admin_url = None;
    site.environment = Environment::Practice;
    app.sites().put(site).unwrap();
    assert_eq!(other().await, None, "the practice site has another port each time");
}

#[tokio::test]
async fn the_last_exports_are_offered_with_their_age_and_size() {
    let app = TestApp::new().await;
    let file = exported(&app).await;

    let offered = change_summary(&app.steward.context, &app.site).await.unwrap().exports;

    let [export] = &offered[..] else { panic!("{offered:?}") };
    let size = std::fs::metadata(&file).unwrap().len();
    assert_eq!((&export.location, export.size.map(|size| size.0)), (&file, Some(size)));
    assert!(export.items.is_some() && !export.version.is_empty() && !export.is_safety_backup);
}

#[tokio::test]
async fn plans_leave_out_the_site_until_a_user_has_set_the_outcome_of_the_import() {
    let app = TestApp::new().await;
    let lost = app.with_fault("/portaladmin/importSite", Fault::AnswerLost).await.sparing(1);
    let ended = app.import_portal(form(&some_file(&app))).await.unwrap();
    let RunResult::Unknown { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    let app = app.without_fault(lost);
    let plan = plan_of(&app);

    let left_out = PartState::Skipped { reason: SkipReason::PortalImport };
    let set = run_of(&app, &plan).await.unwrap().set;
    assert!(set.parts.iter().all(|part| part.state == left_out), "{:?}", set.parts);

    resolve(&app.steward.context, record, Outcome::Unknown, "The portal is as before").await.unwrap();

    let set = run_of(&app, &plan).await.unwrap().set;
    assert!(set.parts.iter().all(|part| part.record.is_some()), "{:?}", set.parts);
}

#[tokio::test]
async fn nothing_is_imported_into_a_portal_that_does_not_return_its_version() {
    let app = TestApp::new().await;
    let nameless = app.with_fault("/portals/self?", of_version("")).await;
    let administration = answer(r#"{"error":{"code":500,"message":"Starting.","details":[]}}"#);
    let no_version = FaultProxy::to(&nameless.address(), "/portaladmin?", administration).await.unwrap();
    let way =
        FaultProxy::to(&no_version.address(), "/portaladmin/importSite", Fault::AnswerLost).await.unwrap();
    app.go_through(&way.address());
    let of = ImportPortalForm { export_version: Some("9.3".to_owned()), ..form("/exports/a.portalsite") };

    let refused = app.import_portal(of).await.err().unwrap();

    assert_eq!(refused, Problem::precondition_failed(PreconditionFailure::VersionUnknown));
    assert_eq!(way.met(), 0);
}

/// Another saved site of the same portal, whose history has an export that the portal wrote to `location`.
async fn exported_from_another_saved_site(app: &TestApp, location: &str) {
    let portal = app.sites().get(&app.site).unwrap().portal.unwrap().address;
    let other = app.sites().save(&SiteForm::of("Harbour", portal.as_str(), "")).unwrap();
    let mut history = app.history().await.into_iter();
    let mut intent = history.rfind(|one| one.intent.operation == "export_portal").unwrap().intent;
    (intent.site, intent.site_name) = (other.id.0, other.name);
    let facts = Facts { site_path: Some(location.to_owned()), ..Facts::default() };
    let conclusion = Conclusion {
        outcome: Outcome::Succeeded,
        note: String::new(),
        facts: Some(facts),
        response: None,
        report: None,
        ended_at: intent.started_at + 1,
        elapsed: 1,
    };
    let write = app.steward.context.history.journal(move |journal| {
        let id = journal.intend(&intent)?;
        journal.conclude(&id, &conclusion)
    });
    write.await.unwrap();
}

#[tokio::test]
async fn an_import_is_not_undone_with_a_file_that_was_written_again_from_another_saved_site_of_the_portal() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let (report, import) = done(app.import_portal(secured(&app, &file)).await);
    let safety_backup = report.safety_backup.unwrap().location;
    app.sign_in("administrator").await.unwrap();

    exported_from_another_saved_site(&app, &safety_backup).await;
    let refused = app.undo_portal_import(import, None).await.err();

    let why = PreconditionFailure::SafetyBackupReplaced { file: safety_backup };
    assert_eq!(refused, Some(Problem::PreconditionFailed { why }));
}

#[tokio::test]
async fn a_file_that_was_exported_from_another_saved_site_of_the_portal_is_no_safety_backup() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let named = app.folder("exports").join("of-the-other-site.portalsite").display().to_string();
    let body = serde_json::json!({ "status": "success", "location": named }).to_string();
    // The first request is the check of the folder.
    let _way = app.with_fault("/portaladmin/exportSite", answer(&body)).await.sparing(1);
    exported_from_another_saved_site(&app, &named).await;

    let refused = app.import_portal(secured(&app, &file)).await.err();

    assert!(
        matches!(
            refused,
            Some(Problem::SafetyBackupFailed { step: SafetyBackupStep::Archive(ArchiveFault::Earlier), .. })
        ),
        "{refused:?}"
    );
}
