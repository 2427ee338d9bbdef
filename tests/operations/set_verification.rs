//! A file of a backup set that is verified once more.

use std::path::{Path, PathBuf};

use steward_app::overview::PartRecovery;
use steward_app::steward::Steward;
use steward_core::files::data_folder::DataFolder;
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::ids::{ServerId, SiteId, Target};
use steward_core::model::numbers::Bytes;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::runs::{RunId, RunStep, RunView};
use steward_core::settings::policy::Policy;
use steward_plans::plan::{BackupPlan, PlanPart};
use steward_plans::plan_folder::{self, WhyStrange};
use steward_plans::process::{FAILED, WELL};
use steward_plans::saved::SavedPlans;
use steward_plans::set::{BackupSet, PartFault, PartState, Verdict};
use steward_plans::set_search::search;
use steward_plans::set_verification::{self, SetFileVerification};
use steward_plans::state::{NeedsYou, PlanState};
use steward_plans::store;
use steward_testkit::until;

use crate::backup_plans::{plan_of, run_of};
use crate::export_verification::instead;
use crate::plan_process::{due_plan, runner_of};
use crate::test_app::{TestApp, files_in, sets_in};

/// A plan with a set, the folder of it, and the file of the server.
async fn with_set(app: &TestApp) -> (BackupPlan, PathBuf, PathBuf) {
    let plan = plan_of(app);
    let stored = run_of(app, &plan).await.unwrap();
    let file = stored.set.parts[1].files.iter().find(|file| file.name.ends_with(".agssite")).unwrap();
    let file = stored.folder.join(&file.name);
    (plan, stored.folder, file)
}

/// `None` if it was stopped.
async fn verify(
    app: &TestApp,
    plan: &BackupPlan,
    folder: &Path,
) -> Result<Option<SetFileVerification>, Problem> {
    verify_of(app, plan, folder.file_name().unwrap().to_str().unwrap(), &app.server).await
}

async fn verify_of(
    app: &TestApp,
    plan: &BackupPlan,
    set: &str,
    target: &Target,
) -> Result<Option<SetFileVerification>, Problem> {
    let Steward { context, data_folder, .. } = &app.steward;
    let run = RunId("verification".to_owned());
    Ok(match set_verification::verify(context, data_folder, plan, set, target, run).await? {
        RunResult::Done { report, .. } => Some(report),
        RunResult::NotSent { .. } => None,
        other => panic!("{other:?}"),
    })
}

fn running(app: &TestApp) -> Option<RunView> {
    app.steward.context.runs.now().running.into_iter().next()
}

fn state(folder: &Path) -> PartState {
    BackupSet::read(folder).unwrap().parts[1].state.clone()
}

#[tokio::test]
async fn a_file_that_was_damaged_since_its_run_no_longer_counts_until_it_is_whole_again() {
    let app = TestApp::new().await;
    let (plan, folder, file) = with_set(&app).await;
    assert_eq!(verify(&app, &plan, &folder).await, Ok(Some(SetFileVerification::Verified)));
    assert_eq!(state(&folder), PartState::VerifiedHere);

    let whole = std::fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    damaged[600] ^= 1;
    std::fs::write(&file, damaged).unwrap();
    let fault = ArchiveFault::Changed;
    assert_eq!(verify(&app, &plan, &folder).await, Ok(Some(SetFileVerification::Faulty { fault })));
    let failed = PartState::Failed { fault: PartFault::Archive(fault), note: String::new() };
    assert_eq!(state(&folder), failed);

    // A file that is not there says nothing of its content: the drive might not be connected.
    std::fs::remove_file(&file).unwrap();
    let gone = verify(&app, &plan, &folder).await;
    assert!(matches!(gone, Err(Problem::File { .. })), "{gone:?}");
    assert_eq!(state(&folder), failed);

    std::fs::write(&file, whole).unwrap();
    assert_eq!(verify(&app, &plan, &folder).await, Ok(Some(SetFileVerification::Verified)));
    assert_eq!(state(&folder), PartState::VerifiedHere);
    assert!(running(&app).is_none());
}

