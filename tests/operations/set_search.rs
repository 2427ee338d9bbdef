//! Which backup still has a service: a search in the inventories of all sets.

use std::path::PathBuf;

use steward_core::model::problem::Problem;
use steward_plans::plan::{BackupPlan, PlanId};
use steward_plans::set::{BackupSet, PartState, SkipReason};
use steward_plans::set_search::{NotSearched, SetSearch, search};

use crate::backup_plans::{plan_of, run_of};
use crate::test_app::TestApp;

async fn found(app: &TestApp, plans: &[&BackupPlan], words: &str) -> SetSearch {
    let plans = plans.iter().map(|plan| (*plan).clone()).collect();
    search(&app.steward.data_folder, plans, words.to_owned()).await.unwrap()
}

/// The set of a run, with its folder.
async fn run(app: &TestApp, plan: &BackupPlan) -> (String, PathBuf) {
    let folder = run_of(app, plan).await.unwrap().folder;
    (folder.file_name().unwrap().to_str().unwrap().to_owned(), folder)
}

fn inventory(folder: &PathBuf) -> PathBuf {
    let is_inventory = |path: &PathBuf| path.to_str().unwrap().ends_with(".agssite.inventory.json");
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find(is_inventory).unwrap()
}

fn why(search: &SetSearch) -> Vec<(&str, NotSearched)> {
    search.unsearched.iter().map(|set| (set.set.name.as_str(), set.servers[0].why)).collect()
}

#[tokio::test]
async fn the_sets_of_all_plans_that_have_a_service_are_found_the_newest_first() {
    let app = TestApp::new().await;
    let nightly = plan_of(&app);
    let folder = app.folder("weekly");
    let weekly = BackupPlan { id: PlanId("weekly".to_owned()), folder, ..nightly.clone() };
    let (first, _) = run(&app, &nightly).await;
    let (second, _) = run(&app, &weekly).await;

    let search = found(&app, &[&nightly, &weekly], " ZONING ").await;

    let sets: Vec<_> = search.found.iter().map(|found| (&*found.set.plan.0, &*found.set.name)).collect();
    assert_eq!(sets, [("weekly", &*second), ("nightly", &*first)]);
    let [server] = &*search.found[0].servers else { panic!("{search:?}") };
    assert!(server.paths.iter().all(|path| path.to_lowercase().contains("zoning")), "{server:?}");
    assert_eq!((search.searched, search.unsearched.len(), search.unread.len()), (2, 0, 0));
    assert!(found(&app, &[&nightly], "harbour of nowhere").await.found.is_empty());
    let problem = search_without_words(&app, &nightly).await;
    assert!(matches!(problem, Problem::Form { .. }), "{problem:?}");
}

async fn search_without_words(app: &TestApp, plan: &BackupPlan) -> Problem {
    search(&app.steward.data_folder, vec![plan.clone()], " ".to_owned()).await.unwrap_err()
}

#[tokio::test]
async fn a_set_whose_inventory_is_lost_or_changed_is_named_and_the_others_are_searched() {
    let app = TestApp::new().await;
    let plan = plan_of(&app);
    let (whole, _) = run(&app, &plan).await;
    let (changed, folder) = run(&app, &plan).await;
    let file = inventory(&folder);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("Zoning", "Harbour")).unwrap();
    let (lost, folder) = run(&app, &plan).await;
    std::fs::remove_file(inventory(&folder)).unwrap();
    let (none, folder) = run(&app, &plan).await;
    let mut set = BackupSet::read(&folder).unwrap();
    set.parts[1].files.retain(|file| !file.name.ends_with(".inventory.json"));
    set.write(&folder).unwrap();
    let (_, folder) = run(&app, &plan).await;
    let mut set = BackupSet::read(&folder).unwrap();
    set.parts[1].state = PartState::Skipped { reason: SkipReason::Busy };
    set.write(&folder).unwrap();
    let (_, newer) = run(&app, &plan).await;
    let set = newer.join("set.json");
    let text = std::fs::read_to_string(&set).unwrap();
    std::fs::write(
        &set,
        text.replacen("\"format\":1", "\"format\":9", 1).replacen("\"format\": 1", "\"format\": 9", 1),
    )
    .unwrap();

    let search = found(&app, &[&plan], "zoning").await;

    let sets: Vec<_> = search.found.iter().map(|found| &*found.set.name).collect();
    assert_eq!((sets, search.searched), (vec![&*whole], 1));
    let expected = [
        (&*none, NotSearched::None),
        (&*lost, NotSearched::Unreadable),
        (&*changed, NotSearched::OtherContent),
    ];
    assert_eq!(why(&search), expected);
    let unread: Vec<_> = search.unread.iter().map(|folder| folder.folder.clone()).collect();
    assert_eq!(unread, [newer.display().to_string()]);
}

#[tokio::test]
async fn a_set_of_a_run_that_was_cut_off_is_searched_and_one_whose_export_was_changed_is_named() {
    let app = TestApp::new().await;
    let plan = plan_of(&app);
    let (cut_off, folder) = run(&app, &plan).await;
    let mut set = BackupSet::read(&folder).unwrap();
    set.parts[1].state = PartState::Unknown;
    set.write(&folder).unwrap();
    let (changed, folder) = run(&app, &plan).await;
    let export = BackupSet::read(&folder).unwrap().parts[1].files[0].name.clone();
    std::fs::write(folder.join(export), "another size").unwrap();

    let search = found(&app, &[&plan], "zoning").await;

    assert_eq!(search.found.iter().map(|found| &*found.set.name).collect::<Vec<_>>(), [&*cut_off]);
    assert_eq!(why(&search), [(&*changed, NotSearched::OtherContent)]);
}

#[tokio::test]
async fn a_folder_that_cannot_be_read_is_named_and_the_other_plans_are_searched() {
    let app = TestApp::new().await;
    let plan = plan_of(&app);
    run(&app, &plan).await;
    let folder = app.folder("share").join("not connected");
    let away = BackupPlan { id: PlanId("away".to_owned()), folder: folder.clone(), ..plan.clone() };

    let search = found(&app, &[&away, &plan], "zoning").await;

    assert_eq!((search.found.len(), search.unread.len()), (1, 1));
    assert_eq!(search.unread[0].folder, folder.display().to_string());
}
