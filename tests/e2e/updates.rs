//! Newer versions in the real window, judged and installed by Tauri's updater. A file stands for the program that would
//! be replaced, and a place on this machine for the one that publishes it.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use steward_testkit::window::Window;
use steward_testkit::{ReleaseKey, ReleasePlace};

use crate::practice::TestApp;

const BEFORE: &[u8] = b"\x7fELF the version of today";
const AFTER: &[u8] = b"\x7fELF the version of tomorrow, and somewhat longer than the one of today";

/// A person with a program that may replace itself.
struct Person {
    desk: TestApp,
    place: ReleasePlace,
    key: ReleaseKey,
    program: PathBuf,
}

impl Person {
    async fn new() -> Self {
        let (mut desk, place) = (TestApp::new(), ReleasePlace::open().await.unwrap());
        let key = ReleaseKey::new().unwrap();
        let program = desk.place("SiteSteward.AppImage");
        std::fs::write(&program, BEFORE).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        set(&mut desk, "STEWARD_UPDATE_KEY", key.public().unwrap());
        set(&mut desk, "STEWARD_UPDATE_ADDRESS", place.address("latest.json"));
        set(&mut desk, "STEWARD_UPDATE_FILE", program.display().to_string());
        Self { desk, place, key, program }
    }

    async fn settings(&self) -> Window {
        let window = self.desk.window().await;
        window.press("Settings").await.unwrap();
        window
    }

    /// Offers an installer under this number, with what is put beside it as its signature.
    fn offer(&self, version: &str, installer: &[u8], signature: &str) {
        self.place.put("installer", installer);
        self.place.offer(version, "Imports are faster.", "installer", signature);
    }

    fn is_untouched(&self) -> bool {
        std::fs::read(&self.program).unwrap() == BEFORE
    }
}

/// The environment of a program is of texts that stay.
fn set(desk: &mut TestApp, name: &'static str, value: String) {
    desk.program.environment.push((name, Box::leak(value.into_boxed_str())));
}

async fn install(window: &Window) {
    window.press("Download and install…").await.unwrap();
    window.press("Install version").await.unwrap();
}

/// In a window of its own, as after a start.
async fn refuses(person: &Person, said: &str) {
    let window = person.settings().await;
    window.press("Check for updates").await.unwrap();
    window.see("Version 9.0.0 is available").await.unwrap();
    install(&window).await;
    window.see(said).await.unwrap();
    window.see("Nothing was changed.").await.unwrap();
    assert!(person.is_untouched(), "{said}");
    window.close().await.unwrap();
}

#[tokio::test]
async fn a_signed_version_takes_the_place_of_this_one_when_a_person_says_so_and_not_before() {
    let person = Person::new().await;
    let hostile =
        "Imports are faster.\n<script>window.hurt = true</script><img src=x onerror='window.hurt = true'>";
    person.place.put("installer", AFTER);
    let signature = person.key.sign(AFTER, "9.0.0").unwrap();
    person.place.offer("9.0.0", hostile, "installer", &signature);

    let window = person.settings().await;
    window.see("The app contacts the publisher").await.unwrap();
    assert!(person.place.asked().is_empty(), "nothing is asked by itself");
    window.press("Check for updates").await.unwrap();
    window.see("Version 9.0.0 is available").await.unwrap();
    window.see("<script>window.hurt = true</script>").await.unwrap();
    assert_eq!(window.ask_page("return window.hurt ?? false").await.unwrap(), serde_json::json!(false));
    assert_eq!(person.place.asked(), ["/latest.json"]);
    install(&window).await;
    window.see("Installed version 9.0.0").await.unwrap();
    window.see("Restart now").await.unwrap();

    assert_eq!(std::fs::read(&person.program).unwrap(), AFTER);
    let mode = std::fs::metadata(&person.program).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755, "it can still be started");
    window.close().await.unwrap();
}

