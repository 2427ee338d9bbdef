//! Newer versions of the program, up to where Tauri's updater judges and installs: that is in `tests/e2e/updates.rs`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use site_steward::practice::{self, Practice};
use steward_core::actions::preferences::save;
use steward_core::host::Host;
use steward_core::model::operation::Key;
use steward_core::runs::{RunId, RunStep};
use steward_core::settings::policy::Policy;
use steward_core::settings::preferences::{Preferences, ProgramConnection};
use steward_core::sites::SavedRoute;
use steward_core::updates::{Install, Offer, Package, Release, UpdateFault, UpdateStage, UpdateWay, Updates};
use steward_testkit::ReleasePlace;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use url::Url;

use crate::desk::Desk;

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

    async fn install(&self, host: &Host, version: &str) -> (UpdateStage, Option<UpdateFault>) {
        let view = self.updates.install(host, &|| self.practice.is_running(), version).await;
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
    UpdateStage::Newer { release, way: UpdateWay::Here }
}

/// A place that offers 9.0.0, and a program that has found it.
async fn found(desk: &Desk) -> (ReleasePlace, Program) {
    let place = ReleasePlace::open().await.unwrap();
    place.put("installer", INSTALLER);
    place.offer("9.0.0", "", "installer", "");
    let program = Program::asking(&place);
    assert_eq!(program.updates.look(&desk.host).await.stage, newer("9.0.0"));
    (place, program)
}

#[tokio::test]
async fn what_was_found_is_fetched_whole_and_installed() {
    let desk = Desk::signed_out().await;
    let (place, program) = found(&desk).await;

    let (stage, fault) = program.install(&desk.host, "9.0.0").await;

    assert!(matches!(stage, UpdateStage::Installed { .. }), "{stage:?}");
    assert_eq!(fault, None);
    assert_eq!(program.installed.lock().unwrap().as_deref(), Some(INSTALLER));
    assert!(program.updates.may_restart(&desk.host, &|| program.practice.is_running()));
    assert_eq!(place.asked(), ["/latest.json", "/installer"]);
}

#[tokio::test]
async fn until_somebody_asks_nobody_is_asked() {
    let desk = Desk::signed_out().await;
    let place = ReleasePlace::open().await.unwrap();
    let program = Program::asking(&place);

    assert_eq!(program.updates.now(&desk.host).stage, UpdateStage::NotLooked);

    assert!(place.asked().is_empty());
}

#[tokio::test]
async fn where_the_organisation_forbids_it_nobody_is_asked_whatever_the_window_says() {
    let mut desk = Desk::signed_out().await;
    let (place, program) = found(&desk).await;
    desk.put_under(Policy { updates: false, ..Policy::default() });
    let before = place.asked();

    assert_eq!(program.updates.look(&desk.host).await.stage, UpdateStage::Forbidden);
    assert_eq!(program.install(&desk.host, "9.0.0").await.0, UpdateStage::Forbidden);

    assert_eq!(place.asked(), before);
    assert!(program.is_untouched());
}

#[tokio::test]
async fn a_build_without_a_key_has_nobody_to_ask() {
    let desk = Desk::signed_out().await;
    let updates = Updates::new(None, Box::new(|_| ()));

    assert_eq!(updates.look(&desk.host).await.stage, UpdateStage::NoKey);
    assert_eq!(updates.install(&desk.host, &|| false, "9.0.0").await.stage, UpdateStage::NoKey);
}

#[tokio::test]
async fn a_cut_download_installs_nothing_and_can_be_tried_again() {
    let desk = Desk::signed_out().await;
    let (place, program) = found(&desk).await;
    place.put_cut("installer", INSTALLER);

    let (stage, fault) = program.install(&desk.host, "9.0.0").await;

    assert_eq!(stage, newer("9.0.0"));
    assert!(matches!(fault, Some(UpdateFault::Cut { .. })), "{fault:?}");
    assert!(program.is_untouched());
    assert!(!program.updates.may_restart(&desk.host, &|| program.practice.is_running()));
    place.put("installer", INSTALLER);
    assert!(matches!(program.install(&desk.host, "9.0.0").await.0, UpdateStage::Installed { .. }));
}

