//! The runner of backup plans beside an open window: one data folder, one history, one site.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::{Timestamp, ToSpan as _};
use steward_app::steward::Steward;
use steward_core::actions::sign_in::{leave, sign_in_as};
use steward_core::actions::sites;
use steward_core::files::data_folder::{DataFolder, DataFolderError};
use steward_core::follow_up::outcome_check::resolve;
use steward_core::history::{HistorySearch, page_of};
use steward_core::model::ids::RecordId;
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::runs::{RunId, RunStep};
use steward_core::settings::policy::{ForwardingRule, Policy};
use steward_core::settings::preferences::LogServer;
use steward_core::sites::{SiteForm, TrustedCertificateView};
use steward_journal::{Outcome, StoredRecord};
use steward_plans::acceptance_line::{FolderFault, LineAbout, PlanSession, SessionEnd};
use steward_plans::alerts::desktop::NoDesktop;
use steward_plans::exchange;
use steward_plans::plan::{BackupPlan, PlanId, PlanPart};
use steward_plans::process::{FAILED, INVALID, NOT_NOW, Opening, PlanRunner, WELL};
use steward_plans::retention::KeepRules;
use steward_plans::saved::SavedPlans;
use steward_plans::schedule::{Day, Schedule, TimeOfDay};
use steward_plans::set::{BackupSet, PartFault, PartState, Verdict};
use steward_plans::set_trail;
use steward_plans::state::{NeedsYou, PlanState};
use steward_plans::store::{self, RunnerState};
use steward_testkit::{Fault, LogCertificates, LogReceiver, Reading, until};
use steward_vault::{Secret, SecretStore};
use tokio::sync::{Notify, watch};

use crate::adding_a_site::{encrypted, encrypted_at};
use crate::alerts::Locked;
use crate::backup_plans::plan_of;
use crate::import_server::answer;
use crate::test_app::{TestApp, sets_in};

/// Saves a plan that was due an hour ago, as the window does, and the password with which it runs without a user.
pub(crate) async fn due_plan(app: &TestApp) -> BackupPlan {
    app.save_password().await;
    save_due_plan(app, plan_of(app))
}

fn save_due_plan(app: &TestApp, plan: BackupPlan) -> BackupPlan {
    let due = (Timestamp::now() - 1.hour()).to_zoned(jiff::tz::TimeZone::system());
    let day = Day::ALL[usize::try_from(due.weekday().to_monday_zero_offset()).unwrap()];
    let time = TimeOfDay { hour: due.hour().try_into().unwrap(), minute: due.minute().try_into().unwrap() };
    let plan = BackupPlan {
        since: Millis((Timestamp::now() - 2.hours()).as_millisecond()),
        schedule: Schedule { days: vec![day], times: vec![time], skip_missed: false },
        ..plan
    };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    plan
}

/// A runner with the keyring of the window, which nobody stops.
pub(crate) fn runner_of(app: &TestApp) -> PlanRunner {
    runner_with(app, app.vault.clone(), watch::channel(false).1)
}

fn runner_with(app: &TestApp, vault: Arc<dyn SecretStore>, stop: watch::Receiver<bool>) -> PlanRunner {
    runner(app, Policy::default(), vault, stop)
}

fn runner_under(app: &TestApp, policy: Policy) -> PlanRunner {
    runner(app, policy, app.vault.clone(), watch::channel(false).1)
}

fn runner(
    app: &TestApp,
    policy: Policy,
    vault: Arc<dyn SecretStore>,
    stop: watch::Receiver<bool>,
) -> PlanRunner {
    let held = DataFolder::take_for_runner(&app.steward.data_folder).unwrap();
    let runtime_folder = app.steward.data_folder.clone();
    let open = move || {
        let (policy, desktop) = (policy.clone(), Arc::new(NoDesktop));
        Ok(Opening { policy, vault: vault.clone(), desktop, runtime_folder: runtime_folder.clone() })
    };
    PlanRunner::new(held, open, stop)
}

/// Starts the runner where the scheduler does, without a network. A request for a plan that is gone ends it where it would wait
/// before its next attempt.
pub(crate) async fn start_without_network(app: &TestApp) -> u8 {
    exchange::request_run(&app.steward.data_folder, &PlanId("gone".to_owned())).unwrap();
    runner_of(app).run_due_plans().await
}

/// Number of runs whose begin and end the audit trail tells of.
pub(crate) async fn runs_in_trail(app: &TestApp) -> (usize, usize) {
    let history = &app.steward.context.history;
    let entries = history.journal(|journal| journal.entries_after(None, 10_000)).await.unwrap().entries;
    let of = |kind: &str| entries.iter().filter(|entry| entry.envelope.contains(kind)).count();
    (of("\"run.started\""), of("\"run.ended\""))
}

/// Saves a plan that keeps its last set, runs it twice, and deletes it.
pub(crate) async fn a_set_is_replaced(app: &TestApp) {
    let plan =
        BackupPlan { keep: KeepRules { last: Some(1), ..KeepRules::default() }, ..due_plan(app).await };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    for _ in 0..2 {
        assert_eq!(runner_of(app).run_plan(&plan.id).await, WELL, "{:?}", progress_of(app));
    }
    // What the window read before is what it writes.
    let window = SavedPlans::open(&app.steward.data_folder);
    window.delete(&app.steward.context, &plan.id).await.unwrap();
}

