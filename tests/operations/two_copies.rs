//! Two copies of the program, as in two sessions of one person on one computer.

use steward_core::files::data_folder::{DataFolder, place};
use steward_journal::{Intent, Outcome};

use crate::test_app::TestApp;

#[tokio::test]
async fn a_second_copy_says_so_and_takes_nothing_for_lost_that_the_first_one_still_runs() {
    let desk = TestApp::signed_out().await;
    let folder = desk.steward.data_folder.clone();
    desk.steward.context.history.journal(|journal| journal.intend(&Intent::default())).await.unwrap();
    let files = || {
        let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> =
            entries.map(|one| (one.file_name(), std::fs::read(one.path()).ok())).collect();
        files.sort();
        files
    };
    let before = files();

    let second = desk.open_beside();

    let said = second.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(said.starts_with("Site Steward is already running"), "{said}");
    assert_eq!(files(), before, "nothing was written");
    assert_eq!(desk.history().await[0].outcome, Outcome::Sent, "it is still running there");

    let desk = desk.restarted();
    assert_eq!(desk.history().await[0].outcome, Outcome::Unknown, "nobody runs it any more");
}

#[test]
fn what_roamed_is_copied_once_to_the_folder_of_this_computer_and_left_for_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let (roaming, local) =
        (folder.path().join("Roaming").join("app"), folder.path().join("Local").join("app"));
    std::fs::create_dir_all(roaming.join("kept-invitations")).unwrap();
    std::fs::write(roaming.join("sites.json"), "sites").unwrap();
    std::fs::write(roaming.join("kept-invitations").join("a.json"), "kept").unwrap();
    std::fs::create_dir_all(local.join("EBWebView")).unwrap();

    let (own, why) = place(&roaming, &local);

    assert!(why.is_none(), "{why:?}");
    assert_eq!(std::fs::read_to_string(own.join("sites.json")).unwrap(), "sites");
    assert_eq!(std::fs::read_to_string(own.join("kept-invitations").join("a.json")).unwrap(), "kept");
    assert!(local.join("EBWebView").exists());
    let other = folder.path().join("Local of another computer");
    let (elsewhere, _) = place(&roaming, &other);
    assert_eq!(std::fs::read_to_string(elsewhere.join("sites.json")).unwrap(), "sites");

    // An earlier version was used once more; what is here counts.
    std::fs::write(roaming.join("sites.json"), "older").unwrap();
    assert_eq!(place(&roaming, &local).0, own);
    assert_eq!(std::fs::read_to_string(own.join("sites.json")).unwrap(), "sites");
    assert_eq!(std::fs::read_to_string(roaming.join("sites.json")).unwrap(), "older");
}

#[test]
fn where_nothing_roams_nothing_is_moved() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sites.json"), "sites").unwrap();

    assert_eq!(place(folder.path(), folder.path()).0, folder.path());
    assert!(folder.path().join("sites.json").exists());
}

#[test]
fn a_new_person_begins_in_the_folder_of_this_computer() {
    let folder = tempfile::tempdir().unwrap();
    let (roaming, local) = (folder.path().join("Roaming"), folder.path().join("Local"));

    let (own, why) = place(&roaming, &local);

    assert!(own.starts_with(&local) && why.is_none() && !roaming.exists());
    assert!(DataFolder::take(&own).is_ok());
}

#[test]
fn what_cannot_be_copied_is_used_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (roaming, local) = (folder.path().join("Roaming"), folder.path().join("Local"));
    std::fs::create_dir_all(&roaming).unwrap();
    std::fs::write(roaming.join("sites.json"), "sites").unwrap();
    // Where a file is, no folder can be made.
    std::fs::write(&local, "").unwrap();

    let (used, why) = place(&roaming, &local);

    assert_eq!((used, why.is_some()), (roaming.clone(), true));
    assert_eq!(std::fs::read_to_string(roaming.join("sites.json")).unwrap(), "sites");
}
