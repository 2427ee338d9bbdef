//! Sets that were damaged or made up: what a `set.json` says leads neither out of its folder nor to another site.

use std::path::Path;

use steward_core::model::ids::{RecordId, SiteId};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_plans::attempt::StoredSet;
use steward_plans::plan::{BackupPlan, PlanId};
use steward_plans::plan_folder::WhyStrange;
use steward_plans::process::WELL;
use steward_plans::restore::{NoCopy, StepCopy, steps};
use steward_plans::retention::{Fate, KeepRules};
use steward_plans::set::{BackupSet, PartFault, Verdict};
use steward_plans::set_contents::PartInventory;
use steward_plans::set_search::search;
use steward_plans::{keeping, plan_folder, set_contents, sets};

use crate::backup_plans::{plan_of, run_of};
use crate::import_portal::{form, some_file};
use crate::plan_process::{due_plan, progress_of, runner_of};
use crate::test_app::{TestApp, files_in, sets_in};

fn name_of(stored: &StoredSet) -> &str {
    stored.folder.file_name().unwrap().to_str().unwrap()
}

/// Changes the description of a set behind the back of the app.
fn tamper(folder: &Path, change: impl FnOnce(&mut BackupSet)) {
    let mut set = BackupSet::read(folder).unwrap();
    change(&mut set);
    set.write(folder).unwrap();
}

/// What the folder of a plan has: its sets, and the folders that are left as they are.
async fn read(plan: &BackupPlan) -> (usize, Vec<WhyStrange>) {
    let folder = plan_folder::read(plan).await.unwrap();
    (folder.sets.len(), folder.strange.into_iter().map(|one| one.why).collect())
}

#[tokio::test]
async fn a_copied_folder_of_a_set_is_named_as_a_copy_and_is_neither_counted_removed_nor_offered() {
    let app = TestApp::new().await;
    let plan = BackupPlan { keep: KeepRules { last: Some(2), ..KeepRules::default() }, ..plan_of(&app) };
    let first = run_of(&app, &plan).await.unwrap();
    let name = name_of(&first).to_owned();
    let copy = first.folder.with_file_name(format!("{name} - Copy"));
    std::fs::create_dir(&copy).unwrap();
    for file in files_in(&first.folder) {
        std::fs::copy(first.folder.join(&file), copy.join(&file)).unwrap();
    }
    run_of(&app, &plan).await.unwrap();

    assert_eq!(read(&plan).await, (2, vec![WhyStrange::Copy { of: name.clone() }]));
    let (context, data_folder) = (&app.steward.context, &app.steward.data_folder);
    assert!(steps(context, &plan, &format!("{name} - Copy"), None).await.is_err());
    let found = search(data_folder, vec![plan.clone()], "zoning".to_owned()).await.unwrap();
    assert_eq!((found.searched, found.unread.len()), (2, 1), "{found:?}");
    let (now, zone) = (Millis::now().timestamp(), jiff::tz::TimeZone::UTC);
    let removal = keeping::remove_others(context, data_folder, &plan, now, &zone).await.unwrap();
    assert_eq!(removal.removed.len(), 0, "two sets are kept, and the copy takes the place of none");

    run_of(&app, &plan).await.unwrap();
    // A copy that was made while its set was removed.
    let half = first.folder.with_file_name(format!("{name} (half)"));
    std::fs::create_dir(&half).unwrap();
    for file in files_in(&copy) {
        let name = if file == "set.json" { ".removing-set.json" } else { &file };
        std::fs::copy(copy.join(&file), half.join(name)).unwrap();
    }
    let (before, of_half) = (files_in(&copy), files_in(&half));
    let now = Millis::now().timestamp();
    let removal = keeping::remove_others(context, data_folder, &plan, now, &zone).await.unwrap();
    let removed: Vec<_> = removal.removed.iter().map(name_of).collect();
    assert_eq!(removed, [&name], "the set that was copied");
    assert_eq!((files_in(&copy), files_in(&half)), (before, of_half));
    assert_eq!(read(&plan).await, (2, vec![WhyStrange::Copy { of: name }]));
}

#[tokio::test]
async fn a_set_that_names_a_file_outside_its_folder_is_left_alone_and_named() {
    let app = TestApp::new().await;
    let plan = plan_of(&app);
    let stored = run_of(&app, &plan).await.unwrap();
    let name = name_of(&stored);
    let server = app.server.server.clone().unwrap();
    std::fs::copy(
        stored.folder.join(&stored.set.parts[1].files[0].name),
        stored.folder.with_file_name("outside.agssite"),
    )
    .unwrap();

    tamper(&stored.folder, |set| set.parts[1].files[0].name = "../outside.agssite".to_owned());

    let (sets, strange) = read(&plan).await;
    assert_eq!((sets, strange.len()), (0, 1), "{strange:?}");
    let context = &app.steward.context;
    assert!(steps(context, &plan, name, None).await.is_err());
    let dialogs = &app.steward.dialogs;
    assert!(set_contents::file_for_import(dialogs, &plan, name, &server).await.is_err());
    assert_eq!(
        search(&app.steward.data_folder, vec![plan], "zoning".to_owned()).await.unwrap().unread.len(),
        1
    );
}