pub(crate) fn progress_of(app: &TestApp) -> RunnerState {
    store::progress(&app.steward.data_folder).get()
}

fn content(folder: &Path, names: &[&str]) -> Vec<Option<Vec<u8>>> {
    names.iter().map(|name| std::fs::read(folder.join(name)).ok()).collect()
}

#[tokio::test]
async fn a_due_plan_runs_beside_the_open_window_and_writes_none_of_its_files() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let of_window = ["sites.json", "preferences.json", "checked-facts.json", "plans.json", "uploads.json"];
    let before = content(&app.steward.data_folder, &of_window);

    let code = runner_of(&app).run_due_plans().await;

    assert_eq!(code, WELL, "{:?}", progress_of(&app));
    assert_eq!(content(&app.steward.data_folder, &of_window), before);
    let progress = progress_of(&app);
    let of_plan = &progress.plans[&plan.id];
    assert!(progress.last_start.is_some() && of_plan.verified.is_some());
    assert_eq!(of_plan.last.as_ref().unwrap().verdict, Verdict::AsExpected);
    let exports = app.history().await.into_iter().filter(|entry| entry.outcome == Outcome::Succeeded);
    assert!(exports.count() >= 2, "the window has the records of the runner");

    assert_eq!(runner_of(&app).run_due_plans().await, WELL);
    assert_eq!(sets_in(&plan.folder).len(), 1, "it is not due again");
}

/// A log server that the audit trail is forwarded to.
async fn forwarding_to(app: &TestApp) -> LogReceiver {
    let certificates = LogCertificates::make(&app.folder("log server")).unwrap();
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    let log_server = LogServer {
        host: "127.0.0.1".to_owned(),
        port: server.port(),
        ca_certificate: certificates.authority.display().to_string(),
        client_certificate: certificates.client.display().to_string(),
    };
    let Steward { forwarding, preferences, context, .. } = &app.steward;
    forwarding.save(preferences, context, &log_server, None).await.unwrap();
    server
}

#[tokio::test]
async fn the_runner_forwards_what_its_runs_added_to_the_audit_trail_while_no_window_is_open() {
    let app = TestApp::new().await;
    due_plan(&app).await;
    let server = forwarding_to(&app).await;
    let Steward { forwarding, preferences, context, .. } = &app.steward;

    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));

    assert!(server.messages().iter().any(|message| message.contains(" run.ended ")));
    let view = forwarding.view(preferences, &context.history).await.unwrap();
    assert_eq!(view.waiting, 0, "the window knows what the runner forwarded: {view:?}");
    let sent = server.messages().len();
    assert_eq!(runner_of(&app).run_due_plans().await, WELL);
    assert_eq!(server.messages().len(), sent, "nothing is due, and nothing is sent");
}

#[tokio::test]
async fn folders_with_the_names_of_requests_keep_no_plan_from_its_run_and_no_entry_from_the_log_server() {
    let app = TestApp::new().await;
    due_plan(&app).await;
    let server = forwarding_to(&app).await;
    for name in ["stop", "forward", "nightly.request"] {
        std::fs::create_dir_all(app.steward.data_folder.join("plan-run").join(name)).unwrap();
    }

    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));

    let Steward { forwarding, preferences, context, .. } = &app.steward;
    let view = forwarding.view(preferences, &context.history).await.unwrap();
    assert_eq!(view.waiting, 0, "{view:?}");
    assert!(server.messages().iter().any(|message| message.contains(" run.ended ")));
}

#[tokio::test]
async fn a_log_server_that_does_not_answer_changes_nothing_of_a_run() {
    let app = TestApp::new().await;
    due_plan(&app).await;
    let closed = steward_testkit::ClosedPort::new();
    let port = closed.address().port();
    let log_server = LogServer { host: "127.0.0.1".to_owned(), port, ..LogServer::default() };
    let Steward { forwarding, preferences, context, .. } = &app.steward;
    forwarding.save(preferences, context, &log_server, None).await.unwrap();

    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));

    let entries =
        context.history.journal(|journal| journal.entries_after(None, 10_000)).await.unwrap().entries;
    assert!(entries.iter().any(|entry| entry.envelope.contains("forwarding.failing")));
}

