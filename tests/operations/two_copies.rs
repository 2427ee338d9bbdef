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
fn a_new_person_begins_in_the_folder_of_this_computer() {
    let folder = tempfile::tempdir().unwrap();
    let (roaming, local) = (folder.path().join("Roaming"), folder.path().join("Local"));

    let own = place(&roaming, &local);

    assert!(own.starts_with(&local) && own != local, "the web view has files there");
    assert!(DataFolder::take(&own).is_ok() && !roaming.exists());
    assert_eq!(place(&local, &local), local, "where the system has one folder for both");
}
