//! A restore of a whole site from a backup set, step by step.

use steward_core::model::ids::RecordId;
use steward_core::model::run_result::RunResult;
use steward_core::operations::import_server::ImportServerForm;
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::transfers::upload::{UploadEnd, UploadSource};
use steward_journal::Outcome;
use steward_plans::attempt::StoredSet;
use steward_plans::plan::BackupPlan;
use steward_plans::restore::{ImportedFile, NoCopy, RestoreStep, StepCopy, steps};
use steward_plans::set::{BackupSet, PartFault, PartState, SkipReason};
use steward_plans::{saved, set_contents, store};

use crate::backup_plans::{plan_of, run_of};
use crate::import_portal::form as portal_form;
use crate::import_server::form as server_form;
use crate::test_app::TestApp;
use crate::uploads::allow_site_files;

/// A saved plan whose server comes before its portal, and a set of it.
async fn with_set(app: TestApp) -> (TestApp, BackupPlan, StoredSet) {
    let mut plan = plan_of(&app);
    plan.parts.reverse();
    let stored = run_of(&app, &plan).await.unwrap();
    let plans = store::plans(&app.steward.data_folder);
    plans.change(|plans| *plans = vec![plan.clone()]);
    drop(plans);
    (app.restarted(), plan, stored)
}

fn name_of(stored: &StoredSet) -> String {
    stored.folder.file_name().unwrap().to_str().unwrap().to_owned()
}

async fn steps_of(app: &TestApp, plan: &BackupPlan, stored: &StoredSet) -> Vec<RestoreStep> {
    let begun = app.steward.plans.restore_of(&plan.id);
    steps(&app.steward.context, plan, &name_of(stored), begun).await.unwrap().steps
}

/// What each step shows of its import.
fn imports(steps: &[RestoreStep]) -> Vec<Option<(Outcome, ImportedFile)>> {
    steps.iter().map(|step| step.import.as_ref().map(|import| (import.outcome, import.file))).collect()
}

fn record_of<T: std::fmt::Debug>(ended: RunResult<T>) -> RecordId {
    match ended {
        RunResult::Done { record: Some(record), .. } => record,
        other => panic!("{other:?}"),
    }
}

