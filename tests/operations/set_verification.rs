//! A file of a backup set that is verified once more.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::ids::ServerId;
use steward_core::model::problem::Problem;
use steward_core::plans::plan::BackupPlan;
use steward_core::plans::set::{BackupSet, PartFault, PartState};
use steward_core::plans::set_verification::{SetFileVerification, SetVerification};
use steward_testkit::until;

use crate::backup_plans::{plan_of, run_of};
use crate::test_app::TestApp;

/// A plan with a set, the folder of it, and the file of the server.
async fn with_set(app: &TestApp) -> (BackupPlan, PathBuf, PathBuf) {
    let plan = plan_of(app);
    let stored = run_of(app, &plan).await.unwrap();
    let file = stored.set.parts[1].files.iter().find(|file| file.name.ends_with(".agssite")).unwrap();
    let file = stored.folder.join(&file.name);
    (plan, stored.folder, file)
}

async fn verify(app: &TestApp, plan: &BackupPlan, folder: &Path) -> Result<SetFileVerification, Problem> {
    let server = app.server.server.clone().unwrap();
    let name = folder.file_name().unwrap().to_str().unwrap();
    app.steward.set_verification.verify(&app.steward.data_folder, plan, name, &server).await
}

fn state(folder: &Path) -> PartState {
    BackupSet::read(folder).unwrap().parts[1].state.clone()
}

#[tokio::test]
async fn a_file_that_was_damaged_since_its_run_no_longer_counts_until_it_is_whole_again() {
    let app = TestApp::new().await;
    let (plan, folder, file) = with_set(&app).await;
    assert_eq!(verify(&app, &plan, &folder).await, Ok(SetFileVerification::Verified));
    assert_eq!(state(&folder), PartState::VerifiedHere);

    let whole = std::fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    damaged[600] ^= 1;
    std::fs::write(&file, damaged).unwrap();
    let fault = ArchiveFault::Changed;
    assert_eq!(verify(&app, &plan, &folder).await, Ok(SetFileVerification::Faulty { fault }));
    let failed = PartState::Failed { fault: PartFault::Archive(fault), note: String::new() };
    assert_eq!(state(&folder), failed);

    // A file that is not there says nothing of its content: the drive might not be connected.
    std::fs::remove_file(&file).unwrap();
    let gone = verify(&app, &plan, &folder).await;
    assert!(matches!(gone, Err(Problem::File { .. })), "{gone:?}");
    assert_eq!(state(&folder), failed);

    std::fs::write(&file, whole).unwrap();
    assert_eq!(verify(&app, &plan, &folder).await, Ok(SetFileVerification::Verified));
    assert_eq!(state(&folder), PartState::VerifiedHere);
    assert_eq!(app.steward.set_verification.progress(), None);
}

#[tokio::test]
async fn a_verification_shows_its_progress_refuses_a_second_one_and_can_be_stopped() {
    let app = TestApp::new().await;
    let (plan, folder, file) = with_set(&app).await;
    // Long enough to be stopped: a sparse file needs no room.
    let size = 64 * 1024 * 1024 * 1024;
    std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(size).unwrap();
    let mut set = BackupSet::read(&folder).unwrap();
    let large = set.parts[1].files.iter_mut().find(|one| file.ends_with(&one.name)).unwrap();
    large.size = steward_core::model::numbers::Bytes(size);
    // An archive whose directory is at its new end.
    append_directory(&file, size);
    set.write(&folder).unwrap();
    let before = state(&folder);
    let verification: &Arc<SetVerification> = &app.steward.set_verification;

    let stopping = async {
        until("it has read something", async || {
            verification.progress().is_some_and(|progress| progress.done.0 > 0)
        })
        .await;
        let progress = verification.progress().unwrap();
        assert_eq!((&progress.plan, Some(&progress.server)), (&plan.id, app.server.server.as_ref()));
        assert!(progress.done.0 < progress.total.0);
        let second = verify(&app, &plan, &folder).await;
        assert!(matches!(second, Err(Problem::Unexpected { .. })), "{second:?}");
        verification.stop();
    };
    let (ended, ()) = tokio::join!(verify(&app, &plan, &folder), stopping);

    assert_eq!(ended, Ok(SetFileVerification::Stopped));
    assert_eq!((state(&folder), verification.progress()), (before, None));
}

/// Writes an end record to the end of a file, so that it looks like an archive.
fn append_directory(file: &Path, size: u64) {
    use std::io::{Seek as _, SeekFrom, Write as _};
    let mut file = std::fs::OpenOptions::new().write(true).open(file).unwrap();
    // One entry, whose directory of 46 bytes begins at 0.
    let end = [&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &46_u32.to_le_bytes(), &0_u32.to_le_bytes(), &[0, 0]]
        .concat();
    file.seek(SeekFrom::Start(size - end.len() as u64)).unwrap();
    file.write_all(&end).unwrap();
}

#[tokio::test]
async fn what_is_no_file_of_a_set_is_not_verified() {
    let app = TestApp::new().await;
    let (plan, folder, _) = with_set(&app).await;
    let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
    let verify = async |set: &str, server: &str| {
        let server = ServerId(server.to_owned());
        app.steward.set_verification.verify(&app.steward.data_folder, &plan, set, &server).await
    };
    let server = app.server.server.clone().unwrap().0;
    for (set, server) in [("..", &*server), (&*name, "stranger")] {
        assert!(matches!(verify(set, server).await, Err(Problem::Unexpected { .. })), "{set} {server}");
    }
    let running = BackupSet { ended: None, ..BackupSet::read(&folder).unwrap() };
    running.write(&folder).unwrap();
    assert!(matches!(verify(&name, &server).await, Err(Problem::Unexpected { .. })));
}