#[tokio::test]
async fn a_verification_is_a_run_that_shows_its_progress_and_can_be_stopped() {
    let app = TestApp::new().await;
    let (plan, folder, file) = with_set(&app).await;
    let size = write_long(&file);
    let mut set = BackupSet::read(&folder).unwrap();
    let large = set.parts[1].files.iter_mut().find(|one| file.ends_with(&one.name)).unwrap();
    large.size = Bytes(size);
    set.write(&folder).unwrap();
    let before = state(&folder);

    let stopping = async {
        until("it has read something", async || {
            matches!(running(&app), Some(RunView { step: RunStep::VerifyingFile { done, .. }, .. }) if done.0 > 0)
        })
        .await;
        let run = running(&app).unwrap();
        assert_eq!((&run.server, run.sent), (&app.server.server, false));
        let RunStep::VerifyingFile { done, total } = run.step else { panic!("{run:?}") };
        assert_eq!((done.0 < size, total), (true, Some(Bytes(size))));
        app.steward.context.runs.stop(&run.id);
    };
    let (ended, ()) = tokio::join!(verify(&app, &plan, &folder), stopping);

    assert_eq!(ended, Ok(None));
    assert_eq!(state(&folder), before);
    until("the run has ended", async || running(&app).is_none()).await;
}

/// Makes a file long enough to be stopped while it is read, with the beginning and the end of an archive, and returns its size.
/// A sparse file needs no room.
pub(crate) fn write_long(file: &Path) -> u64 {
    use std::io::{Seek as _, SeekFrom, Write as _};
    let size = 64 * 1024 * 1024 * 1024;
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(file).unwrap();
    file.set_len(size).unwrap();
    file.write_all(b"PK\x03\x04").unwrap();
    // One entry, whose directory of 46 bytes begins at 0.
    let end = [&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &46_u32.to_le_bytes(), &0_u32.to_le_bytes(), &[0, 0]]
        .concat();
    file.seek(SeekFrom::Start(size - end.len() as u64)).unwrap();
    file.write_all(&end).unwrap();
    size
}

#[tokio::test]
async fn a_portal_file_that_was_damaged_since_its_run_is_found_where_the_plan_sees_it() {
    let app = TestApp::new().await;
    let portal = app.folder("portal");
    let part = |seen_at| PlanPart::Portal { location: portal.display().to_string(), seen_at, store: None };
    let plan = BackupPlan { parts: vec![part(Some(portal.clone()))], ..plan_of(&app) };
    let stored = run_of(&app, &plan).await.unwrap();
    let name = stored.folder.file_name().unwrap().to_str().unwrap();
    let target = Target::portal(app.site.clone());
    let state = || BackupSet::read(&stored.folder).unwrap().parts[0].state.clone();
    let verified = || Ok(Some(SetFileVerification::Verified));
    assert_eq!(verify_of(&app, &plan, name, &target).await, verified());

    let moved = app.folder("moved");
    let file = &stored.set.parts[0].portal_file.as_ref().unwrap().name;
    std::fs::rename(portal.join(file), moved.join(file)).unwrap();
    assert!(matches!(verify_of(&app, &plan, name, &target).await, Err(Problem::File { .. })));
    assert_eq!(state(), PartState::VerifiedHere, "of an empty folder nothing is known");
    std::fs::write(portal.join("another"), "").unwrap();
    let gone = Ok(Some(SetFileVerification::Faulty { fault: ArchiveFault::Unread }));
    assert_eq!(verify_of(&app, &plan, name, &target).await, gone);
    let found = async || plan_folder::read(&plan).await.unwrap().sets.remove(0).set.parts.remove(0).state;
    let PartState::Failed { fault, .. } = found().await else { panic!("{:?}", found().await) };
    assert_eq!(fault, PartFault::Archive(ArchiveFault::Unread));
    std::fs::rename(moved.join(file), portal.join(file)).unwrap();
    assert_eq!(found().await, PartState::VerifiedHere, "its drive is connected again");
    std::fs::rename(portal.join(file), moved.join(file)).unwrap();
    let plan = BackupPlan { parts: vec![part(Some(moved.clone()))], ..plan };
    assert_eq!(verify_of(&app, &plan, name, &target).await, verified());

    let mut damaged = std::fs::read(moved.join(file)).unwrap();
    damaged[60] ^= 1;
    std::fs::write(moved.join(file), damaged).unwrap();
    let fault = ArchiveFault::Changed;
    let faulty = Ok(Some(SetFileVerification::Faulty { fault }));
    assert_eq!(verify_of(&app, &plan, name, &target).await, faulty);
    assert_eq!(state(), PartState::Failed { fault: PartFault::Archive(fault), note: String::new() });
    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    assert_eq!(overview.components[0].exports, None, "it is no verified export any more");

    let unseen = BackupPlan { parts: vec![part(None)], ..plan };
    assert!(matches!(verify_of(&app, &unseen, name, &target).await, Err(Problem::Unexpected { .. })));
}

