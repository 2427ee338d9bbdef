//! Newer versions of the program, up to where Tauri's updater judges and installs: that is in `tests/e2e/updates.rs`.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use site_steward::practice::{self, Practice};
use steward_app::steward::Steward;
use steward_core::actions::preferences::save;
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::operations::refresh_invitation::unsaved_invitations::{
    UnsavedInvitation, UnsavedInvitations,
};
use steward_core::runs::{RunId, RunStep};
use steward_core::settings::policy::Policy;
use steward_core::settings::preferences::{Preferences, ProgramConnection};
use steward_core::sites::ConnectionRoute;
use steward_core::updates::{
    Install, Offer, Package, Release, UpdateFault, UpdateMethod, UpdateStage, Updates,
};
use steward_testkit::{ReleasePlace, Reply, Request, TestServer, until};
use url::Url;

use crate::test_app::TestApp;

const INSTALLER: &[u8] = &[7; 300_000];

/// A program that may be replaced, and what took its place.
struct Program {
    updates: Updates,
    installed: Arc<Mutex<Option<Vec<u8>>>>,
    practice: Practice,
}

impl Program {
    fn asking(place: &ReleasePlace) -> Self {
        Self::asking_at(&place.address("latest.json"))
    }

    fn asking_at(address: &str) -> Self {
        let installed = Arc::new(Mutex::new(None));
        let inside = installed.clone();
        let read = Box::new(move |offered: Value| Ok(read(&offered, &inside)));
        let updates = Updates::new(Some((Url::parse(address).unwrap(), read)), Box::new(|_| ()));
        Self { updates, installed, practice: Practice::default() }
    }

    async fn install(&self, steward: &Steward, version: &str) -> (UpdateStage, Option<UpdateFault>) {
        let view = self
            .updates
            .install(
                &steward.preferences.policy,
                &steward.context,
                &steward.invitation_files.unsaved,
                &|| self.practice.is_running(),
                version,
            )
            .await;
        (view.stage, view.fault)
    }

    fn is_untouched(&self) -> bool {
        self.installed.lock().unwrap().is_none()
    }
}

/// As Tauri's updater does, without a signature.
fn read(offered: &Value, installed: &Arc<Mutex<Option<Vec<u8>>>>) -> Option<Offer> {
    let version = offered["version"].as_str().unwrap();
    let address = offered["platforms"]["linux-x86_64"]["url"].as_str().unwrap();
    let installed = installed.clone();
    let install: Install = Arc::new(move |bytes| {
        *installed.lock().unwrap() = Some(bytes.to_vec());
        Ok(())
    });
    (version != "0.1.0").then(|| Offer {
        release: Release::described(version, None, "").unwrap(),
        package: Some(Package { address: Url::parse(address).unwrap(), install }),
    })
}

fn newer(version: &str) -> UpdateStage {
    let release = Release::described(version, None, "").unwrap();
    UpdateStage::Newer { release, way: UpdateMethod::Here }
}

/// A place that offers 9.0.0, and a program that has found it.
async fn found(app: &TestApp) -> (ReleasePlace, Program) {
    let place = ReleasePlace::open().await.unwrap();
    place.put("installer", INSTALLER);
    place.offer("9.0.0", "", "installer", "");
    let program = Program::asking(&place);
    assert_eq!(
        program.updates.look(&app.steward.preferences.policy, &app.steward.context).await.stage,
        newer("9.0.0")
    );
    (place, program)
}

#[tokio::test]
async fn what_was_found_is_fetched_whole_and_installed() {
    let app = TestApp::signed_out().await;
    let (place, program) = found(&app).await;

    let (stage, fault) = program.install(&app.steward, "9.0.0").await;

    assert!(matches!(stage, UpdateStage::Installed { .. }), "{stage:?}");
    assert_eq!(fault, None);
    assert_eq!(program.installed.lock().unwrap().as_deref(), Some(INSTALLER));
    assert!(program.updates.may_restart(
        &app.steward.context.runs,
        &app.steward.invitation_files.unsaved,
        &|| program.practice.is_running()
    ));
    assert_eq!(place.asked(), ["/latest.json", "/installer"]);
}

#[tokio::test]
async fn until_somebody_asks_nobody_is_asked() {
    let app = TestApp::signed_out().await;
    let place = ReleasePlace::open().await.unwrap();
    let program = Program::asking(&place);

    assert_eq!(program.updates.now(&app.steward.preferences.policy).stage, UpdateStage::NotLooked);

    assert!(place.asked().is_empty());
}

