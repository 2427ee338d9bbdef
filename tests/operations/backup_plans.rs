//! A run of a backup plan: each part by the operation of the form, and a set that says what is known of each.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;
use steward_app::steward::Steward;
use steward_core::listings::uploads::list_uploads;
use steward_core::model::deployment::Environment;
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::ids::ServerId;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::runs::{RunId, RunStep, RunView};
use steward_core::settings::policy::{PlansRule, Policy};
use steward_core::sites::{Site, profiles as site_profiles};
use steward_journal::Outcome;
use steward_plans::attempt::{self, StoredSet};
use steward_plans::plan::{BackupPlan, PlanId, PlanPart};
use steward_plans::process::WELL;
use steward_plans::retention::KeepRules;
use steward_plans::saved::SavedPlans;
use steward_plans::schedule::Schedule;
use steward_plans::set::{BackupSet, PartFault, PartState, SkipReason, Verdict};
use steward_plans::state::{NeedsYou, PlanState};
use steward_plans::{keeping, plan_folder, profiles, sets, store};
use steward_testkit::{Fault, until};
use tokio::sync::{Notify, watch};

use crate::alerts::{self, run_now};
use crate::downloads_cut_off::sha256;
use crate::import_server::answer;
use crate::quiet_import::post;
use crate::read_only::read_only;
use crate::test_app::{TestApp, files_in, sets_in};

/// A plan with the portal, which cannot be seen from here, and the server.
pub(crate) fn plan_of(app: &TestApp) -> BackupPlan {
    let portal =
        PlanPart::Portal { location: app.folder("portal").display().to_string(), seen_at: None, store: None };
    BackupPlan {
        id: PlanId("nightly".to_owned()),
        site: app.site.clone(),
        name: "Every night".to_owned(),
        is_enabled: true,
        since: Millis::now(),
        enabled_since: Millis(0),
        parts: vec![portal, server(app)],
        schedule: Schedule { days: Vec::new(), times: Vec::new(), skip_missed: false },
        folder: app.folder("backups"),
        delete_stored: false,
        keep: KeepRules::default(),
        rehearse_every: None,
        tells_changes: false,
        paused: None,
        alerts: Vec::new(),
    }
}

fn server(app: &TestApp) -> PlanPart {
    PlanPart::Server { server: app.server.server.clone().unwrap() }
}

pub(crate) async fn run_of(app: &TestApp, plan: &BackupPlan) -> Result<StoredSet, Problem> {
    let (_stop, stopped) = watch::channel(false);
    attempt::run(&app.steward.context, &app.steward.transfers, plan, None, &stopped).await
}

/// States of the parts in `set.json`, which is the same as the result.
fn states(stored: &StoredSet) -> Vec<PartState> {
    let written = BackupSet::read(&stored.folder).unwrap();
    assert_eq!(written, stored.set);
    written.parts.into_iter().map(|part| part.state).collect()
}

async fn uploads_of(app: &TestApp) -> usize {
    list_uploads(&app.steward.context, &app.server).await.unwrap().len()
}

#[tokio::test]
async fn a_portal_that_names_the_file_of_an_earlier_export_wrote_none_although_its_folder_is_not_seen() {
    let app = TestApp::new().await;
    let plan = plan_of(&app);
    let plan = BackupPlan { parts: vec![plan.parts[0].clone()], ..plan };
    let first = run_of(&app, &plan).await.unwrap();
    assert!(matches!(first.set.parts[0].state, PartState::OnSite { .. }), "{:?}", first.set.parts);
    let exported = app.history().await.into_iter().find(|entry| entry.intent.operation == "export_portal");
    let written = exported.unwrap().facts.site_path.unwrap();
    let body = serde_json::json!({ "status": "success", "location": written }).to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let response = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    let _way = app.with_fault("/exportSite", Fault::Instead(response.into_bytes())).await;

    let again = run_of(&app, &plan).await.unwrap();

    let PartState::Failed { note, .. } = &again.set.parts[0].state else { panic!("{:?}", again.set.parts) };
    assert!(note.contains(&written), "{note}");
}