#[tokio::test]
async fn what_is_not_signed_for_this_program_and_this_version_is_refused_and_changes_nothing() {
    const NOT_OURS: &str = "The installer has no valid signature";
    let person = Person::new().await;
    let another = ReleaseKey::new().unwrap();

    person.offer("9.0.0", AFTER, &another.sign(AFTER, "9.0.0").unwrap());
    refuses(&person, NOT_OURS).await;
    // Something else under a signature of ours.
    person.offer("9.0.0", b"\x7fELF something else", &person.key.sign(AFTER, "9.0.0").unwrap());
    refuses(&person, NOT_OURS).await;
    // An installer of ours that is older than the number it is offered under.
    person.offer("9.0.0", AFTER, &person.key.sign(AFTER, "0.0.9").unwrap());
    refuses(&person, NOT_OURS).await;
    person.offer("9.0.0", AFTER, &person.key.sign_for_any_version(AFTER).unwrap());
    refuses(&person, NOT_OURS).await;
    // One that came only in part.
    person.offer("9.0.0", AFTER, &person.key.sign(AFTER, "9.0.0").unwrap());
    person.place.put_cut("installer", AFTER);
    refuses(&person, "The download was interrupted").await;
}

#[tokio::test]
async fn an_older_version_is_none_and_a_broken_answer_is_said() {
    let person = Person::new().await;
    let window = person.settings().await;
    person.place.put("latest.json", "<html>Maintenance</html>");
    window.press("Check for updates").await.unwrap();
    window.see("Unexpected response").await.unwrap();
    for not_newer in ["0.0.9", "0.1.0"] {
        person.offer(not_newer, AFTER, &person.key.sign(AFTER, not_newer).unwrap());
        window.press("Check for updates").await.unwrap();
        window.see("You have the latest version.").await.unwrap();
    }
    assert!(person.place.asked().iter().all(|asked| asked == "/latest.json"));
    assert!(person.is_untouched());
    window.close().await.unwrap();
}

#[tokio::test]
async fn a_program_that_belongs_to_the_system_tells_of_the_newer_version_and_leaves_it_alone() {
    let mut person = Person::new().await;
    person.desk.program.environment.retain(|(name, _)| *name != "STEWARD_UPDATE_FILE");
    person.offer("9.0.0", AFTER, &person.key.sign(AFTER, "9.0.0").unwrap());
    let window = person.settings().await;
    window.press("Check for updates").await.unwrap();
    window.see("Version 9.0.0 is available").await.unwrap();
    window.see("Update it with the package manager").await.unwrap();
    window.see_none("Download and install…").await.unwrap();
    assert_eq!(person.place.asked(), ["/latest.json"]);
    window.close().await.unwrap();
}

#[tokio::test]
async fn where_the_organisation_forbids_it_not_one_request_is_made() {
    let mut person = Person::new().await;
    let file = person.desk.place("policy.json");
    std::fs::write(&file, r#"{ "updates": false }"#).unwrap();
    set(&mut person.desk, "STEWARD_POLICY", file.display().to_string());
    person.offer("9.0.0", AFTER, &person.key.sign(AFTER, "9.0.0").unwrap());
    let window = person.settings().await;
    window.see("Updates are managed by your organization.").await.unwrap();

    // Past the button, which is disabled; and past our own commands, to the updater's.
    let call = |command: &str, words: &str| {
        format!(
            "return window.__TAURI_INTERNALS__.invoke('{command}', {words})
                 .then((answer) => JSON.stringify(answer), (refusal) => 'refused: ' + JSON.stringify(refusal))"
        )
    };
    let look = window.ask_page(&call("check_for_update", "{}")).await.unwrap();
    assert!(look.as_str().unwrap().contains("forbidden"), "{look}");
    let install = window.ask_page(&call("install_update", "{ version: '9.0.0' }")).await.unwrap();
    assert!(install.as_str().unwrap().contains("forbidden"), "{install}");
    for command in ["check", "download", "install", "download_and_install"] {
        let answer = window.ask_page(&call(&format!("plugin:updater|{command}"), "{}")).await.unwrap();
        assert!(answer.as_str().unwrap().starts_with("refused"), "{command}: {answer}");
    }

    assert!(person.place.asked().is_empty(), "{:?}", person.place.asked());
    assert!(person.is_untouched());
    window.close().await.unwrap();
}