#[tokio::test]
async fn what_a_log_server_did_not_get_at_night_is_forwarded_by_a_later_start_with_nothing_due() {
    let required = Policy { forwarding: Some(ForwardingRule::Required), ..Policy::default() };
    for policy in [Policy::default(), required] {
        let app = TestApp::new().await;
        let certificates = LogCertificates::make(&app.folder("log server")).unwrap();
        let server = LogReceiver::start(certificates.config()).await.unwrap();
        due_plan(&app).await;
        let log_server = LogServer {
            host: "127.0.0.1".to_owned(),
            port: server.port(),
            ca_certificate: certificates.authority.display().to_string(),
            client_certificate: certificates.client.display().to_string(),
        };
        let Steward { forwarding, preferences, context, .. } = &app.steward;
        forwarding.save(preferences, context, &log_server, None).await.unwrap();
        let start = async || runner_under(&app, policy.clone()).run_due_plans().await;
        let failures = async || {
            let read = context.history.journal(|journal| journal.entries_after(None, 10_000)).await.unwrap();
            read.entries.iter().filter(|entry| entry.envelope.contains("forwarding.failing")).count()
        };
        let note = app.steward.data_folder.join("plan-run/forward");
        let an_hour_passes = || {
            let an_hour_ago = SystemTime::now() - Duration::from_secs(60 * 60);
            std::fs::File::open(&note).unwrap().set_modified(an_hour_ago).unwrap();
        };
        server.set(Reading::Nothing);

        assert_eq!(start().await, WELL, "{:?}", progress_of(&app));
        an_hour_passes();
        assert_eq!(start().await, WELL);
        assert_eq!((server.messages(), failures().await), (Vec::new(), 1), "it is told once");

        server.set(Reading::Whole);
        assert_eq!(start().await, WELL);
        assert_eq!(server.messages(), Vec::<String>::new(), "not each minute");
        an_hour_passes();
        assert_eq!(start().await, WELL);

        assert!(server.messages().iter().any(|message| message.contains(" run.ended ")));
        let view = forwarding.view(preferences, &context.history).await.unwrap();
        assert_eq!((view.waiting, note.exists()), (0, false), "{view:?}");
    }
}

#[tokio::test]
async fn a_certificate_that_changed_is_told_at_once_as_not_trusted_and_is_not_repeated() {
    let mut app = TestApp::signed_out().await;
    let site = encrypted(&app).await;
    let (user, address) = (site.ready().users[0].clone(), site.ready().portal.clone());
    let context = &app.steward.context;
    let saved = sites::save(context, &SiteForm::of("Encrypted", &address, "")).await.unwrap();
    let password = Secret::new(user.password.clone());
    let refused = sign_in_as(context, &saved.id, &user.username, &password).await;
    let Err(Problem::Certificate { certificate, .. }) = refused else { panic!("it is trusted") };
    let origin = certificate.origin.unwrap();
    let certificate = TrustedCertificateView { origin, fingerprint: certificate.fingerprint };
    sites::trust(context, &saved.id, &certificate).await.unwrap();
    sign_in_as(context, &saved.id, &user.username, &password).await.unwrap();
    context.access.keep_password(&saved.id, &user.username, &password).await.unwrap();
    app.site = saved.id;
    let portal =
        PlanPart::Portal { location: app.folder("portal").display().to_string(), seen_at: None, store: None };
    let due = save_due_plan(&app, BackupPlan { parts: vec![portal], ..plan_of(&app) });
    site.stop().await;
    std::fs::remove_dir_all(app.folder("encrypted").join("certificate")).unwrap();
    let port = url::Url::parse(&address).unwrap().port().unwrap();
    let _changed = encrypted_at(&app, port).await;

    let begun = std::time::Instant::now();
    let (code, shown) = crate::alerts::start(&app, Policy::default()).await;

    // The pauses between repetitions add up to half an hour.
    assert!(begun.elapsed() < Duration::from_mins(20), "it is not repeated by the same start");
    assert_eq!((code, shown.len()), (FAILED, 1), "{shown:?}");
    let progress = progress_of(&app);
    let last = progress.plans[&due.id].last.as_ref().unwrap();
    assert_eq!((last.verdict, last.fault), (Verdict::Failed, Some(PartFault::NotTrusted)), "{last:?}");
}

#[tokio::test]
async fn a_set_has_the_time_of_the_schedule_that_it_was_run_for_and_none_if_a_user_ran_the_plan() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;

    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));
    let [by_schedule] = &read_sets_in(&plan.folder)[..] else { panic!("one set") };
    assert!(
        by_schedule.scheduled.is_some_and(|scheduled| scheduled < by_schedule.started),
        "{by_schedule:?}"
    );

    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL);
    let by_user: Vec<_> =
        read_sets_in(&plan.folder).into_iter().filter(|set| set.started != by_schedule.started).collect();
    assert_eq!(by_user.iter().map(|set| set.scheduled).collect::<Vec<_>>(), [None]);
}

#[tokio::test]
async fn a_set_has_the_account_of_its_exports_as_long_as_the_history_has_them() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));
    let [name] = &sets_in(&plan.folder)[..] else { panic!("one set") };
    let accounts = async || set_trail::of(&app.steward.context, &plan, name).await.unwrap().accounts;

    assert_eq!(accounts().await, [app.user("administrator").username.clone()]);

    // As if another computer had made the exports.
    let folder = plan.folder.join(name);
    let mut set = BackupSet::read(&folder).unwrap();
    for part in &mut set.parts {
        part.record = part.record.as_ref().map(|_| RecordId("elsewhere".to_owned()));
    }
    set.write(&folder).unwrap();
    assert_eq!(accounts().await, [""; 0]);
}