#[tokio::test]
async fn a_run_leaves_a_verified_set_and_a_record_of_each_part() {
    let app = TestApp::new().await;
    let plan = plan_of(&app);

    let stored = run_of(&app, &plan).await.unwrap();

    assert_eq!(states(&stored), [PartState::OnSite { size: None }, PartState::VerifiedHere]);
    assert_eq!(stored.set.verdict(), Verdict::AsExpected);
    let names: Vec<_> =
        stored.set.parts.iter().flat_map(|part| &part.files).map(|file| file.name.as_str()).collect();
    assert_eq!(names.len(), 3, "the inventory of the portal, the export, and its inventory: {names:?}");
    let expected: BTreeSet<_> = names.iter().copied().chain(["set.json"]).map(str::to_owned).collect();
    assert_eq!(files_in(&stored.folder).into_iter().collect::<BTreeSet<_>>(), expected, "and nothing else");
    let history = app.history().await;
    let exports: Vec<_> =
        history.iter().filter(|entry| entry.intent.operation.starts_with("export")).collect();
    assert_eq!(exports.len(), 2);
    let records: Vec<_> = stored.set.parts.iter().map(|part| part.record.clone().unwrap().0).collect();
    assert!(exports.iter().all(|entry| records.contains(&entry.id) && entry.outcome == Outcome::Succeeded));
    assert_eq!(uploads_of(&app).await, 1, "the stored file stays unless the plan says otherwise");
}

#[tokio::test]
async fn a_portal_file_that_is_seen_from_here_is_verified() {
    let app = TestApp::new().await;
    let folder = app.folder("portal");
    let seen_at = Some(folder.clone());
    let part = PlanPart::Portal { location: folder.display().to_string(), seen_at, store: None };
    let plan = BackupPlan { parts: vec![part.clone()], ..plan_of(&app) };

    let stored = run_of(&app, &plan).await.unwrap();

    assert_eq!(states(&stored), [PartState::VerifiedHere]);
    let file = stored.set.parts[0].portal_file.as_ref().unwrap();
    let content = std::fs::read(folder.join(&file.name)).unwrap();
    assert_eq!((&*file.folder, file.size.0), (&*folder.display().to_string(), content.len() as u64));
    assert_eq!(file.sha256, sha256(&content));

    // The same content under another name is no backup of this night.
    let again = format!("copy-of-{}", file.name);
    std::fs::copy(folder.join(&file.name), folder.join(&again)).unwrap();
    let response = json!({ "status": "success", "location": folder.join(&again).display().to_string() });
    let repeats = app.with_fault("/portaladmin/exportSite", answer(&response.to_string())).await;
    let repeated = run_of(&app, &plan).await.unwrap();
    let earlier = PartFault::Archive(ArchiveFault::Earlier);
    let is_earlier =
        |state: &PartState| matches!(state, PartState::Failed { fault, .. } if *fault == earlier);
    assert!(states(&repeated).iter().all(is_earlier), "{:?}", states(&repeated));
    let app = app.without_fault(repeats);

    // The path here leads elsewhere.
    let PlanPart::Portal { location, .. } = part else { unreachable!() };
    let elsewhere = PlanPart::Portal { location, seen_at: Some(app.folder("elsewhere")), store: None };
    let stored = run_of(&app, &BackupPlan { parts: vec![elsewhere], ..plan }).await.unwrap();
    let [PartState::Failed { fault: PartFault::Archive(ArchiveFault::Unread), note }] = &states(&stored)[..]
    else {
        panic!("{:?}", stored.set.parts)
    };
    assert!(note.contains(&app.folder("elsewhere").display().to_string()), "it names the file: {note}");
}