#[tokio::test]
async fn a_set_of_another_site_is_neither_restored_nor_removed() {
    let app = TestApp::new().await;
    let plan = BackupPlan { keep: KeepRules { last: Some(1), ..KeepRules::default() }, ..plan_of(&app) };
    let foreign = run_of(&app, &plan).await.unwrap();
    run_of(&app, &plan).await.unwrap();
    tamper(&foreign.folder, |set| set.site = SiteId("another".to_owned()));

    let (sets, strange) = read(&plan).await;
    assert_eq!((sets, strange.len()), (1, 1));
    let opened = steps(&app.steward.context, &plan, name_of(&foreign), None).await;
    assert!(matches!(opened, Err(Problem::Unexpected { .. })), "{opened:?}");
    let (now, zone) = (Millis::now().timestamp(), jiff::tz::TimeZone::UTC);
    let context = &app.steward.context;
    keeping::remove_others(context, &app.steward.data_folder, &plan, now, &zone).await.unwrap();
    assert!(foreign.folder.join("set.json").exists());
}

#[tokio::test]
async fn what_another_computer_begins_or_removes_in_the_same_folder_is_left_to_it() {
    let app = TestApp::new().await;
    let plan = BackupPlan { keep: KeepRules { last: Some(1), ..KeepRules::default() }, ..plan_of(&app) };
    let removed_there = run_of(&app, &plan).await.unwrap().folder;
    tamper(&removed_there, |set| set.plan = PlanId("of another computer".to_owned()));
    std::fs::rename(removed_there.join("set.json"), removed_there.join(".removing-set.json")).unwrap();
    let files = files_in(&removed_there);
    // The folder of a set is created first, and its `set.json` then.
    let begun_there = plan.folder.join("2026-11-27 01-00-00");
    std::fs::create_dir(&begun_there).unwrap();
    let own = run_of(&app, &plan).await.unwrap().folder;
    std::fs::rename(own.join("set.json"), own.join(".removing-set.json")).unwrap();

    let (now, zone) = (Millis::now().timestamp(), jiff::tz::TimeZone::UTC);
    let context = &app.steward.context;
    keeping::remove_others(context, &app.steward.data_folder, &plan, now, &zone).await.unwrap();

    assert!(begun_there.exists());
    assert_eq!(files_in(&removed_there), files);
    assert!(!own.exists(), "its own removal is finished");
}

#[tokio::test]
async fn the_path_in_a_record_that_is_no_export_of_this_portal_is_not_offered_for_a_restore() {
    let app = TestApp::new().await;
    let plan = plan_of(&app);
    let stored = run_of(&app, &plan).await.unwrap();
    // It fails, and its record names the file.
    app.import_portal(form(&some_file(&app))).await.unwrap_err();
    let RecordId(import) = RecordId(app.history().await[0].id.clone());
    let copy_by = async |record: &str| {
        tamper(&stored.folder, |set| set.parts[0].record = Some(RecordId(record.to_owned())));
        steps(&app.steward.context, &plan, name_of(&stored), None).await.unwrap().steps.remove(0).copy
    };
    let unknown = StepCopy::None { why: NoCopy::UnknownPath };
    let export = stored.set.parts[0].record.clone().unwrap().0;

    assert!(matches!(copy_by(&export).await, StepCopy::OnPortal { .. }));
    assert_eq!(copy_by(&import).await, unknown);
    // The same record for a plan of another site.
    tamper(&stored.folder, |set| {
        set.parts[0].record = Some(RecordId(export.clone()));
        set.site = SiteId("copy".to_owned());
    });
    let mut copied = app.sites().get(&app.site).unwrap();
    copied.id = SiteId("copy".to_owned());
    app.sites().put(copied).unwrap();
    let of_copy = BackupPlan { site: SiteId("copy".to_owned()), ..plan.clone() };
    let found = steps(&app.steward.context, &of_copy, name_of(&stored), None).await.unwrap().steps;
    assert_eq!(found[0].copy, unknown);
}