fn read_sets_in(folder: &Path) -> Vec<BackupSet> {
    sets_in(folder).into_iter().map(|name| BackupSet::read(&folder.join(name)).unwrap()).collect()
}

/// Records of runs, newest first.
async fn runs_of(app: &TestApp) -> Vec<StoredRecord> {
    app.history().await.into_iter().filter(|entry| entry.intent.operation == "run_plan").collect()
}

#[tokio::test]
async fn what_a_site_warned_of_stands_in_the_set_and_in_the_outcome_of_the_run_which_is_as_expected() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let body = r#"{"status":"success","location":"/b/a.portalsite","itemsSkipped":2,"took":"7 min"}"#;
    let _way = app.with_fault_after_the_check(answer(body)).await;

    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL, "{:?}", progress_of(&app));

    let [set] = &read_sets_in(&plan.folder)[..] else { panic!("one set") };
    let [of_portal, of_server] = &set.parts[..] else { panic!("{set:?}") };
    assert_eq!(of_portal.warnings, Some(vec!["itemsSkipped: 2".to_owned()]));
    assert_eq!((&of_server.warnings, &of_server.state), (&None, &PartState::VerifiedHere));
    assert_eq!(set.verdict(), Verdict::AsExpected, "the export is there");
    assert_eq!(runs_of(&app).await[0].outcome, Outcome::Warnings);
}

#[tokio::test]
async fn a_run_has_a_record_with_its_duration_that_names_those_of_its_parts() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;

    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));

    let [run] = &runs_of(&app).await[..] else { panic!("one run") };
    assert_eq!(run.outcome, Outcome::Succeeded);
    assert!(run.intent.parameters.contains(&("plan".to_owned(), plan.name.clone())), "{run:?}");
    let exports: Vec<_> = app
        .history()
        .await
        .into_iter()
        .filter(|entry| entry.intent.operation.starts_with("export"))
        .collect();
    let named: Vec<_> = run.facts.run_parts.iter().filter_map(|part| part.record.clone()).collect();
    assert_eq!(named, exports.iter().rev().map(|export| export.id.clone()).collect::<Vec<_>>());
    assert!(run.facts.run_parts.iter().all(|part| part.is_as_expected), "{run:?}");
    let of_exports: i64 = exports.iter().map(|export| export.elapsed.unwrap()).sum();
    assert!(run.elapsed.unwrap() >= of_exports, "it contains the exports: {run:?}");
    let [set] = &sets_in(&plan.folder)[..] else { panic!("one set") };
    assert!(run.note.ends_with(set.as_str()), "{run:?}");
}

#[tokio::test]
async fn a_run_whose_part_fails_says_which_and_why_in_its_record() {
    let app = TestApp::new().await;
    due_plan(&app).await;
    let _way = app.with_fault("/download", Fault::FlippedAt(600)).await;

    assert_eq!(runner_of(&app).run_due_plans().await, FAILED);

    let [run] = &runs_of(&app).await[..] else { panic!("one run") };
    assert_eq!(run.outcome, Outcome::Failed);
    let parts: Vec<_> = run.facts.run_parts.iter().map(|part| part.is_as_expected).collect();
    assert_eq!(parts, [true, false]);
}

#[tokio::test]
async fn an_export_of_a_plan_and_an_operation_of_the_window_never_meet() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let site = app.current(&app.sites().get(&app.site).unwrap());
    let begin = |name: &str| {
        let id = RunId(name.to_owned());
        app.steward.context.runs.begin(id, &site, OperationKey::ImportServer, None, RunStep::Waiting)
    };

    // First the window.
    let import = begin("import").unwrap();
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, NOT_NOW);
    assert!(!app.history().await.iter().any(|entry| entry.intent.operation.starts_with("export")));
    drop(import);

    // First the runner. It reads the saved sites when it begins.
    let _silent = app.with_fault("/exportSite", Fault::Silence).await;
    let runner = runner_of(&app);
    let running = runner.run_plan(&plan.id);
    let trying = async {
        until("the export holds the site", async || begin("import").is_err()).await;
        for attempt in 0..20 {
            let refused = begin(&format!("import {attempt}")).err();
            let Some(Problem::Busy { operation, .. }) = refused else { panic!("{refused:?}") };
            assert_eq!(operation, OperationKey::ExportPortal);
        }
    };
    tokio::select! {
        code = running => panic!("it ended with {code} although nothing responds"),
        () = trying => {}
    }
    drop(runner);
    assert!(begin("import").is_ok(), "the lock ends with the runner");
}