#[tokio::test]
async fn what_is_no_file_of_a_set_is_not_verified() {
    let app = TestApp::new().await;
    let (plan, folder, _) = with_set(&app).await;
    let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
    let stranger = Target { server: Some(ServerId("stranger".to_owned())), ..app.server.clone() };
    let elsewhere = Target { site: SiteId("elsewhere".to_owned()), ..app.server.clone() };
    for (set, target) in [("..", &app.server), (&*name, &stranger), (&*name, &elsewhere)] {
        let refused = verify_of(&app, &plan, set, target).await;
        assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{set} {target:?}");
    }
    let running = BackupSet { ended: None, ..BackupSet::read(&folder).unwrap() };
    running.write(&folder).unwrap();
    let runs = DataFolder::take_for_runner(&app.steward.data_folder).unwrap();
    assert!(matches!(verify(&app, &plan, &folder).await, Err(Problem::Unexpected { .. })));
    drop(runs);
    assert_eq!(verify(&app, &plan, &folder).await, Ok(Some(SetFileVerification::Verified)), "it was cut off");
}

/// The page of the sets and the list of plans tell one thing, and so does the next start of the runner.
#[tokio::test]
async fn a_plan_whose_last_set_is_found_damaged_or_gone_is_verified_no_longer_until_it_is_whole_again() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    assert_eq!(runner_of(&app).run_due_plans().await, WELL);
    let folder = plan.folder.join(&sets_in(&plan.folder)[0]);
    let set = BackupSet::read(&folder).unwrap();
    let file = set.parts[1].files.iter().find(|file| file.name.ends_with(".agssite")).unwrap();
    let file = folder.join(&file.name);
    let window = SavedPlans::open(&app.steward.data_folder);
    let view = async || window.list(&app.steward.context, &app.site).await.unwrap().plans.remove(0);
    let verified = view().await.verified;
    assert!(matches!(view().await.state, PlanState::Verified { .. }));

    let whole = std::fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    damaged[600] ^= 1;
    std::fs::write(&file, damaged).unwrap();
    verify(&app, &plan, &folder).await.unwrap();
    let found = view().await;
    let PlanState::NeedsYou { reason: NeedsYou::Part { server, state, .. }, .. } = found.state else {
        panic!("{found:?}")
    };
    assert!(matches!(state, PartState::Failed { fault: PartFault::Archive(ArchiveFault::Changed), .. }));
    assert_eq!((server, found.verified), (app.server.server.clone(), None));
    let (code, shown) = crate::alerts::start(&app, Policy::default()).await;
    assert_eq!((code, shown.len()), (FAILED, 1), "{shown:?}");
    assert!(matches!(view().await.state, PlanState::NeedsYou { .. }), "the runner has written it");

    std::fs::write(&file, &whole).unwrap();
    verify(&app, &plan, &folder).await.unwrap();
    assert!(matches!(view().await.state, PlanState::Verified { .. }));
    assert_eq!(view().await.verified, verified);

    // A file that is gone is seen on the page of the sets.
    let written = std::fs::metadata(&file).unwrap().modified().unwrap();
    std::fs::remove_file(&file).unwrap();
    let sets = window.sets(&app.steward.context, &plan.id).await.unwrap();
    assert_eq!(
        (sets.sets[0].verdict, view().await.last.unwrap().verdict),
        (Verdict::Failed, Verdict::Failed)
    );
    std::fs::write(&file, whole).unwrap();
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(written).unwrap();
    window.sets(&app.steward.context, &plan.id).await.unwrap();
    assert!(matches!(view().await.state, PlanState::Verified { .. }));

    // Without its network drive, the folder says nothing, and neither the page nor the search takes it for that of the plan.
    let away = app.folder("drive").join("away");
    std::fs::rename(&plan.folder, &away).unwrap();
    std::fs::create_dir(&plan.folder).unwrap();
    let empty = window.sets(&app.steward.context, &plan.id).await;
    let is_named = |message: &str| message.contains("the mark of the plan is not in it");
    let is_unread = |why: &WhyStrange| matches!(why, WhyStrange::Unreadable { said } if is_named(said));
    assert!(matches!(&empty, Err(Problem::File { message, .. }) if is_named(message)), "{empty:?}");
    let search = search(&app.steward.data_folder, vec![plan.clone()], "zoning".to_owned()).await.unwrap();
    assert!(matches!(&search.unread[..], [folder] if is_unread(&folder.why)), "{search:?}");
    assert!(matches!(view().await.state, PlanState::Verified { .. }));
    std::fs::remove_dir(&plan.folder).unwrap();
    std::fs::rename(&away, &plan.folder).unwrap();

    std::fs::remove_dir_all(&folder).unwrap();
    window.sets(&app.steward.context, &plan.id).await.unwrap();
    let state = view().await.state;
    assert!(matches!(state, PlanState::NeedsYou { reason: NeedsYou::NoSet { .. }, .. }), "{state:?}");
}