#[tokio::test]
async fn where_the_organisation_forbids_it_nobody_is_asked_whatever_the_window_says() {
    let mut app = TestApp::signed_out().await;
    let (place, program) = found(&app).await;
    app.put_under(Policy { updates: false, ..Policy::default() });
    let before = place.asked();

    assert_eq!(
        program.updates.look(&app.steward.preferences.policy, &app.steward.context).await.stage,
        UpdateStage::Forbidden
    );
    assert_eq!(program.install(&app.steward, "9.0.0").await.0, UpdateStage::Forbidden);

    assert_eq!(place.asked(), before);
    assert!(program.is_untouched());
}

#[tokio::test]
async fn a_build_without_a_key_has_nobody_to_ask() {
    let app = TestApp::signed_out().await;
    let updates = Updates::new(None, Box::new(|_| ()));

    assert_eq!(
        updates.look(&app.steward.preferences.policy, &app.steward.context).await.stage,
        UpdateStage::NoKey
    );
    assert_eq!(
        updates
            .install(
                &app.steward.preferences.policy,
                &app.steward.context,
                &app.steward.invitation_files.unsaved,
                &|| false,
                "9.0.0"
            )
            .await
            .stage,
        UpdateStage::NoKey
    );
}

#[tokio::test]
async fn a_cut_download_installs_nothing_and_can_be_tried_again() {
    let app = TestApp::signed_out().await;
    let (place, program) = found(&app).await;
    place.put_cut("installer", INSTALLER);

    let (stage, fault) = program.install(&app.steward, "9.0.0").await;

    assert_eq!(stage, newer("9.0.0"));
    assert!(matches!(fault, Some(UpdateFault::Cut { .. })), "{fault:?}");
    assert!(program.is_untouched());
    assert!(!program.updates.may_restart(
        &app.steward.context.runs,
        &app.steward.invitation_files.unsaved,
        &|| program.practice.is_running()
    ));
    place.put("installer", INSTALLER);
    assert!(matches!(program.install(&app.steward, "9.0.0").await.0, UpdateStage::Installed { .. }));
}

#[tokio::test]
async fn a_download_that_is_stopped_installs_nothing() {
    let app = TestApp::signed_out().await;
    let (place, program) = found(&app).await;
    place.put_silent("installer", INSTALLER);

    let installing = program.install(&app.steward, "9.0.0");
    let stopping = async {
        let downloads = async || {
            matches!(
                program.updates.now(&app.steward.preferences.policy).stage,
                UpdateStage::Downloading { .. }
            )
        };
        until("the download", downloads).await;
        // Whoever presses again meanwhile begins nothing anew.
        program.install(&app.steward, "9.0.0").await;
        program.updates.stop();
    };
    let ((stage, fault), ()) = tokio::join!(installing, stopping);

    assert_eq!((stage, fault), (newer("9.0.0"), None));
    assert!(program.is_untouched());
    assert!(place.asked().iter().filter(|asked| *asked == "/installer").count() <= 1);
}

#[tokio::test]
async fn what_runs_is_not_ended_by_an_update_and_is_named() {
    let app = TestApp::signed_out().await;
    let (_place, program) = found(&app).await;
    let site = app.sites().get(&app.site).unwrap();
    let id = RunId("1".to_owned());
    let run = app
        .steward
        .context
        .runs
        .begin(id, &app.current(&site), OperationKey::ImportServer, None, RunStep::Waiting)
        .unwrap();

    let (stage, fault) = program.install(&app.steward, "9.0.0").await;

    let named = UpdateFault::OperationRuns {
        operation: OperationKey::ImportServer,
        act: None,
        site_name: "City GIS".to_owned(),
    };
    assert_eq!((stage, fault), (newer("9.0.0"), Some(named)));
    drop(run);
    practice::start(&app.steward, &program.practice).await.unwrap();
    assert_eq!(program.install(&app.steward, "9.0.0").await.1, Some(UpdateFault::PracticeRuns));
    assert!(program.is_untouched());
}