#[tokio::test]
async fn what_a_runner_left_open_is_unknown_once_no_runner_is_there() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    // Of a portal, the destination is checked first, which leaves no record.
    store::plans(&app.steward.data_folder).change(|plans| {
        plans[0].parts.retain(|part| matches!(part, PlanPart::Server { .. }));
    });
    let _silent = app.with_fault("/exportSite", Fault::Silence).await;
    let runner = runner_of(&app);
    let is_sent =
        |entry: &StoredRecord| entry.outcome == Outcome::Sent && entry.intent.operation == "export_server";
    let open = async || app.history().await.iter().any(is_sent);
    tokio::select! {
        code = runner.run_plan(&plan.id) => panic!("it ended with {code} although nothing responds"),
        () = until("the export was sent", open) => {}
    }

    // The window starts again while the runner is still there, and after it was killed.
    let app = app.restarted();
    let in_runner = async |app: &TestApp| {
        let page = page_of(&app.steward.context.history, HistorySearch::default(), None, 10).await.unwrap();
        let waiting = page.entries.into_iter().filter(|entry| entry.is_in_runner);
        waiting.map(|entry| (entry.operation.name(), entry.id)).collect::<Vec<_>>()
    };
    let waiting = in_runner(&app).await;
    let names: Vec<_> = waiting.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["export_server", "run_plan"], "both go on");
    let by_user = resolve(&app.steward.context, waiting[0].1.clone(), Outcome::Failed, "").await;
    let Err(Problem::PreconditionFailed { .. }) = by_user else { panic!("{by_user:?}") };
    drop(runner);
    assert_eq!(in_runner(&app).await, [], "nobody waits any more");
    let app = app.restarted();
    let outcomes: Vec<_> = app.history().await.into_iter().map(|entry| entry.outcome).collect();
    assert!(outcomes.contains(&Outcome::Unknown) && !outcomes.contains(&Outcome::Sent), "{outcomes:?}");
}

#[tokio::test]
async fn a_rule_that_was_changed_during_a_run_is_the_one_that_removes_sets() {
    let app = TestApp::new().await;
    let keep = KeepRules { last: Some(1), ..KeepRules::default() };
    let plan = BackupPlan { keep, ..due_plan(&app).await };
    let plans = store::plans(&app.steward.data_folder);
    plans.change(|plans| *plans = vec![BackupPlan { keep: KeepRules::default(), ..plan.clone() }]);
    for _ in 0..2 {
        assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL);
    }
    plans.change(|plans| *plans = vec![plan.clone()]);
    let gate = Arc::new(Notify::new());
    let way = app.with_fault("/exportSite", Fault::HeldUntil(gate.clone())).await;
    let runner = runner_of(&app);
    let person = async {
        until("the export", async || way.met() > 0).await;
        plans.change(|plans| plans[0].keep = KeepRules::default());
        loop {
            gate.notify_one();
            tokio::task::yield_now().await;
        }
    };

    let code = tokio::select! {
        code = runner.run_plan(&plan.id) => code,
        () = person => unreachable!("it goes on"),
    };

    assert_eq!((code, sets_in(&plan.folder).len()), (WELL, 3));
}

#[tokio::test]
async fn a_server_that_fails_each_night_leaves_no_more_sets_than_the_rules_keep() {
    let app = TestApp::new().await;
    let due = due_plan(&app).await;
    let PlanPart::Portal { location, .. } = due.parts[0].clone() else { panic!("the portal") };
    // Its file is never where the plan looks for it.
    let failing = PlanPart::Portal { location, seen_at: Some(app.folder("elsewhere")), store: None };
    let keep = KeepRules { last: Some(1), ..KeepRules::default() };
    let plan = BackupPlan { parts: vec![failing, due.parts[1].clone()], keep, ..due };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);

    for _ in 0..3 {
        assert_eq!(runner_of(&app).run_plan(&plan.id).await, FAILED);
    }

    assert_eq!(sets_in(&plan.folder).len(), 1, "{:?}", sets_in(&plan.folder));
}

/// A network drive that is not connected, whose folder is on the local disk then.
#[tokio::test]
async fn a_plan_does_not_run_into_an_empty_mount_point_in_place_of_its_folder() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL);
    let away = app.folder("drive").join("away");
    std::fs::rename(&plan.folder, &away).unwrap();
    std::fs::create_dir(&plan.folder).unwrap();

    assert_eq!(runner_of(&app).run_plan(&plan.id).await, FAILED);

    assert_eq!(sets_in(&plan.folder), [""; 0]);
    let refused = progress_of(&app).plans[&plan.id].last.clone().unwrap().refused;
    let fault = Some(FolderFault::NotMarked);
    assert_eq!(refused.map(|line| line.about), Some(LineAbout::Folder { fault }));

    std::fs::remove_dir(&plan.folder).unwrap();
    std::fs::rename(&away, &plan.folder).unwrap();
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL);
    assert_eq!(sets_in(&plan.folder).len(), 2);
}

#[tokio::test]
async fn a_part_that_begins_after_a_sign_out_in_the_window_is_not_exported() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let gate = Arc::new(Notify::new());
    let way = app.with_fault("/exportSite", Fault::HeldUntil(gate.clone())).await;
    let runner = runner_of(&app);
    let person = async {
        until("the export", async || way.met() > 0).await;
        leave(&app.steward.context, &app.site).await.unwrap();
        loop {
            gate.notify_one();
            tokio::task::yield_now().await;
        }
    };

    let code = tokio::select! {
        code = runner.run_plan(&plan.id) => code,
        () = person => unreachable!("it goes on"),
    };

    assert_eq!(code, FAILED);
    let [set] = &sets_in(&plan.folder)[..] else { panic!("one set") };
    let second = BackupSet::read(&plan.folder.join(set)).unwrap().parts.remove(1);
    assert!(matches!(second.state, PartState::Failed { fault: PartFault::SignIn, .. }), "{second:?}");
}

