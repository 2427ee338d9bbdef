//! Backup plans as the window saves and shows them, and their sets.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::Connection;
use steward_app::overview::{ConcernAbout, ConcernTone};
use steward_app::steward::Steward;
use steward_core::actions::sign_in::{leave, session};
use steward_core::files::data_folder::DataFolder;
use steward_core::files::dialogs::Title;
use steward_core::model::ids::{ServerId, Target};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{FieldError, Problem};
use steward_journal::Workstation;
use steward_plans::acceptance_line::{
    AcceptanceLine, FolderFault, LineAbout, LineState, PlanSession, Remedy,
};
use steward_plans::attempt;
use steward_plans::form::PlanForm;
use steward_plans::mark::Marked;
use steward_plans::plan::{BackupPlan, PlanPart};
use steward_plans::process::{FAILED, WELL};
use steward_plans::schedule::{Day, Schedule, TimeOfDay};
use steward_plans::set::{BackupSet, PartState, Verdict};
use steward_plans::set_contents::{self, PartInventory};
use steward_plans::sets;
use steward_plans::state::{NeedsYou, PlanState};
use steward_plans::store::{self, LastRun, PlanProgress};
use steward_vault::{Secret, SecretStore as _};
use tokio::sync::watch;

use crate::backup_plans::plan_of;
use crate::plan_process::{progress_of, runner_of};
use crate::test_app::{TestApp, sets_in};

/// A form of a new plan, every night, whose folder the user chose, and which runs without a user.
pub(crate) async fn form(app: &TestApp) -> PlanForm {
    app.save_password().await;
    let plan = plan_of(app);
    let time = TimeOfDay { hour: 2, minute: 30 };
    let schedule = Schedule { days: Day::ALL.to_vec(), times: vec![time], skip_missed: false };
    app.dialogs.will_choose(&plan.folder);
    app.steward.dialogs.choose_folder(Title::ChooseFolder).await.unwrap();
    PlanForm { id: None, schedule, ..PlanForm::of(&plan) }
}

pub(crate) async fn save(app: &TestApp, form: &PlanForm) -> Result<BackupPlan, Problem> {
    let Steward { plans, context, preferences, dialogs, alerts, .. } = &app.steward;
    plans.save(context, &preferences.policy, &alerts.settings(), dialogs, form).await
}

#[tokio::test]
async fn a_plan_is_saved_only_if_it_is_complete_and_a_paused_one_can_be_finished_later() {
    let app = TestApp::new().await;
    let good = form(&app).await;
    let server = || good.parts[1].clone();
    let portal =
        |location: &str| PlanPart::Portal { location: location.to_owned(), seen_at: None, store: None };
    let stranger = PlanPart::Server { server: ServerId("stranger".to_owned()) };
    let at = |hour| vec![TimeOfDay { hour, minute: 0 }];
    for (form, field, fault) in [
        (PlanForm { name: " \u{200b}".to_owned(), ..good.clone() }, "name", FieldError::Required),
        (PlanForm { name: "n".repeat(61), ..good.clone() }, "name", FieldError::TooLong),
        (PlanForm { parts: Vec::new(), ..good.clone() }, "parts", FieldError::Required),
        (PlanForm { parts: vec![stranger], ..good.clone() }, "parts", FieldError::NotAllowed),
        (PlanForm { parts: vec![server(), server()], ..good.clone() }, "parts", FieldError::NotAllowed),
        (PlanForm { parts: vec![portal(" ")], ..good.clone() }, "parts.0.location", FieldError::Required),
        (PlanForm { folder: String::new(), ..good.clone() }, "folder", FieldError::Required),
        (PlanForm { folder: "/etc".to_owned(), ..good.clone() }, "folder", FieldError::NotChosen),
        (
            PlanForm {
                parts: vec![PlanPart::Portal {
                    location: "D:\\e".to_owned(),
                    seen_at: Some("/etc".into()),
                    store: None,
                }],
                ..good.clone()
            },
            "parts.0.seenAt",
            FieldError::NotChosen,
        ),
        (
            PlanForm { schedule: Schedule { days: Vec::new(), ..good.schedule.clone() }, ..good.clone() },
            "schedule.days",
            FieldError::Required,
        ),
        (
            PlanForm { schedule: Schedule { times: Vec::new(), ..good.schedule.clone() }, ..good.clone() },
            "schedule.times",
            FieldError::Required,
        ),
        (
            PlanForm { schedule: Schedule { times: at(24), ..good.schedule.clone() }, ..good.clone() },
            "schedule.times",
            FieldError::Required,
        ),
    ] {
        let problem = Problem::Form { field: field.to_owned(), fault };
        assert_eq!(save(&app, &form).await, Err(problem.clone()), "{:?}", form.parts);
        // What a paused plan lacks can be added later. A path that nobody chose cannot be read meanwhile.
        let paused = PlanForm { is_enabled: false, ..form };
        let is_about_now = field == "name" || fault == FieldError::NotChosen;
        assert_eq!(save(&app, &paused).await.err(), is_about_now.then_some(problem), "{:?}", paused.parts);
        for plan in app.steward.plans.all() {
            app.steward.plans.delete(&app.steward.context, &plan.id).await.unwrap();
        }
    }
    let saved = save(&app, &good).await.unwrap();
    assert_eq!(app.steward.plans.all(), std::slice::from_ref(&saved));
    let again = save(&app, &PlanForm { name: good.name.to_uppercase(), ..good.clone() }).await;
    assert_eq!(again, Err(Problem::Form { field: "name".to_owned(), fault: FieldError::NameTaken }));
    // Its own folder is in use, also after a restart.
    let app = app.restarted();
    save(&app, &PlanForm { name: "Nightly".to_owned(), ..PlanForm::of(&saved) }).await.unwrap();
}