/// A file of a network drive may take minutes to read.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_portal_file_that_is_seen_from_here_is_read_once() {
    use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
    let app = TestApp::new().await;
    let (portal, seen) = (app.folder("portal"), app.folder("seen"));
    let part =
        PlanPart::Portal { location: portal.display().to_string(), seen_at: Some(seen.clone()), store: None };
    let plan = BackupPlan { parts: vec![part], ..plan_of(&app) };
    // The portal is counted before its file is read.
    let gate = Arc::new(Notify::new());
    let held = app.with_fault("/users?", Fault::HeldUntil(gate.clone())).await.only(1);
    let running = run_of(&app, &plan);
    let copying = async {
        until("the portal wrote its file", async || held.met() == 1).await;
        let name = files_in(&portal).into_iter().next().unwrap();
        std::fs::copy(portal.join(&name), seen.join(&name)).unwrap();
        let watch = init(CreateFlags::NONBLOCK).unwrap();
        // Without the end of each reading, two beginnings would be one event.
        add_watch(&watch, &seen, WatchFlags::OPEN | WatchFlags::CLOSE_NOWRITE).unwrap();
        gate.notify_one();
        watch
    };
    let (stored, watch) = tokio::join!(running, copying);

    assert_eq!(states(&stored.unwrap()), [PartState::VerifiedHere]);
    let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
    let mut events = Reader::new(watch, &mut buffer);
    let mut readings = 0;
    while let Ok(event) = events.next() {
        let is_of_file =
            event.events().contains(ReadFlags::OPEN) && !event.events().contains(ReadFlags::ISDIR);
        readings += u32::from(is_of_file);
    }
    assert_eq!(readings, 1);
}

/// The history has one verification of an export, which set and overview show.
#[tokio::test]
async fn the_overview_says_of_a_portal_what_its_set_says() {
    let app = TestApp::new().await;
    let exports = async || {
        let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
        overview.components[0].exports.clone()
    };
    let portal = app.folder("portal");
    let part = |seen_at| PlanPart::Portal { location: portal.display().to_string(), seen_at, store: None };
    let plan = BackupPlan { parts: vec![part(None)], ..plan_of(&app) };
    run_of(&app, &plan).await.unwrap();
    assert_eq!(exports().await, None, "it stays on the portal");

    let plan = BackupPlan { parts: vec![part(Some(portal.clone()))], ..plan };
    let stored = run_of(&app, &plan).await.unwrap();
    assert_eq!(states(&stored), [PartState::VerifiedHere]);
    assert!(exports().await.is_some_and(|exports| exports.verified.is_some()));
}

/// The portal has answered, and its file takes minutes to read over a network.
#[tokio::test]
async fn stop_ends_the_reading_of_a_portal_file_and_leaves_it_unread() {
    let app = TestApp::new().await;
    let (portal, seen) = (app.folder("portal"), app.folder("seen"));
    let part =
        PlanPart::Portal { location: portal.display().to_string(), seen_at: Some(seen.clone()), store: None };
    let plan = BackupPlan { parts: vec![part, server(&app)], ..plan_of(&app) };
    // The portal is counted before its file is read.
    let gate = Arc::new(Notify::new());
    let held = app.with_fault("/users?", Fault::HeldUntil(gate.clone())).await.only(1);
    let (stop, stopped) = watch::channel(false);
    let running = attempt::run(&app.steward.context, &app.steward.transfers, &plan, None, &stopped);
    let stopping = async {
        until("the portal wrote its file", async || held.met() == 1).await;
        let name = files_in(&portal).into_iter().next().unwrap();
        crate::set_verification::write_long(&seen.join(name));
        gate.notify_one();
        let is_reading =
            |run: &RunView| matches!(run.step, RunStep::VerifyingFile { done, .. } if done.0 > 0);
        until("it is read", async || app.steward.context.runs.all().iter().any(is_reading)).await;
        stop.send_replace(true);
    };
    let (stored, ()) = tokio::join!(running, stopping);

    let stored = stored.unwrap();
    let skipped = PartState::Skipped { reason: SkipReason::Stopped };
    assert_eq!(states(&stored), [PartState::OnSite { size: None }, skipped]);
    assert!(stored.set.parts[0].record.is_some());
}