#[tokio::test]
async fn a_run_without_a_network_leaves_no_set_and_is_repeated() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    app.go_through("127.0.0.1:9");

    assert_eq!(start_without_network(&app).await, FAILED);

    let of_plan = progress_of(&app).plans[&plan.id].clone();
    assert_eq!(of_plan.repeat, Some(of_plan.handled));
    assert_eq!(sets_in(&plan.folder), [""; 0]);
    let last = of_plan.last.unwrap();
    assert!(last.folder.is_none() && !last.note.is_empty(), "{last:?}");
    // The next start repeats it, in vain too.
    assert_eq!(start_without_network(&app).await, FAILED);
    let [run] = &runs_of(&app).await[..] else { panic!("one record, however often it is repeated") };
    assert_eq!((run.outcome, run.note.is_empty()), (Outcome::Failed, false));
    assert_eq!(runs_in_trail(&app).await, (1, 1));
    // A user who asks for it repeats nothing.
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, FAILED);
    assert_eq!(runs_of(&app).await.len(), 2);

    app.go_through(app.practice_address());
    assert_eq!(runner_of(&app).run_due_plans().await, WELL);
    assert_eq!(runs_of(&app).await[0].outcome, Outcome::Succeeded);
    assert_eq!(progress_of(&app).plans[&plan.id].repeat, None);
}

#[tokio::test]
async fn a_refused_plan_that_is_repeated_at_each_start_has_one_record_until_it_runs() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let away = plan.folder.with_extension("away");
    std::fs::rename(&plan.folder, &away).unwrap();

    for _ in 0..3 {
        assert_eq!(runner_of(&app).run_due_plans().await, FAILED);
    }

    assert_eq!(progress_of(&app).plans[&plan.id].last.as_ref().unwrap().fault, Some(PartFault::Disk));
    let [run] = &runs_of(&app).await[..] else { panic!("one record, however often it is repeated") };
    assert_eq!((run.outcome, runs_in_trail(&app).await), (Outcome::Failed, (1, 1)));

    std::fs::rename(&away, &plan.folder).unwrap();
    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));
    assert_eq!((runs_of(&app).await[0].outcome, runs_in_trail(&app).await), (Outcome::Succeeded, (2, 2)));
}

#[tokio::test]
async fn a_repetition_that_is_killed_while_it_exports_is_in_the_history() {
    let app = TestApp::new().await;
    due_plan(&app).await;
    app.go_through("127.0.0.1:9");
    assert_eq!(start_without_network(&app).await, FAILED);
    app.go_through(app.practice_address());
    let way = app.with_fault("/exportSite", Fault::Silence).await;

    let runner = runner_of(&app);
    tokio::select! {
        code = runner.run_due_plans() => panic!("it ended with {code} although nothing responds"),
        () = until("the first request of an export", async || way.met() > 0) => {}
    }
    let open: Vec<_> = runs_of(&app).await.into_iter().map(|run| run.outcome).collect();
    assert_eq!(open, [Outcome::Sent, Outcome::Failed]);
    drop(runner);

    let app = app.restarted();
    let outcomes: Vec<_> = runs_of(&app).await.into_iter().map(|run| run.outcome).collect();
    assert_eq!(outcomes, [Outcome::Unknown, Outcome::Failed]);
}

#[tokio::test]
async fn a_plan_whose_keyring_was_locked_runs_at_the_first_start_after_the_unlock() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    for _ in 0..2 {
        let runner = runner_with(&app, Arc::new(Locked), watch::channel(false).1);
        assert_eq!(runner.run_due_plans().await, FAILED);
    }
    let of_plan = progress_of(&app).plans[&plan.id].clone();
    assert_eq!(of_plan.repeat, Some(of_plan.handled));
    assert_eq!((of_plan.last.unwrap().fault, sets_in(&plan.folder).len()), (Some(PartFault::Keyring), 0));
    assert_eq!(runs_of(&app).await.len(), 1);

    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));
}

#[tokio::test]
async fn a_plan_that_is_not_saved_is_invalid_and_a_second_runner_does_not_start() {
    let app = TestApp::new().await;
    let runner = runner_of(&app);
    assert_eq!(runner.run_plan(&PlanId("gone".to_owned())).await, INVALID);
    let second = DataFolder::take_for_runner(&app.steward.data_folder);
    assert!(matches!(second, Err(DataFolderError::InUse { .. })));
}

