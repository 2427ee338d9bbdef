use std::sync::Arc;

use steward_app::steward::Steward;
use steward_core::diagnostics::report::{DiagnosticReport, report_of};
use steward_core::diagnostics::{Advice, Check, CheckResult, FactName, FactValue, FactWords, State};
use steward_core::model::numbers::Millis;
use steward_core::runs::RunRegistry;
use steward_core::sites::Site;
use steward_testkit::{Reply, TestServer};
use steward_vault::{KeyringError, Secret, SecretStore, StoreFuture};
use url::Url;

use crate::test_app::{AnswersByItself, TestApp};

async fn examined(app: &TestApp) -> DiagnosticReport {
    report_of(app.steward.diagnosed(), Some(&app.site), Some("2.50".to_owned())).await.unwrap()
}

fn of(examination: &DiagnosticReport, check: Check) -> &CheckResult {
    examination.findings.iter().find(|finding| finding.check == check).unwrap()
}

fn fact(finding: &CheckResult, name: FactName) -> &FactValue {
    let mut facts = finding.facts.iter().filter(|fact| fact.name == name);
    let fact = facts.next().unwrap();
    assert!(facts.next().is_none(), "it is said twice: {finding:?}");
    &fact.value
}

fn said(finding: &CheckResult, name: FactName) -> &str {
    match fact(finding, name) {
        FactValue::Said { text } => text,
        other => panic!("{other:?}"),
    }
}

fn moment(time: &str) -> FactValue {
    FactValue::Moment { at: Millis(time.parse::<jiff::Timestamp>().unwrap().as_millisecond()) }
}

/// The site as saved, changed.
fn change(app: &TestApp, how: impl FnOnce(&mut Site)) {
    let mut site = app.sites().get(&app.site).unwrap();
    how(&mut site);
    app.sites().put(site).unwrap();
    app.steward.context.access.forget_connection(&app.site);
}

#[tokio::test]
async fn a_program_that_is_well_says_so_of_each_part() {
    let app = TestApp::new().await;

    let examination = examined(&app).await;

    // Who shows dialogs, and the room on the disk, are the machine's.
    for check in [
        Check::Program,
        Check::Keyring,
        Check::Proxy,
        Check::Roots,
        Check::Clock,
        Check::Journal,
        Check::Logs,
    ] {
        let finding = of(&examination, check);
        assert_eq!((finding.state, finding.advice), (State::Ok, None), "{finding:?}");
    }
    assert!(said(of(&examination, Check::Roots), FactName::SystemRoots).parse::<u32>().unwrap() > 20);
    assert_eq!(said(of(&examination, Check::Program), FactName::Webview), "2.50");
    let way = fact(of(&examination, Check::Proxy), FactName::WayToSite);
    assert!(matches!(way, FactValue::Words { words: FactWords::ThisComputer, .. }), "{way:?}");
    let room = fact(of(&examination, Check::Disk), FactName::FreeSpace);
    assert!(matches!(room, FactValue::Size { .. }), "{room:?}");
    assert!(app.vault.get("examination").await.unwrap().is_none(), "nothing is left in the keyring");
    for words in ["Keyring: OK", "Free space: ", "Clock of the site: 20"] {
        assert!(examination.text.contains(words), "{words} in {}", examination.text);
    }
}

/// A keyring that refuses everything with one reason.
struct Refusing(fn() -> KeyringError);

impl SecretStore for Refusing {
    fn get<'a>(&'a self, _: &'a str) -> StoreFuture<'a, Option<Secret<String>>> {
        Box::pin(std::future::ready(Err(self.0())))
    }

    fn set<'a>(&'a self, _: &'a str, _: Secret<String>) -> StoreFuture<'a, ()> {
        Box::pin(std::future::ready(Err(self.0())))
    }

    fn forget<'a>(&'a self, _: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(std::future::ready(Err(self.0())))
    }
}

#[tokio::test]
async fn a_keyring_that_does_not_answer_is_trouble_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let vault = Arc::new(Refusing(|| KeyringError::Slow));
    let runs = RunRegistry::new(Box::new(|_| ()));
    let steward = Steward::open(folder.path(), vault, Arc::new(AnswersByItself::default()), runs).unwrap();

    let examination = report_of(steward.diagnosed(), None, None).await.unwrap();

    let keyring = of(&examination, Check::Keyring);
    assert_eq!((keyring.state, keyring.advice), (State::Trouble, Some(Advice::KeyringIsSlow)));
    assert_eq!(examination.findings[0].state, State::Trouble, "the worst comes first");
    assert!(examination.text.contains("Keyring: Error"), "{}", examination.text);
    assert!(
        !examination.findings.iter().any(|finding| finding.check == Check::Clock),
        "there is no site to ask"
    );
}