#[tokio::test]
async fn each_set_is_shown_with_its_own_fate_also_beside_one_with_a_time_beyond_the_calendar() {
    let app = TestApp::new().await;
    let plan = BackupPlan { keep: KeepRules { last: Some(1), ..KeepRules::default() }, ..plan_of(&app) };
    let odd = run_of(&app, &plan).await.unwrap();
    run_of(&app, &plan).await.unwrap();
    let pinned = run_of(&app, &plan).await.unwrap();
    tamper(&pinned.folder, |set| set.is_pinned = true);
    for started in [i64::MIN, i64::MAX] {
        tamper(&odd.folder, |set| set.started = Millis(started));
        let (now, zone) = (Millis::now().timestamp(), jiff::tz::TimeZone::UTC);
        let (_, decision) = keeping::preview(&app.steward.context, &plan, now, &zone).await.unwrap();

        let shown = sets::of(&app.steward.context, &plan).await.unwrap();

        assert_eq!(shown.sets.len(), 3);
        for set in &shown.sets {
            let decided = decision.sets.iter().find(|(facts, _)| facts.name == set.folder).unwrap();
            assert_eq!((&set.fate, set.set.is_pinned), (&decided.1, decided.0.is_pinned), "{started}");
        }
        let is_removed = |fate: &Fate| *fate == Fate::Removed;
        let removed = shown.sets.iter().filter(|set| is_removed(&set.fate));
        assert!(removed.clone().all(|set| !set.set.is_pinned), "{started}");
        assert!(started > 0 || removed.count() > 0, "a set from the future keeps all");
    }
}

#[tokio::test]
async fn a_folder_that_two_plans_have_is_named_once_if_it_cannot_be_read() {
    let app = TestApp::new().await;
    let nightly = plan_of(&app);
    let weekly = BackupPlan { id: PlanId("weekly".to_owned()), ..nightly.clone() };
    let strange = nightly.folder.join("strange");
    std::fs::create_dir(&strange).unwrap();
    std::fs::write(strange.join("set.json"), "{").unwrap();

    let found = search(&app.steward.data_folder, vec![nightly.clone(), weekly.clone()], "zoning".to_owned())
        .await
        .unwrap();
    assert_eq!(found.unread.len(), 1, "{found:?}");

    std::fs::remove_dir_all(&nightly.folder).unwrap();
    let found = search(&app.steward.data_folder, vec![nightly, weekly], "zoning".to_owned()).await.unwrap();
    assert_eq!(found.unread.len(), 1, "{found:?}");
}

#[tokio::test]
async fn an_inventory_that_was_changed_since_its_run_is_shown_nowhere() {
    let app = TestApp::new().await;
    let plan = plan_of(&app);
    let stored = run_of(&app, &plan).await.unwrap();
    let set = name_of(&stored);
    let server = app.server.server.clone().unwrap();
    let services = async || set_contents::services(&plan, set, &server).await.unwrap().services.len();
    let kinds = async || {
        let inventories = set_contents::inventories(&plan, set).await.unwrap();
        inventories.iter().map(|one| matches!(one, PartInventory::None)).collect::<Vec<_>>()
    };
    assert!(services().await > 0);
    assert_eq!(kinds().await, [false, false]);

    for name in files_in(&stored.folder).into_iter().filter(|name| name.ends_with("inventory.json")) {
        let file = stored.folder.join(name);
        // Still one of this export, and with other content.
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{text} ")).unwrap();
    }

    assert_eq!((services().await, kinds().await), (0, vec![true, true]));
}

#[tokio::test]
async fn a_plan_whose_last_set_was_replaced_by_a_link_or_by_one_of_another_plan_or_site_is_verified_no_longer()
 {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    assert_eq!(runner_of(&app).run_due_plans().await, WELL);
    let folder = plan.folder.join(sets_in(&plan.folder).remove(0));
    let whole = std::fs::read(folder.join("set.json")).unwrap();
    let last = async || {
        runner_of(&app).run_due_plans().await;
        progress_of(&app).plans[&plan.id].last.clone().unwrap()
    };
    let changes: [fn(&mut BackupSet); 2] =
        [|set| set.site = SiteId("other".to_owned()), |set| set.plan = PlanId("other".to_owned())];
    for change in changes {
        tamper(&folder, change);
        assert_eq!(last().await.fault, Some(PartFault::SetGone));
        std::fs::write(folder.join("set.json"), &whole).unwrap();
        assert_eq!(last().await.verdict, Verdict::AsExpected, "it is back");
    }
    #[cfg(unix)]
    {
        let away = app.folder("away").join("set");
        std::fs::rename(&folder, &away).unwrap();
        std::os::unix::fs::symlink(&away, &folder).unwrap();
        assert_eq!(last().await.fault, Some(PartFault::SetGone), "the list of sets has no links either");
    }
}