#[tokio::test]
async fn a_plan_whose_session_nothing_renews_does_not_begin_and_runs_once_the_password_is_saved() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    app.vault.forget(&format!("{}/password", app.site.0)).await.unwrap();
    let way = app.with_fault("/", Fault::AnswerLost).await;

    assert_eq!(runner_of(&app).run_due_plans().await, FAILED);

    assert_eq!((way.met(), sets_in(&plan.folder).len()), (0, 0), "nothing was sent");
    let of_plan = progress_of(&app).plans[&plan.id].clone();
    let last = of_plan.last.unwrap();
    assert_eq!(last.fault, Some(PartFault::SignIn));
    let line = last.refused.unwrap();
    assert!(
        matches!(&line.about, LineAbout::Session { session: PlanSession::BareToken { .. }, .. }),
        "{line:?}"
    );
    let window = SavedPlans::open(&app.steward.data_folder);
    let list = window.list(&app.steward.context, &app.site).await.unwrap().plans;
    let reason = NeedsYou::NotAccepted { line: Box::new(line) };
    assert_eq!(list[0].state, PlanState::NeedsYou { since: last.at, reason });

    let app = app.without_fault(way);
    app.save_password().await;
    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));
}

#[tokio::test]
async fn a_paused_plan_that_a_user_runs_needs_no_saved_password() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    app.vault.forget(&format!("{}/password", app.site.0)).await.unwrap();
    store::plans(&app.steward.data_folder).change(|plans| plans[0].is_enabled = false);
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL, "{:?}", progress_of(&app));
}

#[tokio::test]
async fn a_session_that_ends_soon_asks_for_a_sign_in_until_a_user_signed_in_again() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let refresh_token_of = async |days: i64| {
        let ends = Millis::now().0 + days * 24 * 60 * 60 * 1000;
        let kept = app.kept("portal").await.unwrap();
        let mut token: serde_json::Value = serde_json::from_str(&kept).unwrap();
        token["refresh"] = serde_json::json!({
            "token": "r", "client_id": "c", "redirect_uri": "http://127.0.0.1/", "expires_at": ends, "life": null,
        });
        let name = format!("{}/portal", app.site.0);
        app.vault.set(&name, Secret::new(token.to_string())).await.unwrap();
        Millis(ends)
    };
    let state = async || {
        let window = SavedPlans::open(&app.steward.data_folder);
        window.list(&app.steward.context, &app.site).await.unwrap().plans.remove(0).state
    };
    let ends = refresh_token_of(5).await;
    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));
    let last = progress_of(&app).plans[&plan.id].clone().last.unwrap();
    let end = SessionEnd { server: None, ends };
    assert_eq!(last.session_end.as_ref(), Some(&end));
    let found = state().await;
    assert!(
        matches!(&found, PlanState::NeedsYou { reason: NeedsYou::SessionEnds { end: found }, .. } if *found == end),
        "{found:?}"
    );

    refresh_token_of(14).await;
    assert_eq!(state().await, PlanState::Verified { at: last.at }, "no run was needed to see it");
}

#[tokio::test]
async fn a_run_that_a_user_asks_for_while_another_one_runs_or_is_told_begins_in_the_same_process() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let gate = Arc::new(Notify::new());
    let way = app.with_fault("/exportSite", Fault::HeldUntil(gate.clone())).await;
    let runner = runner_of(&app);
    let user = async {
        until("the export", async || way.met() > 0).await;
        exchange::request_run(&app.steward.data_folder, &plan.id).unwrap();
        loop {
            gate.notify_one();
            tokio::task::yield_now().await;
        }
    };
    let code = tokio::select! {
        code = runner.run_plan(&plan.id) => code,
        () = user => unreachable!("it goes on"),
    };
    assert_eq!(code, WELL);
    assert_eq!(sets_in(&plan.folder).len(), 2, "that of an administrator, and that of the window");
    drop(runner);
    let app = app.without_fault(way);

    // A log server that takes the connection and does not answer.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let log_server = LogServer { host: "127.0.0.1".to_owned(), port, ..LogServer::default() };
    let Steward { forwarding, preferences, context, .. } = &app.steward;
    forwarding.save(preferences, context, &log_server, None).await.unwrap();
    let asking = async {
        let _unanswered = silent.accept().await.unwrap();
        exchange::request_run(&app.steward.data_folder, &plan.id).unwrap();
        loop {
            drop(silent.accept().await.unwrap());
        }
    };
    let runner = runner_of(&app);
    let code = tokio::select! {
        code = runner.run_due_plans() => code,
        () = asking => unreachable!("it listens"),
    };

    assert_eq!(code, WELL, "{:?}", progress_of(&app));
    assert_eq!(sets_in(&plan.folder).len(), 4, "the one that was due, and the one that was asked for");
}