#[tokio::test]
async fn a_site_whose_clock_is_wrong_is_said_with_the_difference() {
    let app = TestApp::new().await;
    let wrong = "date: Sun, 06 Nov 2044 08:49:37 GMT\r\n";
    let server = TestServer::start(|_| Reply::new("200 OK", wrong, "{}").then_close()).await.unwrap();
    let root = format!("{}/server", server.origin());
    change(&app, |site| {
        site.portal = None;
        site.servers[0].address = Url::parse(&root).unwrap();
    });

    let examination = examined(&app).await;

    let clock = of(&examination, Check::Clock);
    assert_eq!((clock.state, clock.advice), (State::Trouble, Some(Advice::SetClock)), "{clock:?}");
    assert_eq!(*fact(clock, FactName::SiteTime), moment("2044-11-06T08:49:37Z"));
}

#[tokio::test]
async fn a_silent_site_and_an_expired_authority_are_two_findings() {
    let app = TestApp::new().await;
    let ca = app.folder("certificates").join("ca.pem");
    std::fs::write(&ca, include_str!("../fixtures/expired-ca.pem")).unwrap();
    change(&app, |site| {
        site.portal = None;
        site.servers[0].address = Url::parse("https://127.0.0.1:1/server").unwrap();
        site.ca_certificate = Some(ca.clone());
    });

    let examination = examined(&app).await;

    let (roots, clock) = (of(&examination, Check::Roots), of(&examination, Check::Clock));
    assert_eq!((roots.state, roots.advice), (State::Trouble, Some(Advice::CaFileExpired)), "{roots:?}");
    assert_eq!(*fact(roots, FactName::ValidUntil), moment("2020-01-02T00:00:00Z"));
    assert_eq!((clock.state, clock.advice), (State::Trouble, Some(Advice::SiteSilent)), "{clock:?}");

    std::fs::write(&ca, "no certificate").unwrap();
    let examination = examined(&app).await;
    assert_eq!(of(&examination, Check::Roots).advice, Some(Advice::CaFileUnreadable));
}

#[tokio::test]
async fn a_log_folder_that_cannot_be_written_to_is_said() {
    let app = TestApp::new().await;
    // A file where the folder should be.
    std::fs::write(app.steward.data_folder.join("logs"), "").unwrap();

    let logs = of(&examined(&app).await, Check::Logs).clone();

    assert_eq!((logs.state, logs.advice), (State::Trouble, Some(Advice::LogsUnwritable)), "{logs:?}");
}

/// Set in the process that has no desktop.
#[cfg(target_os = "linux")]
const WITHOUT_DESKTOP: &str = "STEWARD_WITHOUT_DESKTOP";

#[cfg(target_os = "linux")]
#[test]
fn a_desktop_without_file_dialogs_is_trouble_and_not_a_dismissed_dialog() {
    let name = "diagnostics::a_desktop_without_file_dialogs_is_trouble_and_not_a_dismissed_dialog";
    if std::env::var_os(WITHOUT_DESKTOP).is_none() {
        // The desktop is found by the environment, which belongs to a whole process.
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args([name, "--exact", "--nocapture"]).env(WITHOUT_DESKTOP, "1");
        again.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/no/such/bus").env("PATH", "/no/such/folder");
        let output = again.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let vault = Arc::new(steward_vault::KeyringStore::new("site-steward-test").unwrap());
        let runs = RunRegistry::new(Box::new(|_| ()));
        let steward =
            Steward::open(folder.path(), vault, Arc::new(AnswersByItself::default()), runs).unwrap();

        let examination = report_of(steward.diagnosed(), None, None).await.unwrap();

        let dialogs = of(&examination, Check::Dialogs);
        assert_eq!(
            (dialogs.state, dialogs.advice),
            (State::Trouble, Some(Advice::InstallDialogs)),
            "{dialogs:?}"
        );
        // The keyring is on the same bus.
        let keyring = of(&examination, Check::Keyring);
        assert_eq!(
            (keyring.state, keyring.advice),
            (State::Trouble, Some(Advice::InstallKeyring)),
            "{keyring:?}"
        );
    });
}