#[tokio::test]
async fn a_paused_plan_says_since_when_and_by_whom_and_the_audit_trail_that_it_is() {
    let app = TestApp::new().await;
    let before = Millis::now();
    let enabled = save(&app, &form(&app).await).await.unwrap();
    assert_eq!(enabled.paused, None);

    let paused = save(&app, &PlanForm { is_enabled: false, ..PlanForm::of(&enabled) }).await.unwrap();

    let pause = paused.paused.clone().unwrap();
    assert!(pause.since >= before);
    assert_eq!(pause.by, Workstation::this().user);
    let renamed = PlanForm { name: "Another".to_owned(), ..PlanForm::of(&paused) };
    assert_eq!(save(&app, &renamed).await.unwrap().paused, Some(pause), "it is paused since then");
    let entries = app.steward.context.history.journal(|journal| journal.entries_after(None, 10_000)).await;
    let changes =
        entries.unwrap().entries.into_iter().filter(|one| one.envelope.contains("\"plan.changed\""));
    let told: Vec<serde_json::Value> =
        changes.map(|change| serde_json::from_str(&change.body.unwrap()).unwrap()).collect();
    let states: Vec<_> = told.iter().map(|body| body["isPaused"].as_bool()).collect();
    assert_eq!(states, [Some(false), Some(true), Some(true)]);
}

#[tokio::test]
async fn a_plan_that_needs_a_user_to_sign_in_is_saved_only_as_paused() {
    let app = TestApp::new().await;
    let good = form(&app).await;
    let lines = acceptance(&app, &good).await;
    let unmet: Vec<_> = lines.iter().filter(|line| line.state == LineState::NotMet).collect();
    assert!(unmet.is_empty(), "{unmet:?}");
    let sessions: Vec<_> =
        lines.iter().filter(|line| matches!(line.about, LineAbout::Session { .. })).collect();
    let parts = vec![None, app.server.server.clone()];
    let session = PlanSession::Password;
    let met =
        AcceptanceLine { state: LineState::Met, about: LineAbout::Session { parts, session }, remedy: None };
    assert_eq!(sessions, [&met], "the server is signed in through its portal");

    // The same sign-in, without the password.
    app.vault.forget(&format!("{}/password", app.site.0)).await.unwrap();
    let line = acceptance(&app, &good).await.remove(0);
    assert!(
        matches!(&line.about, LineAbout::Session { session: PlanSession::BareToken { .. }, .. }),
        "{line:?}"
    );
    assert_eq!((line.state, &line.remedy), (LineState::NotMet, &Some(Remedy::SignIn { server: None })));
    let refused = save(&app, &good).await;
    assert_eq!(refused, Err(Problem::PlanNotAccepted));
    assert_eq!(app.steward.plans.all(), []);
    let paused = save(&app, &PlanForm { is_enabled: false, ..good.clone() }).await.unwrap();

    leave(&app.steward.context, &app.site).await.unwrap();
    let line = acceptance(&app, &good).await.remove(0);
    assert!(matches!(&line.about, LineAbout::Session { session: PlanSession::SignedOut, .. }), "{line:?}");

    app.sign_in("administrator").await.unwrap();
    app.save_password().await;
    save(&app, &PlanForm { is_enabled: true, ..PlanForm::of(&paused) }).await.unwrap();
}