#[tokio::test]
async fn a_download_that_is_stopped_installs_nothing() {
    let desk = Desk::signed_out().await;
    let (place, program) = found(&desk).await;
    place.put_silent("installer", INSTALLER);

    let installing = program.install(&desk.host, "9.0.0");
    let stopping = async {
        while !matches!(program.updates.now(&desk.host).stage, UpdateStage::Downloading { .. }) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // Whoever presses again meanwhile begins nothing anew.
        program.install(&desk.host, "9.0.0").await;
        program.updates.stop();
    };
    let ((stage, fault), ()) = tokio::join!(installing, stopping);

    assert_eq!((stage, fault), (newer("9.0.0"), None));
    assert!(program.is_untouched());
    assert!(place.asked().iter().filter(|asked| *asked == "/installer").count() <= 1);
}

#[tokio::test]
async fn what_runs_is_not_ended_by_an_update_and_is_named() {
    let desk = Desk::signed_out().await;
    let (_place, program) = found(&desk).await;
    let site = desk.host.sites.get(&desk.site).unwrap();
    let id = RunId("1".to_owned());
    let run = desk.host.runs.begin(id, &site, Key::ImportServer, RunStep::Waiting).unwrap();

    let (stage, fault) = program.install(&desk.host, "9.0.0").await;

    let named = UpdateFault::OperationRuns { operation: Key::ImportServer, site_name: "City GIS".to_owned() };
    assert_eq!((stage, fault), (newer("9.0.0"), Some(named)));
    drop(run);
    practice::start(&desk.host, &program.practice).await.unwrap();
    assert_eq!(program.install(&desk.host, "9.0.0").await.1, Some(UpdateFault::PracticeRuns));
    assert!(program.is_untouched());
}

#[tokio::test]
async fn only_what_was_shown_is_installed() {
    let desk = Desk::signed_out().await;
    let (place, program) = found(&desk).await;

    assert_eq!(program.install(&desk.host, "9.0.1").await, (newer("9.0.0"), Some(UpdateFault::NotOffered)));
    assert_eq!(place.asked(), ["/latest.json"]);
}

#[tokio::test]
async fn whoever_cannot_be_reached_or_answers_something_else_is_said() {
    let desk = Desk::signed_out().await;
    let place = ReleasePlace::open().await.unwrap();
    let program = Program::asking(&place);
    let said = async || program.updates.look(&desk.host).await.fault;

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
    assert!(matches!(gone.updates.look(&desk.host).await.fault, Some(UpdateFault::Unreachable { .. })));
    place.offer("0.1.0", "", "installer", "");
    let view = program.updates.look(&desk.host).await;
    assert_eq!((view.stage, view.fault), (UpdateStage::UpToDate, None));
}

#[tokio::test]
async fn it_is_asked_for_through_the_programs_own_proxy() {
    let desk = Desk::signed_out().await;
    let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", proxy.local_addr().unwrap());
    let route = SavedRoute::Proxy { address, user: String::new(), exceptions: Vec::new() };
    let connection = ProgramConnection { route, ca_certificate: String::new() };
    save(&desk.host, Preferences { connection, ..Preferences::default() }, None).await.unwrap();
    let program = Program::asking_at("https://releases.invalid/latest.json");

    let heard = async {
        let mut line = [0; 64];
        let length = proxy.accept().await.unwrap().0.read(&mut line).await.unwrap();
        String::from_utf8_lossy(&line[..length]).into_owned()
    };
    // Whoever asks must stay on the line until it was heard.
    let line = tokio::select! {
        line = heard => line,
        view = program.updates.look(&desk.host) => panic!("it went past the proxy: {view:?}"),
    };

    assert!(line.starts_with("CONNECT releases.invalid:443"), "{line}");
}