/// The computer was off at the time of the plans, and a user asks for them while they run one after the other.
#[tokio::test]
async fn a_plan_that_a_user_asked_for_before_its_turn_runs_once_and_one_asked_for_afterwards_again() {
    let app = TestApp::new().await;
    let due = due_plan(&app).await;
    let parts: Vec<_> =
        due.parts.iter().filter(|part| matches!(part, PlanPart::Server { .. })).cloned().collect();
    let plans = ["first", "second", "third"].map(|name| BackupPlan {
        id: PlanId(name.to_owned()),
        name: name.to_owned(),
        folder: app.folder(name),
        parts: parts.clone(),
        ..due.clone()
    });
    store::plans(&app.steward.data_folder).change(|saved| *saved = plans.to_vec());
    for plan in &plans {
        exchange::request_run(&app.steward.data_folder, &plan.id).unwrap();
    }
    let gate = Arc::new(Notify::new());
    let way = app.with_fault("/exportSite", Fault::HeldUntil(gate.clone())).await;
    let runner = runner_of(&app);
    let user = async {
        until("the first plan has run", async || {
            gate.notify_one();
            progress_of(&app).plans.get(&plans[0].id).is_some_and(|first| first.last.is_some())
        })
        .await;
        until("another one runs", async || way.met() > 1).await;
        exchange::request_run(&app.steward.data_folder, &plans[0].id).unwrap();
        loop {
            gate.notify_one();
            tokio::task::yield_now().await;
        }
    };

    let code = tokio::select! {
        code = runner.run_due_plans() => code,
        () = user => unreachable!("it goes on"),
    };

    assert_eq!(code, WELL, "{:?}", progress_of(&app));
    assert_eq!(plans.each_ref().map(|plan| sets_in(&plan.folder).len()), [2, 1, 1]);
}

/// Runs the due plans, and lets a user do something from the first export on. Each export waits until it is let through.
async fn run_while(app: &TestApp, user: impl AsyncFnOnce(&Notify)) -> u8 {
    let gate = Arc::new(Notify::new());
    let way = app.with_fault("/exportSite", Fault::HeldUntil(gate.clone())).await;
    let runner = runner_of(app);
    let meanwhile = async {
        until("the export", async || way.met() > 0).await;
        Box::pin(user(&gate)).await;
        loop {
            gate.notify_one();
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        code = runner.run_due_plans() => code,
        () = meanwhile => unreachable!("it goes on"),
    }
}

#[tokio::test]
async fn a_site_that_is_added_while_the_runner_works_is_backed_up_by_the_same_process() {
    let app = TestApp::new().await;
    due_plan(&app).await;
    let added = PlanId("added".to_owned());

    let code = run_while(&app, async |_| {
        let context = &app.steward.context;
        let form = SiteForm::of("Second", &app.practice.ready().portal, "");
        let site = sites::save(context, &form).await.unwrap();
        let user = app.user("administrator");
        let password = Secret::new(user.password.clone());
        sign_in_as(context, &site.id, &user.username, &password).await.unwrap();
        context.access.keep_password(&site.id, &user.username, &password).await.unwrap();
        let portal = plan_of(&app).parts.remove(0);
        let plan = BackupPlan { id: added.clone(), site: site.id, parts: vec![portal], ..plan_of(&app) };
        store::plans(&app.steward.data_folder).change(|plans| plans.push(plan));
        exchange::request_run(&app.steward.data_folder, &added).unwrap();
    })
    .await;

    assert_eq!(code, WELL, "{:?}", progress_of(&app).plans[&added].last);
}

#[tokio::test]
async fn a_user_who_signs_in_while_the_runner_works_can_run_the_plan_that_was_refused_before() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    leave(&app.steward.context, &app.site).await.unwrap();
    let log_server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = log_server.local_addr().unwrap().port();
    let at = LogServer { host: "127.0.0.1".to_owned(), port, ..LogServer::default() };
    let Steward { forwarding, preferences, context, .. } = &app.steward;
    forwarding.save(preferences, context, &at, None).await.unwrap();
    let last = || progress_of(&app).plans[&plan.id].last.clone().unwrap();
    let user = async {
        let _unanswered = log_server.accept().await.unwrap();
        assert_eq!(last().fault, Some(PartFault::SignIn));
        app.sign_in("administrator").await.unwrap();
        app.save_password().await;
        exchange::request_run(&app.steward.data_folder, &plan.id).unwrap();
        loop {
            drop(log_server.accept().await.unwrap());
        }
    };

    let runner = runner_of(&app);
    tokio::select! {
        _ = runner.run_due_plans() => {}
        () = user => unreachable!("it listens"),
    }

    assert_eq!(last().verdict, Verdict::AsExpected, "{:?}", last());
}

#[tokio::test]
async fn a_folder_that_is_absent_for_a_night_is_told_as_that_and_runs_once_it_is_back_also_under_a_policy() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let policy = Policy { plans_folder: Some(app.folder("")), ..Policy::default() };
    let away = app.folder("away").join("share");
    std::fs::rename(&plan.folder, &away).unwrap();

    assert_eq!(runner_under(&app, policy.clone()).run_due_plans().await, FAILED);

    let of_plan = progress_of(&app).plans[&plan.id].clone();
    let about = of_plan.last.unwrap().refused.map(|line| line.about);
    assert_eq!(about, Some(LineAbout::Folder { fault: Some(FolderFault::Missing) }));
    assert_eq!(of_plan.repeat, Some(of_plan.handled));
    std::fs::rename(&away, &plan.folder).unwrap();
    assert_eq!(runner_under(&app, policy).run_due_plans().await, WELL, "{:?}", progress_of(&app));
}