/// What the overview says of the server: of its plan, of its exports, and to which time it is recoverable.
async fn told(app: &TestApp) -> (bool, bool, PartRecovery) {
    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    let window = SavedPlans::open(&app.steward.data_folder);
    let plan = window.list(&app.steward.context, &app.site).await.unwrap().plans.remove(0);
    let facts = overview.components.into_iter().find(|one| one.server.is_some()).unwrap();
    let part = overview.recoverable.parts.into_iter().find(|part| part.server.is_some()).unwrap();
    let is_verified = facts.exports.and_then(|exports| exports.verified).is_some();
    (matches!(plan.state, PlanState::Verified { .. }), is_verified, part.state)
}

/// Starts the runner, and returns its exit code and the number of alerts about plans.
async fn start(app: &TestApp) -> (u8, usize) {
    let (code, shown) = crate::alerts::start(app, Policy::default()).await;
    (code, shown.iter().filter(|(title, _)| title.starts_with("Backup plan")).count())
}

/// Plan, exports, and recovery go by one look, and take a set up again as soon as it is there.
#[tokio::test]
async fn a_set_that_is_lost_or_changed_is_verified_nowhere_and_everywhere_again_once_it_is_back() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    assert_eq!(runner_of(&app).run_due_plans().await, WELL);
    // The overview goes by the plans of the window, which it reads at its start.
    let app = app.restarted();
    let folder = plan.folder.join(&sets_in(&plan.folder)[0]);
    let set = BackupSet::read(&folder).unwrap();
    let file = set.parts[1].files.iter().find(|file| file.name.ends_with(".agssite")).unwrap();
    let file = folder.join(&file.name);
    let away = app.folder("away").join("set");
    steward_app::overview::check_site(&app.steward.context, &app.site).await.unwrap();
    assert_eq!(told(&app).await, (true, true, PartRecovery::Verified));
    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    let of_server = overview.recoverable.parts.into_iter().find(|part| part.server.is_some()).unwrap();
    assert_eq!(of_server.place.unwrap().set, folder.file_name().map(|name| name.display().to_string()));

    // The next start of the runner sees it, without the window.
    std::fs::rename(&folder, &away).unwrap();
    assert_eq!(start(&app).await, (FAILED, 1));
    let lost = told(&app).await;
    assert!(matches!(lost, (false, false, PartRecovery::FileMissing { .. })), "{lost:?}");

    std::fs::rename(&away, &folder).unwrap();
    assert_eq!(told(&app).await, (true, true, PartRecovery::Verified), "no check was needed");
    assert_eq!(start(&app).await, (WELL, 1), "it is verified again");

    let whole = std::fs::read(&file).unwrap();
    let written = std::fs::metadata(&file).unwrap().modified().unwrap();
    std::fs::write(&file, &whole[..100]).unwrap();
    assert_eq!(start(&app).await.0, FAILED);
    let changed = told(&app).await;
    assert!(matches!(changed, (false, false, PartRecovery::FileChanged { .. })), "{changed:?}");
    // It is back with its time, as a copy of it has.
    std::fs::write(&file, whole).unwrap();
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(written).unwrap();
    assert_eq!(start(&app).await.0, WELL, "the runner takes it up, too");
    assert_eq!(told(&app).await, (true, true, PartRecovery::Verified));

    // A drive that is not connected says nothing of its sets.
    let drive = app.folder("drive").join("away");
    std::fs::rename(&plan.folder, &drive).unwrap();
    assert_eq!(start(&app).await.0, WELL);
    steward_app::overview::check_site(&app.steward.context, &app.site).await.unwrap();
    let (is_plan_verified, _, state) = told(&app).await;
    assert!(is_plan_verified && matches!(state, PartRecovery::FileNotKnown { .. }), "{state:?}");
    std::fs::rename(&drive, &plan.folder).unwrap();
    assert_eq!(told(&app).await, (true, true, PartRecovery::Verified), "no check was needed");
}