#[tokio::test]
async fn a_session_of_the_browser_is_accepted_until_its_refresh_token_ends() {
    let app = TestApp::signed_out().await;
    let with_refresh = async |hours: i64| {
        let ends = Millis::now().0 + hours * 60 * 60 * 1000;
        let refresh = format!(
            r#"{{"token":"r","client_id":"c","redirect_uri":"http://127.0.0.1/","expires_at":{ends},"life":null}}"#
        );
        let token = format!(r#"{{"token":"t","expires_at":null,"refresh":{refresh}}}"#);
        app.vault.set(&format!("{}/portal", app.site.0), Secret::new(token)).await.unwrap();
        let only_portal = PlanForm { parts: vec![form(&app).await.parts.remove(0)], ..form(&app).await };
        acceptance(&app, &only_portal).await.remove(0)
    };
    let states = [with_refresh(24 * 14).await, with_refresh(24 * 7).await, with_refresh(23).await];
    assert_eq!(states.map(|line| line.state), [LineState::Met, LineState::Warning, LineState::NotMet]);
}

#[tokio::test]
async fn a_stored_token_that_the_site_no_longer_accepts_needs_a_sign_in() {
    let app = TestApp::new().await;
    let form = PlanForm { folder: String::new(), ..form(&app).await };
    app.vault.forget(&format!("{}/password", app.site.0)).await.unwrap();
    let ended = Secret::new(r#"{"token":"ended","expires_at":null}"#.to_owned());
    app.vault.set(&format!("{}/portal", app.site.0), ended).await.unwrap();
    let app = app.restarted();
    let of_portal = async |app: &TestApp| acceptance(app, &form).await.remove(0).about;
    let bare = |about: &LineAbout| {
        matches!(about, LineAbout::Session { session: PlanSession::BareToken { .. }, .. })
    };
    let before = of_portal(&app).await;
    assert!(bare(&before), "nothing was sent yet: {before:?}");

    let portal = Target::portal(app.site.clone());
    assert!(session(&app.steward.context, &portal).await.unwrap().is_none(), "the site rejects the token");

    let checked = of_portal(&app).await;
    assert!(matches!(checked, LineAbout::Session { session: PlanSession::SignedOut, .. }), "{checked:?}");
    app.sign_in("administrator").await.unwrap();
    let again = of_portal(&app).await;
    assert!(bare(&again), "{again:?}");
}

#[tokio::test]
async fn a_folder_that_was_not_chosen_keeps_a_plan_from_running() {
    let app = TestApp::new().await;
    let form = PlanForm { folder: String::new(), ..form(&app).await };
    let lines = acceptance(&app, &form).await;
    let line = lines.into_iter().find(|line| line.state == LineState::NotMet);
    let about = LineAbout::Folder { fault: Some(FolderFault::NotChosen) };
    let remedy = Some(Remedy::ChooseFolder);
    assert_eq!(line, Some(AcceptanceLine { state: LineState::NotMet, about, remedy }));
}

#[tokio::test]
async fn a_server_that_was_never_reached_by_the_portal_is_not_known_and_keeps_no_plan_from_being_saved() {
    let app = TestApp::new().await;
    let second = {
        let mut site = app.sites().get(&app.site).unwrap();
        let mut server = site.servers[0].clone();
        (server.id, server.name) = (ServerId("second".to_owned()), "second".to_owned());
        server.address = "https://second.example.org/server".parse().unwrap();
        server.services_url = None;
        site.servers.push(server.clone());
        app.sites().put(site).unwrap();
        server.id
    };
    let good = form(&app).await;
    let form = PlanForm { parts: vec![PlanPart::Server { server: second.clone() }], ..good };

    let lines = acceptance(&app, &form).await;

    let unknown: Vec<_> = lines.iter().filter(|line| line.state == LineState::NotKnown).collect();
    let [session, version, ..] = unknown[..] else { panic!("{lines:?}") };
    assert!(
        matches!(&session.about, LineAbout::Session { session: PlanSession::NotChecked, .. }),
        "{session:?}"
    );
    assert!(matches!(&version.about, LineAbout::Versions { reason: None, .. }), "{version:?}");
    assert_eq!((&session.remedy, &version.remedy), (&Some(Remedy::CheckSite), &Some(Remedy::CheckSite)));
    save(&app, &form).await.unwrap();
}

#[tokio::test]
async fn a_folder_without_the_sets_of_its_plan_is_refused_until_a_user_chooses_it_again() {
    let app = TestApp::new().await;
    let plan = save(&app, &form(&app).await).await.unwrap();
    let (at, marked) = (Millis(1), Marked { folder: plan.folder.clone(), mark: None });
    let progress = PlanProgress { sets_in: Some(marked), ..PlanProgress::since(at) };
    let known = plan.id.clone();
    store::progress(&app.steward.data_folder).change(|state| {
        state.plans.insert(known, progress);
    });
    let mark = plan.folder.join(format!(".site-steward-plan-{}.json", plan.id.0));
    std::fs::remove_file(&mark).unwrap();
    // The program was started anew since the user chose the folder.
    let app = app.restarted();
    let again = PlanForm::of(&plan);
    let refused = save(&app, &again).await;
    let missing = LineAbout::Folder { fault: Some(FolderFault::NotMarked) };
    assert_eq!(refused, Err(Problem::PlanNotAccepted));
    let lines = acceptance(&app, &again).await;
    let [line] = &not_met(&lines)[..] else { panic!("{lines:?}") };
    assert_eq!(line.about, missing);

    app.dialogs.will_choose(&plan.folder);
    app.steward.dialogs.choose_folder(Title::ChooseFolder).await.unwrap();
    save(&app, &again).await.unwrap();
    assert!(mark.exists());
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_is_not_there_or_that_the_policy_does_not_allow_is_refused() {
    let app = TestApp::new().await;
    let good = form(&app).await;
    let fault_of = async |app: &TestApp| {
        let lines = acceptance(app, &good).await;
        lines.into_iter().find_map(|line| match line.about {
            LineAbout::Folder { fault } => fault,
            _ => None,
        })
    };
    assert_eq!(fault_of(&app).await, None);
    std::fs::remove_dir(&good.folder).unwrap();
    assert_eq!(fault_of(&app).await, Some(FolderFault::Missing));
    let refused = save(&app, &good).await;
    assert_eq!(refused, Err(Problem::PlanNotAccepted));
    let lines = acceptance(&app, &good).await;
    let [line] = &not_met(&lines)[..] else { panic!("{lines:?}") };
    assert_eq!(line.remedy, Some(Remedy::ChooseFolder));
    // A file of that name: no account can write into it, not even one that no permission stops.
    std::fs::write(&good.folder, "").unwrap();
    assert!(matches!(fault_of(&app).await, Some(FolderFault::NotWritable { .. })));
    std::fs::remove_file(&good.folder).unwrap();
    std::fs::create_dir(&good.folder).unwrap();
    assert_eq!(fault_of(&app).await, None);

    let policy = format!(r#"{{"plansFolder":"{}"}}"#, app.folder("elsewhere").display());
    let app = app.restarted_under(&policy);
    let saved = PlanForm { is_enabled: false, ..good.clone() };
    app.dialogs.will_choose(std::path::Path::new(&saved.folder));
    app.steward.dialogs.choose_folder(Title::ChooseFolder).await.unwrap();
    assert_eq!(fault_of(&app).await, Some(FolderFault::NotAllowed));
}

/// The acceptance list of a form.
async fn acceptance(app: &TestApp, form: &PlanForm) -> Vec<AcceptanceLine> {
    let Steward { plans, context, preferences, dialogs, .. } = &app.steward;
    plans.acceptance(context, &preferences.policy, dialogs, form).await.unwrap()
}

/// The lines that keep a plan from running.
fn not_met(lines: &[AcceptanceLine]) -> Vec<&AcceptanceLine> {
    lines.iter().filter(|line| line.state == LineState::NotMet).collect()
}

#[tokio::test]
async fn a_set_that_has_no_room_twice_is_seen_before_the_next_run() {
    let app = TestApp::new().await;
    let (plan, _) = with_sets(&app, 1).await;
    let size = sets::of(&app.steward.context, &plan).await.unwrap().sets[0].size.0;
    let lines = acceptance(&app, &PlanForm::of(&plan)).await;
    let space = lines.iter().find(|line| matches!(line.about, LineAbout::Space { .. })).unwrap();
    let LineAbout::Space { free: Some(_), needed: Some(needed) } = space.about else { panic!("{space:?}") };
    assert_eq!((space.state, needed.0), (LineState::Met, (size * 3).div_ceil(2).max(1_000_000)));
}

#[tokio::test]
async fn a_plan_whose_sets_are_all_incomplete_still_says_how_much_room_the_next_one_needs() {
    let app = TestApp::new().await;
    let (plan, names) = with_sets(&app, 1).await;
    let folder = plan.folder.join(&names[0]);
    let mut set = BackupSet::read(&folder).unwrap();
    set.parts[0].state = PartState::Unknown;
    set.write(&folder).unwrap();

    let lines = acceptance(&app, &PlanForm::of(&plan)).await;

    let space = lines.iter().find(|line| matches!(line.about, LineAbout::Space { .. })).unwrap();
    assert!(matches!(space.about, LineAbout::Space { needed: Some(_), .. }), "{space:?}");
}

#[tokio::test]
async fn a_plan_that_is_enabled_again_or_runs_at_other_times_missed_nothing_before() {
    let app = TestApp::new().await;
    let long_ago = BackupPlan { since: Millis(1), ..save(&app, &form(&app).await).await.unwrap() };
    let plans = store::plans(&app.steward.data_folder);
    plans.change(|plans| *plans = vec![long_ago.clone()]);
    let app = app.restarted();
    let saved = async |form: PlanForm| save(&app, &form).await.unwrap();
    let since = async |form: PlanForm| saved(form).await.since;

    let form = PlanForm::of(&long_ago);
    assert_eq!(since(PlanForm { name: "Other".to_owned(), ..form.clone() }).await, Millis(1));
    since(PlanForm { is_enabled: false, ..form.clone() }).await;
    let before = Millis::now();
    let again = saved(form.clone()).await;
    assert!(again.since >= before && again.enabled_since >= before);
    let other = Schedule { days: vec![Day::Monday], ..form.schedule.clone() };
    let moved = saved(PlanForm { schedule: other, ..form }).await;
    assert!(moved.since >= before);
    assert_eq!(moved.enabled_since, again.enabled_since, "how its last run ended is still so");
}

#[tokio::test]
async fn the_list_has_the_next_three_runs_and_a_paused_plan_has_none() {
    let app = TestApp::new().await;
    let form = form(&app).await;
    save(&app, &form).await.unwrap();
    save(&app, &PlanForm { name: "A paused one".to_owned(), is_enabled: false, ..form }).await.unwrap();

    let list = app.steward.plans.list(&app.steward.context, &app.site).await.unwrap();

    let shown: Vec<_> = list.plans.iter().map(|view| (view.next.len(), view.state.clone())).collect();
    assert_eq!(shown, [(0, PlanState::Paused), (3, PlanState::New)]);
    assert!(list.plans[1].next.is_sorted() && list.plans[1].next[0] > Millis::now());
    assert_eq!(list.last_start, None);
}

#[tokio::test]
async fn a_plan_that_needs_a_user_is_among_what_needs_attention_and_the_worst_of_its_site() {
    let app = TestApp::new().await;
    let plan = save(&app, &form(&app).await).await.unwrap();
    fail(&app, &plan, Millis::now());

    let steward = &app.steward;
    let of_site = steward.overviews().of_site(&app.site).await.unwrap();
    let all = steward.overviews().of_all_sites().await.unwrap();

    let worst = all.into_iter().find(|one| one.site == app.site).unwrap().worst.unwrap();
    for concern in [&of_site.concerns[0], &worst] {
        assert_eq!(concern.tone, ConcernTone::Failed);
        let ConcernAbout::Plan { plan: id, state, .. } = &concern.about else { panic!("{concern:?}") };
        assert_eq!(*id, plan.id);
        assert!(matches!(state, PlanState::NeedsYou { reason: NeedsYou::NoSet { .. }, .. }), "{state:?}");
    }
    assert!(of_site.components.iter().all(|component| component.expected_by.is_some()));
}

#[tokio::test]
async fn a_failure_is_in_the_banner_until_the_user_has_seen_it_and_the_next_one_is_again() {
    let app = TestApp::new().await;
    let plan = save(&app, &form(&app).await).await.unwrap();
    let troubles = async || app.steward.plans.troubles(&app.steward.context).await.unwrap();
    assert_eq!(troubles().await, []);

    fail(&app, &plan, Millis::now());
    let [first] = &*troubles().await else { panic!("{:?}", troubles().await) };
    assert_eq!((&first.plan, first.name.as_str()), (&plan.id, "Every night"));
    app.steward.plans.mark_seen(plan.id.clone(), first.since);
    assert_eq!(troubles().await, []);

    fail(&app, &plan, Millis(first.since.0 + 1));
    assert_eq!(troubles().await.len(), 1);
}

#[tokio::test]
async fn a_plan_whose_site_is_no_longer_saved_is_in_the_banner_until_it_is_deleted() {
    let app = TestApp::new().await;
    let plan = save(&app, &form(&app).await).await.unwrap();
    let troubles = async || app.steward.plans.troubles(&app.steward.context).await.unwrap();
    // As after a damaged `sites.json` that was set aside.
    app.sites().remove(&app.site).unwrap();

    let [left] = &*troubles().await else { panic!("{:?}", troubles().await) };
    assert_eq!((&left.plan, &left.site, &left.folder), (&plan.id, &plan.site, &plan.folder));
    assert!(matches!(left.state, PlanState::NeedsYou { reason: NeedsYou::NoSite, .. }), "{left:?}");
    app.steward.plans.mark_seen(plan.id.clone(), left.since);
    assert_eq!(troubles().await.len(), 1, "no page of a site shows it");

    app.steward.plans.delete(&app.steward.context, &plan.id).await.unwrap();
    assert_eq!(troubles().await, []);
}

/// Writes that a run failed which left no set, as the runner does.
fn fail(app: &TestApp, plan: &BackupPlan, at: Millis) {
    let last = LastRun {
        at,
        took: None,
        verdict: Verdict::Failed,
        fault: None,
        folder: None,
        note: "the drive is not connected".to_owned(),
        parts: Vec::new(),
        refused: None,
        session_end: None,
    };
    let progress = PlanProgress { last: Some(last), ..PlanProgress::since(at) };
    store::progress(&app.steward.data_folder).change(|state| {
        state.plans.insert(plan.id.clone(), progress);
    });
}

/// A saved plan with so many sets, the newest first.
async fn with_sets(app: &TestApp, number: usize) -> (BackupPlan, Vec<String>) {
    let plan = save(app, &form(app).await).await.unwrap();
    for _ in 0..number {
        let (_stop, stopped) = watch::channel(false);
        attempt::run(&app.steward.context, &app.steward.transfers, &plan, None, &stopped).await.unwrap();
    }
    let sets = sets::of(&app.steward.context, &plan).await.unwrap().sets;
    let names = sets.into_iter().map(|set| set.name).collect();
    (plan, names)
}

#[tokio::test]
async fn a_pin_is_kept_in_the_set_and_one_whose_run_goes_on_cannot_be_pinned() {
    let app = TestApp::new().await;
    let (plan, names) = with_sets(&app, 1).await;
    let is_pinned = async || sets::of(&app.steward.context, &plan).await.unwrap().sets[0].set.is_pinned;

    sets::pin(&app.steward.data_folder, &plan, &names[0], true).await.unwrap();
    assert!(is_pinned().await);
    sets::pin(&app.steward.data_folder, &plan, &names[0], false).await.unwrap();
    assert!(!is_pinned().await);

    for stranger in ["..", "elsewhere", ""] {
        assert!(matches!(
            sets::pin(&app.steward.data_folder, &plan, stranger, true).await,
            Err(Problem::Unexpected { .. })
        ));
    }
    let folder = plan.folder.join(&names[0]);
    let running = BackupSet { ended: None, ..BackupSet::read(&folder).unwrap() };
    running.write(&folder).unwrap();
    let _runs = DataFolder::take_for_runner(&app.steward.data_folder).unwrap();
    assert!(matches!(
        sets::pin(&app.steward.data_folder, &plan, &names[0], true).await,
        Err(Problem::Unexpected { .. })
    ));
    assert!(!is_pinned().await);
}

#[tokio::test]
async fn a_set_has_its_inventories_and_says_which_services_the_other_sets_have() {
    let app = TestApp::new().await;
    let (plan, names) = with_sets(&app, 2).await;
    let server = app.server.server.clone().unwrap();

    let inventories = set_contents::inventories(&plan, &names[0]).await.unwrap();
    let [PartInventory::Portal { inventory }, PartInventory::Server { services, .. }] = &*inventories else {
        panic!("{inventories:?}")
    };
    assert!(inventory.items.is_some() && *services > 0);
    let found = set_contents::services(&plan, &names[0], &server).await.unwrap();
    assert_eq!((found.services.len(), found.other_sets), (*services as usize, 1));
    assert!(found.services.iter().all(|service| service.others == 1 && !service.path.is_empty()));

    // An inventory of other content is none.
    let set = BackupSet::read(&plan.folder.join(&names[1])).unwrap();
    let beside = set.parts[1].files.iter().find(|file| file.name.ends_with(".inventory.json")).unwrap();
    let beside = plan.folder.join(&names[1]).join(&beside.name);
    let text = std::fs::read_to_string(&beside).unwrap();
    let export = set.parts[1].files.iter().find(|file| file.name.ends_with(".agssite")).unwrap();
    std::fs::write(&beside, text.replace(&export.sha256, &"0".repeat(64))).unwrap();
    let found = set_contents::services(&plan, &names[0], &server).await.unwrap();
    assert_eq!(found.other_sets, 0);
    let inventories = set_contents::inventories(&plan, &names[1]).await.unwrap();
    assert!(matches!(inventories[1], PartInventory::None), "{inventories:?}");
}

#[tokio::test]
async fn a_file_of_a_set_is_brought_to_an_import_only_as_it_was_written() {
    let app = TestApp::new().await;
    let (plan, names) = with_sets(&app, 1).await;
    let server = app.server.server.clone().unwrap();
    let bring = async |server: &ServerId| {
        set_contents::file_for_import(&app.steward.dialogs, &plan, &names[0], server).await
    };
    let stranger = ServerId("stranger".to_owned());
    assert!(matches!(bring(&stranger).await, Err(Problem::Unexpected { .. })));

    let file = bring(&server).await.unwrap();
    assert_eq!(app.steward.dialogs.dropped.find(&file.path).unwrap().display().to_string(), file.path);

    std::fs::write(&file.path, "cut").unwrap();
    assert!(matches!(bring(&server).await, Err(Problem::File { .. })));
    std::fs::remove_file(&file.path).unwrap();
    assert!(matches!(bring(&server).await, Err(Problem::File { .. })));
}

#[tokio::test]
async fn a_preview_reads_only_a_folder_that_the_user_chose() {
    let app = TestApp::new().await;
    let (plan, _) = with_sets(&app, 2).await;
    let preview = async |form: PlanForm| {
        app.steward.plans.preview(&app.steward.context, &app.steward.dialogs, &form).await
    };
    let saved = PlanForm::of(&plan);
    assert_eq!(preview(saved.clone()).await.unwrap().sets.len(), 2);
    let nowhere = PlanForm { folder: String::new(), ..saved.clone() };
    assert_eq!(preview(nowhere).await.unwrap().sets.len(), 0);
    let problem = preview(PlanForm { folder: "/etc".to_owned(), ..saved }).await.err().unwrap();
    assert_eq!(problem, Problem::Form { field: "folder".to_owned(), fault: FieldError::NotChosen });
}

#[tokio::test]
async fn of_a_plan_that_is_not_saved_or_is_deleted_nothing_is_known() {
    let app = TestApp::new().await;
    let form = form(&app).await;
    let known = || app.steward.plans.progress().plans;
    let journal = Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON trail BEGIN SELECT RAISE(ABORT, 'full'); END";
    journal.execute_batch(full).unwrap();
    save(&app, &form).await.unwrap_err();
    assert_eq!(known(), HashMap::new(), "not saved");

    journal.execute_batch("DROP TRIGGER full").unwrap();
    let saved = save(&app, &form).await.unwrap();
    let marked = known()[&saved.id].sets_in.clone().unwrap();
    assert!(marked.folder == saved.folder && marked.mark.is_some(), "{marked:?}");
    app.steward.plans.delete(&app.steward.context, &saved.id).await.unwrap();
    assert_eq!(known(), HashMap::new(), "deleted");

    save(&app, &form).await.unwrap();
    app.steward.plans.forget_site(&app.steward.context, &app.site).await.unwrap();
    assert_eq!(known(), HashMap::new(), "its site was removed");
}

#[tokio::test]
async fn the_plans_of_a_removed_site_go_and_their_sets_stay() {
    let app = TestApp::new().await;
    let (plan, names) = with_sets(&app, 1).await;
    app.steward.plans.forget_site(&app.steward.context, &app.site).await.unwrap();
    assert_eq!(app.steward.plans.all(), []);
    assert!(plan.folder.join(&names[0]).join("set.json").exists());
}

#[tokio::test]
async fn a_plan_that_never_ran_does_not_run_into_an_empty_mount_point_in_place_of_its_folder() {
    let app = TestApp::new().await;
    let plan = save(&app, &form(&app).await).await.unwrap();
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
}

#[tokio::test]
async fn the_mark_that_a_run_left_under_a_mount_point_is_not_that_of_the_drive() {
    let app = TestApp::new().await;
    let plan = save(&app, &form(&app).await).await.unwrap();
    let [beneath, drive] = ["beneath", "drive"].map(|name| app.folder("away").join(name));
    let exchange = |from: &Path, to: &Path| {
        std::fs::rename(&plan.folder, to).unwrap();
        std::fs::rename(from, &plan.folder).unwrap();
    };
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL, "the drive is away");
    std::fs::create_dir(&drive).unwrap();
    exchange(&drive, &beneath);
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, FAILED, "it is another folder");
    app.dialogs.will_choose(&plan.folder);
    app.steward.dialogs.choose_folder(Title::ChooseFolder).await.unwrap();
    save(&app, &PlanForm::of(&plan)).await.unwrap();
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL, "the drive is there");
    assert_eq!(sets_in(&plan.folder).len(), 1);

    exchange(&beneath, &drive);

    assert_eq!(runner_of(&app).run_plan(&plan.id).await, FAILED);
    assert_eq!(sets_in(&plan.folder).len(), 1, "that of the first run");
    let of_plan = progress_of(&app).plans[&plan.id].clone();
    let fault = Some(FolderFault::NotMarked);
    assert_eq!(of_plan.last.unwrap().refused.map(|line| line.about), Some(LineAbout::Folder { fault }));
    exchange(&drive, &beneath);
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL);
}