#[tokio::test]
async fn a_stored_file_is_deleted_after_the_copy_is_verified_and_only_that_one_also_from_a_read_only_site() {
    let app = TestApp::new().await;
    let other = crate::export_server::stored_export(&app).await;
    assert!(other.exists());
    let ids = async || -> Vec<String> {
        let uploads = list_uploads(&app.steward.context, &app.server).await.unwrap();
        uploads.into_iter().map(|upload| upload.id).collect()
    };
    let before = ids().await;
    read_only(&app);
    let plan = BackupPlan { delete_stored: true, ..plan_of(&app) };

    let stored = run_of(&app, &plan).await.unwrap();

    assert_eq!(stored.set.verdict(), Verdict::AsExpected);
    assert_eq!(ids().await, before);
    let changes: Vec<_> = app.history().await.into_iter().map(|entry| entry.intent.operation).collect();
    assert_eq!(changes.iter().filter(|name| *name == "delete_upload").count(), 1);
}

#[tokio::test]
async fn an_export_that_was_there_before_the_run_is_no_backup_and_is_not_deleted() {
    let app = TestApp::new().await;
    // Another administrator made it: the history does not know it.
    let exported = post(&app, "/server/admin/exportSite", &[]).await;
    let response = json!({ "status": "success", "location": exported["location"] });
    let _way = app.with_fault("/admin/exportSite", answer(&response.to_string())).await;
    let before = list_uploads(&app.steward.context, &app.server).await.unwrap();
    let plan = BackupPlan { delete_stored: true, parts: vec![server(&app)], ..plan_of(&app) };

    let stored = run_of(&app, &plan).await.unwrap();

    let earlier = PartFault::Archive(ArchiveFault::Earlier);
    assert!(
        matches!(&*states(&stored), [PartState::Failed { fault, .. }] if *fault == earlier),
        "{stored:?}"
    );
    let left = list_uploads(&app.steward.context, &app.server).await.unwrap();
    assert_eq!((left.len(), &left[0].id), (1, &before[0].id));
}