#[tokio::test]
async fn a_set_with_an_earlier_export_does_not_become_verified_when_it_is_read_again() {
    let app = TestApp::new().await;
    let (plan, genuine, file) = with_set(&app).await;
    let _way = app.with_fault("/download", instead(&std::fs::read(&file).unwrap())).await;
    let stale = run_of(&app, &plan).await.unwrap().folder;
    let fault = ArchiveFault::Earlier;
    let failed = state(&stale);
    assert!(matches!(&failed, PartState::Failed { fault: PartFault::Archive(found), .. } if *found == fault));

    assert_eq!(verify(&app, &plan, &stale).await, Ok(Some(SetFileVerification::Faulty { fault })));
    assert_eq!(state(&stale), failed);
    assert_eq!(verify(&app, &plan, &genuine).await, Ok(Some(SetFileVerification::Verified)));

    // The history of another computer does not have the exports.
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    journal.execute_batch("UPDATE record SET operation = 'sign_out'").unwrap();
    steward_journal::seal_all(&journal).unwrap();
    assert_eq!(verify(&app, &plan, &stale).await, Ok(Some(SetFileVerification::Faulty { fault })));
    assert_eq!(state(&stale), failed);
}

/// A new drive, to which the folder of the plan was copied.
#[tokio::test]
async fn a_folder_that_was_copied_without_the_times_of_its_files_is_read_again_and_nothing_is_told() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let portal = app.folder("portal");
    let part = PlanPart::Portal {
        location: portal.display().to_string(),
        seen_at: Some(portal.clone()),
        store: None,
    };
    let plan = BackupPlan { parts: vec![part, plan.parts[1].clone()], ..plan };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    assert_eq!(runner_of(&app).run_due_plans().await, WELL);
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL);
    // The overview goes by the plans of the window, which it reads at its start.
    let app = app.restarted();
    steward_app::overview::check_site(&app.steward.context, &app.site).await.unwrap();
    let mut sets: Vec<_> = sets_in(&plan.folder).iter().map(|name| plan.folder.join(name)).collect();
    sets.sort();
    let exports: Vec<_> = sets.iter().chain([&portal]).flat_map(|folder| exports_in(folder)).collect();
    assert_eq!(exports.len(), 4, "two of the server, and two of the portal");
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_hours(240);
    for export in &exports {
        std::fs::File::options().write(true).open(export).unwrap().set_modified(long_ago).unwrap();
    }
    let verdicts = async || {
        let read = plan_folder::read(&plan).await.unwrap().sets;
        read.into_iter().map(|stored| stored.set.verdict()).collect::<Vec<_>>()
    };
    assert_eq!(verdicts().await, [Verdict::Failed; 2], "until they are read again");

    assert_eq!(start(&app).await, (WELL, 0));

    assert_eq!(verdicts().await, [Verdict::AsExpected; 2]);
    // The history has the new times, too.
    steward_app::overview::check_site(&app.steward.context, &app.site).await.unwrap();
    assert_eq!(told(&app).await, (true, true, PartRecovery::Verified));

    // Content that differs is no copy, and is told.
    let newest = exports_in(&sets[1]).remove(0);
    let mut damaged = std::fs::read(&newest).unwrap();
    damaged[600] ^= 1;
    std::fs::write(&newest, damaged).unwrap();
    assert_eq!(start(&app).await, (FAILED, 1));
    assert_eq!(verdicts().await, [Verdict::Failed, Verdict::AsExpected]);
}

/// Export files in a folder.
fn exports_in(folder: &Path) -> Vec<PathBuf> {
    let files = files_in(folder).into_iter().map(|name| folder.join(name));
    let is_export =
        |file: &PathBuf| file.extension().is_some_and(|end| end == "agssite" || end == "portalsite");
    files.filter(is_export).collect()
}