#[tokio::test]
async fn an_invitation_that_only_memory_holds_is_not_lost_by_a_restart() {
    let app = TestApp::signed_out().await;
    let (_place, program) = found(&app).await;
    let kept = app.folder("unsaved");
    let unwritable = kept.join("file");
    std::fs::write(&unwritable, "").unwrap();
    let unsaved = UnsavedInvitations::open(unwritable.join("unsaved-invitations"));
    let may_restart = || {
        program.updates.may_restart(&app.steward.context.runs, &unsaved, &|| program.practice.is_running())
    };
    let install = async || {
        let (policy, context) = (&app.steward.preferences.policy, &app.steward.context);
        program.updates.install(policy, context, &unsaved, &|| false, "9.0.0").await
    };
    let invitation = UnsavedInvitation {
        site: app.site.clone(),
        file_name: "guest.invite".to_owned(),
        content: Arc::new(b"canary".to_vec()),
        refreshed_at: Millis::now(),
    };
    let handle = unsaved.keep(invitation.clone());

    assert_eq!(install().await.fault, Some(UpdateFault::InvitationsUnsaved));
    assert!(program.is_untouched());

    unsaved.forget(&handle);
    assert_eq!(install().await.fault, None);
    let handle = unsaved.keep(invitation);
    assert!(!may_restart());
    let now = program.updates.now(&app.steward.preferences.policy);
    assert_eq!(now.fault, Some(UpdateFault::InvitationsUnsaved));
    unsaved.forget(&handle);
    assert!(may_restart());
}

#[tokio::test]
async fn only_what_was_shown_is_installed() {
    let app = TestApp::signed_out().await;
    let (place, program) = found(&app).await;

    assert_eq!(program.install(&app.steward, "9.0.1").await, (newer("9.0.0"), Some(UpdateFault::NotOffered)));
    assert_eq!(place.asked(), ["/latest.json"]);
}

#[tokio::test]
async fn whoever_cannot_be_reached_or_answers_something_else_is_said() {
    let app = TestApp::signed_out().await;
    let place = ReleasePlace::open().await.unwrap();
    let program = Program::asking(&place);
    let said =
        async || program.updates.look(&app.steward.preferences.policy, &app.steward.context).await.fault;

    assert!(matches!(said().await, Some(UpdateFault::Unreachable { said }) if said.contains("404")));
    place.put_cut("latest.json", vec![b' '; 100]);
    assert!(matches!(said().await, Some(UpdateFault::Unreachable { .. })));
    place.put("latest.json", "<html>Maintenance</html>");
    assert!(matches!(said().await, Some(UpdateFault::NotUnderstood { .. })));
    place.put("latest.json", vec![b' '; 1024 * 1024]);
    assert!(matches!(said().await, Some(UpdateFault::NotUnderstood { .. })));
    place.point("latest.json", "ftp://example.invalid/latest.json");
    assert!(matches!(said().await, Some(UpdateFault::Unreachable { .. })));
    let gone = Program::asking_at("http://127.0.0.1:1/latest.json");
    assert!(matches!(
        gone.updates.look(&app.steward.preferences.policy, &app.steward.context).await.fault,
        Some(UpdateFault::Unreachable { .. })
    ));
    place.offer("0.1.0", "", "installer", "");
    let view = program.updates.look(&app.steward.preferences.policy, &app.steward.context).await;
    assert_eq!((view.stage, view.fault), (UpdateStage::UpToDate, None));
}

#[tokio::test]
async fn it_is_asked_for_through_the_programs_own_proxy() {
    let app = TestApp::signed_out().await;
    let reject = |_: &Request| Reply::new("502 Bad Gateway", "", "").then_close();
    let proxy = TestServer::start(reject).await.unwrap();
    let address = format!("{}/", proxy.origin());
    let route = ConnectionRoute::Proxy { address, user: String::new(), exceptions: Vec::new() };
    let connection = ProgramConnection { route, ca_certificate: String::new() };
    save(
        &app.steward.preferences,
        &app.steward.context,
        Preferences { connection, ..Preferences::default() },
        None,
    )
    .await
    .unwrap();
    let program = Program::asking_at("https://releases.invalid/latest.json");

    let view = program.updates.look(&app.steward.preferences.policy, &app.steward.context).await;

    let arrived = proxy.requests();
    let Some(first) = arrived.first() else { panic!("it went past the proxy: {view:?}") };
    assert!(first.head.starts_with("CONNECT releases.invalid:443"), "{first:?}");
}