#[tokio::test]
async fn a_stored_file_stays_if_the_uploads_before_its_export_are_not_known() {
    let app = TestApp::new().await;
    let refusal = answer(r#"{"status":"error","messages":["No."],"code":403}"#);
    let way = app.with_fault("GET /server/admin/uploads?", refusal).await;
    let plan = BackupPlan { delete_stored: true, parts: vec![server(&app)], ..plan_of(&app) };

    let stored = run_of(&app, &plan).await.unwrap();

    assert_eq!(stored.set.verdict(), Verdict::AsExpected);
    let app = app.without_fault(way);
    assert_eq!(list_uploads(&app.steward.context, &app.server).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_copy_that_was_not_verified_leaves_the_stored_file_on_the_server() {
    let app = TestApp::new().await;
    let _way = app.with_fault("/download", Fault::FlippedAt(600)).await;
    let plan = BackupPlan { delete_stored: true, parts: vec![server(&app)], ..plan_of(&app) };

    let stored = run_of(&app, &plan).await.unwrap();

    assert!(
        matches!(&*states(&stored), [PartState::Failed { fault: PartFault::Archive(_), .. }]),
        "{:?}",
        stored.set.parts
    );
    assert_eq!(stored.set.verdict(), Verdict::Failed);
    assert_eq!(uploads_of(&app).await, 1);
}

#[tokio::test]
async fn a_part_whose_site_is_busy_is_skipped_and_the_others_go_on() {
    let app = TestApp::new().await;
    let plan = plan_of(&app);
    let saved = app.current(&app.sites().get(&app.site).unwrap());
    let running = app.steward.context.runs.begin(
        RunId("elsewhere".to_owned()),
        &saved,
        steward_core::model::operation::OperationKey::ImportServer,
        None,
        steward_core::runs::RunStep::Waiting,
    );

    let stored = run_of(&app, &plan).await.unwrap();

    let busy = || PartState::Skipped { reason: SkipReason::Busy };
    assert_eq!(states(&stored), [busy(), busy()]);
    assert_eq!(stored.set.verdict(), Verdict::Skipped);
    drop(running);
    assert_eq!(run_of(&app, &plan).await.unwrap().set.verdict(), Verdict::AsExpected);
}

#[tokio::test]
async fn stop_ends_the_current_part_honestly_and_skips_the_others() {
    let app = TestApp::new().await;
    let plan = BackupPlan { parts: vec![server(&app), server(&app)], ..plan_of(&app) };
    let _silent = app.with_fault("/exportSite", Fault::Silence).await;
    let (stop, stopped) = watch::channel(false);

    let running = attempt::run(&app.steward.context, &app.steward.transfers, &plan, None, &stopped);
    let stopping = async {
        until("the export was sent", async || app.steward.context.runs.all().iter().any(|run| run.sent))
            .await;
        stop.send_replace(true);
    };
    let (stored, ()) = tokio::join!(running, stopping);

    let stored = stored.unwrap();
    assert_eq!(states(&stored), [PartState::Unknown, PartState::Skipped { reason: SkipReason::Stopped }]);
    assert_eq!(stored.set.verdict(), Verdict::Unknown);
    assert!(stored.set.parts[0].record.is_some());
}

#[tokio::test]
async fn a_folder_that_cannot_be_created_is_told_before_anything_is_sent() {
    let app = TestApp::new().await;
    let file = app.folder("taken").join("file");
    std::fs::write(&file, "").unwrap();
    let plan = BackupPlan { folder: file, ..plan_of(&app) };
    let before = app.history().await.len();

    let problem = run_of(&app, &plan).await.unwrap_err();

    assert!(matches!(problem, Problem::File { .. }), "{problem:?}");
    assert_eq!(app.history().await.len(), before);
}

/// A network drive that is not connected: its folder here would be on another disk.
#[tokio::test]
async fn a_folder_of_a_plan_that_is_not_there_is_not_created() {
    let app = TestApp::new().await;
    let folder = app.folder("share").join("not connected");
    let plan = BackupPlan { folder: folder.clone(), ..plan_of(&app) };
    let before = app.history().await.len();

    let problem = run_of(&app, &plan).await.unwrap_err();

    assert!(matches!(problem, Problem::File { .. }), "{problem:?}");
    assert!(!folder.exists());
    assert_eq!(app.history().await.len(), before);
}

#[tokio::test]
async fn a_part_that_needs_a_person_says_so_and_asks_nobody() {
    let app = TestApp::signed_out().await;
    let plan = plan_of(&app);

    let stored = run_of(&app, &plan).await.unwrap();

    for state in states(&stored) {
        assert!(matches!(state, PartState::Failed { fault: PartFault::SignIn, .. }), "{state:?}");
    }
    assert!(stored.set.parts.iter().all(|part| part.record.is_none()));
}

#[tokio::test]
async fn sets_that_no_rule_keeps_are_removed_and_nothing_else_of_the_folder() {
    let app = TestApp::new().await;
    let keep = KeepRules { last: Some(1), ..KeepRules::default() };
    let plan = BackupPlan { keep, parts: vec![server(&app)], ..plan_of(&app) };
    let other = BackupPlan { id: PlanId("weekly".to_owned()), ..plan.clone() };
    let of_other = run_of(&app, &other).await.unwrap();
    let first = run_of(&app, &plan).await.unwrap();
    let pinned = run_of(&app, &plan).await.unwrap();
    BackupSet { is_pinned: true, ..pinned.set.clone() }.write(&pinned.folder).unwrap();
    let newest = run_of(&app, &plan).await.unwrap();
    for foreign in ["photos", "foreign"] {
        std::fs::create_dir(plan.folder.join(foreign)).unwrap();
    }
    std::fs::write(plan.folder.join("foreign/set.json"), "{}").unwrap();
    std::fs::write(plan.folder.join("notes.txt"), "mine").unwrap();

    let now = jiff::Timestamp::now();
    let done = keeping::remove_others(
        &app.steward.context,
        &app.steward.data_folder,
        &plan,
        now,
        &jiff::tz::TimeZone::UTC,
    )
    .await
    .unwrap();

    let removed: Vec<_> = done.removed.iter().map(|stored| stored.folder.as_path()).collect();
    assert_eq!((removed, done.nothing), (vec![first.folder.as_path()], None));
    assert!(done.failed.is_empty(), "{:?}", done.failed);
    let left: BTreeSet<_> = files_in(&plan.folder).into_iter().collect();
    let name = |stored: &StoredSet| stored.folder.file_name().unwrap().to_str().unwrap().to_owned();
    let expected = [&of_other, &pinned, &newest].map(name).into_iter();
    let marks = [&plan, &other].map(|plan| format!(".site-steward-plan-{}.json", plan.id.0));
    let expected = expected.chain(["photos", "foreign", "notes.txt"].map(str::to_owned)).chain(marks);
    assert_eq!(left, expected.collect::<BTreeSet<_>>());
    assert_eq!(
        plan_folder::read(&plan).await.unwrap().strange.len(),
        1,
        "the set.json of another program is named"
    );
}

#[tokio::test]
async fn a_set_that_cannot_be_removed_is_told_with_its_plan_and_in_its_row_and_by_an_alert_if_that_goes_on() {
    let app = TestApp::new().await;
    let own = alerts::receiver("200 OK", "").await;
    let channel = alerts::webhook(format!("{}/hook", own.origin()));
    let plan = alerts::due_plan_with(&app, vec![channel]).await;
    let plan = BackupPlan { keep: KeepRules { last: Some(1), ..KeepRules::default() }, ..plan };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    assert_eq!(run_now(&app, &plan).await.0, WELL);
    let name = sets_in(&plan.folder).remove(0);
    // In the way of the file by which a removal begins.
    let in_the_way = plan.folder.join(&name).join(".removing-set.json");
    std::fs::create_dir_all(in_the_way.join("x")).unwrap();
    let window = SavedPlans::open(&app.steward.data_folder);
    let state = async || window.list(&app.steward.context, &app.site).await.unwrap().plans.remove(0).state;
    let row = async || {
        let sets = window.sets(&app.steward.context, &plan.id).await.unwrap().sets;
        sets.into_iter().find(|set| set.name == name).map(|set| set.not_removed)
    };
    assert!(matches!(state().await, PlanState::Verified { .. }));

    assert_eq!(run_now(&app, &plan).await.0, WELL, "the export is there");
    let found = state().await;
    let PlanState::NeedsYou { since, reason: NeedsYou::NotRemoved { sets: 1, .. } } = &found else {
        panic!("{found:?}")
    };
    assert_eq!(row().await.unwrap().map(|set| set.since), Some(*since));
    assert_eq!(own.requests().len(), 0, "the next run might remove it");

    assert_eq!(run_now(&app, &plan).await.0, WELL);
    let [request] = &own.requests()[..] else { panic!("told once: {:?}", own.requests().len()) };
    let (body, _) = alerts::json(request);
    assert_eq!(body["event"], "plan.setsNotRemoved");
    assert_eq!(body["setsNotRemoved"][0]["name"], name);
    assert!(matches!(state().await, PlanState::NeedsYou { since: still, .. } if still == *since));

    std::fs::remove_dir_all(&in_the_way).unwrap();
    assert_eq!(run_now(&app, &plan).await.0, WELL);
    assert_eq!(row().await, None, "it is removed");
    assert!(matches!(state().await, PlanState::Verified { .. }));
    let events: Vec<_> =
        own.requests().iter().map(|request| alerts::json(request).0["event"].clone()).collect();
    assert_eq!(events, ["plan.setsNotRemoved", "plan.recovered"]);

    // A removal that was begun, and that something keeps from its end, is told as well.
    let begun = plan.folder.join(sets_in(&plan.folder).remove(0));
    assert_eq!(run_now(&app, &plan).await.0, WELL);
    let last = plan.folder.join(sets_in(&plan.folder).into_iter().max().unwrap());
    assert!(!begun.exists());
    std::fs::rename(last.join("set.json"), last.join(".removing-set.json")).unwrap();
    let beside = plan.folder.join(format!(".removing-{}.json", last.file_name().unwrap().to_str().unwrap()));
    std::fs::create_dir_all(beside.join("x")).unwrap();
    assert_eq!(run_now(&app, &plan).await.0, WELL);
    let found = state().await;
    assert!(
        matches!(found, PlanState::NeedsYou { reason: NeedsYou::NotRemoved { sets: 1, .. }, .. }),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_folder_that_is_gone_removes_nothing_and_is_told() {
    let app = TestApp::new().await;
    let plan = BackupPlan { folder: app.folder("share").join("not connected"), ..plan_of(&app) };

    let read = plan_folder::read(&plan).await.unwrap_err();

    assert!(matches!(read, Problem::File { .. }), "{read:?}");
}

#[tokio::test]
async fn plans_of_a_profile_are_added_paused_unless_the_organization_forbids_plans() {
    let app = TestApp::signed_out().await;
    let site = app.sites().get(&app.site).unwrap();
    let plans = profiles::of_site(&site, &[plan_of(&app)]).unwrap();
    let site = Site { environment: Environment::Test, ..site };
    let file = site_profiles::write(&[(site, plans)]).unwrap();
    let of_profile = site_profiles::read(&file).unwrap().profiles.remove(0);
    let add = async |policy: &Policy| {
        app.steward.plans.add_from_profile(&app.steward.context, policy, &app.site, &of_profile).await
    };

    let forbidden = Policy { plans: Some(PlansRule::Forbidden), ..Policy::default() };
    assert!(matches!(add(&forbidden).await, Err(Problem::Form { .. })));
    assert!(app.steward.plans.all().is_empty());

    let elsewhere = Policy { plans_folder: Some(app.folder("elsewhere")), ..Policy::default() };
    add(&elsewhere).await.unwrap();
    let added = app.steward.plans.all();
    assert_eq!((added.len(), added[0].is_enabled), (1, false));
    assert_eq!(added[0].folder, PathBuf::new(), "it has to be chosen again");
}

#[tokio::test]
async fn a_token_that_is_rejected_once_and_renewed_loses_no_night() {
    let app = TestApp::new().await;
    app.order("export_server", "expiredToken", &[]).await;
    let plan = BackupPlan { parts: vec![server(&app)], ..plan_of(&app) };

    let stored = run_of(&app, &plan).await.unwrap();

    assert_eq!(states(&stored), [PartState::VerifiedHere]);
}

#[tokio::test]
async fn the_last_copy_of_a_server_is_kept_although_a_newer_set_names_one_whose_file_is_gone() {
    let app = TestApp::new().await;
    let keep = KeepRules { last: Some(1), ..KeepRules::default() };
    let plan = BackupPlan { keep, parts: vec![server(&app)], ..plan_of(&app) };
    let older = run_of(&app, &plan).await.unwrap();
    let newer = run_of(&app, &plan).await.unwrap();
    let export = newer.set.parts[0].files.iter().find(|file| file.name.ends_with(".agssite")).unwrap();
    std::fs::remove_file(newer.folder.join(&export.name)).unwrap();

    let Steward { context, data_folder, .. } = &app.steward;
    let (now, zone) = (jiff::Timestamp::now(), jiff::tz::TimeZone::UTC);
    let done = keeping::remove_others(context, data_folder, &plan, now, &zone).await.unwrap();

    assert!(done.removed.is_empty(), "{:?}", done.removed);
    assert!(older.folder.exists());
    let shown = sets::of(context, &plan).await.unwrap().sets;
    let verdicts: Vec<_> = shown.iter().map(|set| set.verdict).collect();
    assert_eq!(verdicts, [Verdict::Failed, Verdict::AsExpected]);
    let PartState::Failed { fault, note } = &shown[0].set.parts[0].state else { panic!("{shown:?}") };
    assert_eq!(*fault, PartFault::Archive(ArchiveFault::Unread));
    assert!(note.contains(&export.name), "{note}");
}

#[tokio::test]
async fn a_server_that_is_no_longer_saved_is_told_as_that() {
    let app = TestApp::new().await;
    let gone = PlanPart::Server { server: ServerId("gone".to_owned()) };
    let plan = BackupPlan { parts: vec![server(&app), gone], ..plan_of(&app) };

    let stored = run_of(&app, &plan).await.unwrap();

    let note = "the server is no longer saved".to_owned();
    let failed = PartState::Failed { fault: PartFault::NotOffered, note };
    assert_eq!(states(&stored), [PartState::VerifiedHere, failed]);
    assert_eq!(stored.set.parts[1].name, "gone", "no set has its name");
    let mut earlier = stored.set.clone();
    earlier.parts[1].name = "gisapp02".to_owned();
    earlier.write(&stored.folder).unwrap();
    assert_eq!(run_of(&app, &plan).await.unwrap().set.parts[1].name, "gisapp02");
}

#[tokio::test]
async fn a_portal_that_names_the_folder_instead_of_its_export_has_made_no_backup() {
    let app = TestApp::new().await;
    let plan = plan_of(&app);
    let body = serde_json::json!({ "status": "success", "location": app.folder("portal") }).to_string();
    // The first request is the check of the folder.
    let _way = app.with_fault("/portaladmin/exportSite", answer(&body)).await.sparing(1);

    let stored = run_of(&app, &plan).await.unwrap();

    let [PartState::Failed { fault: PartFault::NoFile, note }, PartState::VerifiedHere] =
        &states(&stored)[..]
    else {
        panic!("{:?}", stored.set.parts)
    };
    assert!(note.contains("named no file"), "{note}");
    let history = app.history().await;
    let export = history.iter().find(|one| one.intent.operation == "export_portal").unwrap();
    assert_eq!(export.facts.site_path, None);
}

#[tokio::test]
async fn a_set_that_could_not_be_removed_is_no_trouble_once_a_user_removed_it() {
    let app = TestApp::new().await;
    let due = crate::plan_process::due_plan(&app).await;
    let plan = BackupPlan { keep: KeepRules { last: Some(1), ..KeepRules::default() }, ..due };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    assert_eq!(run_now(&app, &plan).await.0, WELL);
    let set = plan.folder.join(sets_in(&plan.folder).remove(0));
    // In the way of the file by which a removal begins.
    std::fs::create_dir_all(set.join(".removing-set.json").join("x")).unwrap();
    assert_eq!(run_now(&app, &plan).await.0, WELL);
    let window = SavedPlans::open(&app.steward.data_folder);
    let state = async || window.list(&app.steward.context, &app.site).await.unwrap().plans.remove(0).state;
    let found = state().await;
    assert!(matches!(found, PlanState::NeedsYou { reason: NeedsYou::NotRemoved { .. }, .. }), "{found:?}");

    std::fs::remove_dir_all(&set).unwrap();
    alerts::start(&app, Policy::default()).await;

    assert!(matches!(state().await, PlanState::Verified { .. }), "{:?}", state().await);
}