/// Uploads the file of a server, as its form does.
async fn uploaded(app: &TestApp, plan: &BackupPlan, stored: &StoredSet) -> String {
    let server = app.server.server.clone().unwrap();
    let name = name_of(stored);
    let file = set_contents::file_for_import(&app.steward.dialogs, plan, &name, &server).await.unwrap();
    let source = UploadSource::Dropped { path: file.path, part_mebibytes: 100 };
    match app.upload(source).await.unwrap() {
        UploadEnd::Uploaded { item, .. } => item.0,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_portal_comes_first_and_each_import_since_the_beginning_is_the_state_of_its_step() {
    let (app, plan, stored) = with_set(TestApp::new().await).await;
    allow_site_files(&app);
    let before = steps_of(&app, &plan, &stored).await;
    let [portal, server] = &before[..] else { panic!("{before:?}") };
    assert!(portal.server.is_none());
    let StepCopy::OnPortal { location, size: None, is_verified: false } = &portal.copy else {
        panic!("{portal:?}")
    };
    assert!(std::path::Path::new(location).is_file());
    assert_eq!(server.server, app.server.server);
    let export = stored.set.parts[0].files.iter().find(|file| file.name.ends_with(".agssite")).unwrap();
    let here = StepCopy::Here { name: export.name.clone(), size: export.size, is_verified: true };
    assert_eq!(server.copy, here);
    // Imported before the restore was begun.
    let item = uploaded(&app, &plan, &stored).await;
    app.import_server(server_form(&item)).await.unwrap();
    assert_eq!(imports(&steps_of(&app, &plan, &stored).await), [None, None]);

    app.steward.plans.begin_restore(plan.id.clone(), name_of(&stored));
    assert_eq!(imports(&steps_of(&app, &plan, &stored).await), [None, None]);
    app.import_portal(portal_form(location)).await.unwrap();
    let of_set = |outcome| Some((outcome, ImportedFile::OfSet));
    assert_eq!(imports(&steps_of(&app, &plan, &stored).await), [of_set(Outcome::Succeeded), None]);
    app.sign_in("administrator").await.unwrap();
    let safety_backup = Some(SafetyBackupOptions { also_here: false });
    let secured = ImportServerForm { safety_backup, ..server_form(&item) };
    let import = record_of(app.import_server(secured).await.unwrap());
    let after = steps_of(&app, &plan, &stored).await;
    // Services of the practice site do not start.
    assert_eq!(imports(&after), [of_set(Outcome::Succeeded), of_set(Outcome::Warnings)]);
    assert_eq!(after[1].import.as_ref().unwrap().record, import);

    // Also after a restart, and with another set as the one that was begun.
    let app = app.restarted();
    assert_eq!(imports(&steps_of(&app, &plan, &stored).await), imports(&after));
    app.undo_import(import, false).await.unwrap();
    let undone = steps_of(&app, &plan, &stored).await;
    assert_eq!(undone[1].import.as_ref().unwrap().file, ImportedFile::Undo);
    app.steward.plans.begin_restore(plan.id.clone(), "another set".to_owned());
    assert_eq!(imports(&steps_of(&app, &plan, &stored).await), [None, None]);
}

#[tokio::test]
async fn an_import_of_another_file_is_not_taken_for_the_step() {
    let (app, plan, stored) = with_set(TestApp::new().await).await;
    let other = run_of(&app, &plan).await.unwrap();
    allow_site_files(&app);
    let item = uploaded(&app, &plan, &other).await;
    app.steward.plans.begin_restore(plan.id.clone(), name_of(&stored));

    app.import_server(server_form(&item)).await.unwrap();
    let imported = imports(&steps_of(&app, &plan, &stored).await)[1];
    assert_eq!(imported, Some((Outcome::Warnings, ImportedFile::Other)));

    let somewhere = crate::import_server::exported(&app).await;
    app.import_server(server_form(&somewhere)).await.unwrap();
    let imported = imports(&steps_of(&app, &plan, &stored).await)[1];
    assert_eq!(imported, Some((Outcome::Warnings, ImportedFile::NotKnown)));
}

#[tokio::test]
async fn a_part_without_a_usable_copy_is_not_offered() {
    let (app, plan, stored) = with_set(TestApp::new().await).await;
    let damaged = PartFault::Archive(steward_core::model::export_verification::ArchiveFault::Damaged);
    for (state, why) in [
        (PartState::Failed { fault: damaged, note: String::new() }, NoCopy::NotInSet),
        (PartState::Skipped { reason: SkipReason::Busy }, NoCopy::NotInSet),
        (PartState::Unknown, NoCopy::NotInSet),
        (PartState::OnSite { size: None }, NoCopy::NotHere),
    ] {
        let mut set = BackupSet::read(&stored.folder).unwrap();
        set.parts[0].state = state.clone();
        if why == NoCopy::NotHere {
            set.parts[0].files.clear();
        }
        set.write(&stored.folder).unwrap();
        assert_eq!(steps_of(&app, &plan, &stored).await[1].copy, StepCopy::None { why }, "{state:?}");
    }
    let mut set = BackupSet::read(&stored.folder).unwrap();
    set.parts[0].server = Some(steward_core::model::ids::ServerId("removed".to_owned()));
    set.parts[1].record = Some(RecordId("lost".to_owned()));
    set.write(&stored.folder).unwrap();
    let copies: Vec<_> = steps_of(&app, &plan, &stored).await.into_iter().map(|step| step.copy).collect();
    let none = |why| StepCopy::None { why };
    assert_eq!(copies, [none(NoCopy::UnknownPath), none(NoCopy::NotSaved)]);
}

#[tokio::test]
async fn a_set_of_another_version_than_the_site_has_now_is_marked() {
    let (app, plan, stored) = with_set(TestApp::new().await).await;
    let marked = async || {
        let steps = steps_of(&app, &plan, &stored).await.into_iter();
        steps.map(|step| step.other_version.map(|other| other.now)).collect::<Vec<_>>()
    };
    assert_eq!(marked().await, [None, None]);
    // An upgrade, by what a check finds.
    let site = app.sites().get(&app.site).unwrap();
    for component in site.components() {
        let upgraded = Some("99.1".to_owned());
        app.steward.context.access.note_checked(&component, |checks| checks.version.returned(upgraded));
    }
    let now = Some("99.1".to_owned());
    assert_eq!(marked().await, [now.clone(), now]);
    for component in site.components() {
        app.steward.context.access.note_checked(&component, |checks| checks.version.returned(None));
    }
    assert_eq!(marked().await, [None, None], "where the version is not known, nothing is said");
}

#[tokio::test]
async fn a_restore_that_is_begun_again_from_its_set_keeps_its_beginning() {
    let (app, plan, stored) = with_set(TestApp::new().await).await;
    let plans: &saved::SavedPlans = &app.steward.plans;
    let begin = || plans.begin_restore(plan.id.clone(), name_of(&stored));
    begin();
    let begun = plans.restore_of(&plan.id);
    assert!(begun.is_some());
    begin();
    assert_eq!(plans.restore_of(&plan.id), begun);
    plans.end_restore(&plan.id);
    assert_eq!(plans.restore_of(&plan.id), None);
}
