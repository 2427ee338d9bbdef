//! A session of its own: home, bus and keyring.
//!
//! Which bus is asked stands in the environment of the process, so each test is run again in a process of its own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use steward_testkit::until;
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue};

/// Set in the process of a test: the folder that is its home.
const HOME: &str = "STEWARD_VAULT_TEST_HOME";

/// The keyring's name on the bus.
const SECRETS: &str = "org.freedesktop.secrets";

/// The keyring takes any password but none at all.
const PASSWORD: &str = "practice";

/// The home of one test. What it starts ends with it.
pub(crate) struct Session {
    home: PathBuf,
    bus: Option<Running>,
    keyring: Option<Running>,
    silent_prompter: Option<zbus::blocking::Connection>,
}

/// A program of the session.
struct Running(Child);

/// Runs a situation in a process and a home of its own. `test` is the test's full name.
pub(crate) fn alone(test: &str, situation: impl AsyncFnOnce(&mut Session)) {
    if let Some(home) = std::env::var_os(HOME) {
        let mut session =
            Session { home: PathBuf::from(home), bus: None, keyring: None, silent_prompter: None };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(situation(&mut session));
        return;
    }
    // The path of a socket may have 108 bytes.
    let home = tempfile::Builder::new().prefix("vault-").tempdir_in("/tmp").unwrap();
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    again.env(HOME, home.path()).env("HOME", home.path());
    for (variable, folder) in [
        ("XDG_RUNTIME_DIR", "run"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_CACHE_HOME", "cache"),
    ] {
        let path = home.path().join(folder);
        std::fs::DirBuilder::new().mode(0o700).create(&path).unwrap();
        again.env(variable, path);
    }
    again.env("DBUS_SESSION_BUS_ADDRESS", format!("unix:path={}", home.path().join("bus").display()));
    // A dialog for a password must not appear on anybody's screen.
    again.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("GNOME_KEYRING_CONTROL");
    let output = again.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        // A name that matches no test is no success.
        output.status.success() && said.contains("1 passed"),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

impl Session {
    /// Starts the bus, on which nobody starts a keyring by itself.
    pub(crate) fn start_bus(&mut self) {
        let configuration = self.home.join("bus.conf");
        let socket = self.home.join("bus");
        let text = format!(
            "<busconfig><type>session</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>\
             <policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>\
             <allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>",
            socket.display()
        );
        std::fs::write(&configuration, text).unwrap();
        let mut daemon = Command::new("dbus-daemon");
        daemon.args(["--nofork", "--nosyslog", "--print-address=1"]);
        daemon.arg(format!("--config-file={}", configuration.display()));
        let mut bus = Running::start(daemon.stdin(Stdio::null()).stdout(Stdio::piped()));
        let mut address = String::new();
        BufReader::new(bus.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
        assert!(address.contains("unix:path"), "the bus did not start: {address}");
        self.bus = Some(bus);
    }

    /// Starts the keyring, unlocked, and waits until it can be written to.
    pub(crate) async fn start_keyring(&mut self) {
        self.spawn_keyring(&["--unlock"]).await;
        until("the keyring is unlocked", async || is_locked().await == Some(false)).await;
    }

    /// Starts the keyring that was there before, without its password.
    pub(crate) async fn start_locked_keyring(&mut self) {
        self.spawn_keyring(&[]).await;
        until("the keyring is locked", async || is_locked().await == Some(true)).await;
    }

    /// Gives the running keyring its password, by the way that its own programs take.
    pub(crate) async fn unlock(&self) {
        let bus = zbus::Connection::session().await.unwrap();
        let interface = "org.freedesktop.Secret.Service";
        let service = zbus::Proxy::new(&bus, SECRETS, "/org/freedesktop/secrets", interface).await.unwrap();
        let plain = ("plain", zbus::zvariant::Value::from(""));
        let (_, session): (OwnedValue, OwnedObjectPath) = service.call("OpenSession", &plain).await.unwrap();
        let interface = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface";
        let keyring = zbus::Proxy::new(&bus, SECRETS, "/org/freedesktop/secrets", interface).await.unwrap();
        let password = (session, Vec::<u8>::new(), PASSWORD.as_bytes(), "text/plain");
        let collection = ObjectPath::try_from("/org/freedesktop/secrets/collection/login").unwrap();
        let () = keyring.call("UnlockWithMasterPassword", &(collection, password)).await.unwrap();
        until("the keyring is unlocked", async || is_locked().await == Some(false)).await;
    }

    /// From now on, the keyring's dialog for a password is shown to nobody, and never answered.
    pub(crate) fn nobody_answers_dialogs(&mut self) {
        let prompter = zbus::blocking::Connection::session().unwrap();
        prompter.request_name("org.gnome.keyring.SystemPrompter").unwrap();
        prompter.request_name("org.gnome.keyring.PrivatePrompter").unwrap();
        self.silent_prompter = Some(prompter);
    }

    /// The keyring is stopped in the middle of whatever it does.
    pub(crate) fn freeze(&self) {
        self.keyring.as_ref().unwrap().signal(Signal::STOP);
    }

    /// The keyring goes on.
    pub(crate) fn thaw(&self) {
        self.keyring.as_ref().unwrap().signal(Signal::CONT);
    }

    /// The keyring is killed.
    pub(crate) async fn kill_keyring(&mut self) {
        self.keyring.take();
        until("the keyring is gone", async || !has_keyring().await).await;
    }

    /// The files below this home that contain `text`.
    pub(crate) fn files_with(&self, text: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        search(&self.home, text.as_bytes(), &mut found);
        found
    }

    async fn spawn_keyring(&mut self, words: &[&str]) {
        let mut daemon = Command::new("gnome-keyring-daemon");
        daemon.args(["--foreground", "--components=secrets"]).args(words);
        let mut keyring = Running::start(daemon.stdin(Stdio::piped()).stdout(Stdio::null()));
        keyring.0.stdin.take().unwrap().write_all(PASSWORD.as_bytes()).unwrap();
        self.keyring = Some(keyring);
        until("the keyring is on the bus", async || has_keyring().await).await;
    }
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let name = command.get_program().display().to_string();
        let child = command.stderr(Stdio::null()).spawn();
        Self(child.unwrap_or_else(|error| {
            panic!("{name}: {error}; `cargo xtask test --only packages` installs it")
        }))
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn has_keyring() -> bool {
    let owner = async {
        let bus = zbus::Connection::session().await?;
        let bus = zbus::fdo::DBusProxy::new(&bus).await?;
        bus.name_has_owner(SECRETS.try_into()?).await.map_err(zbus::Error::from)
    };
    owner.await.unwrap_or(false)
}

/// Whether the collection that is written to is locked; `None` while there is none.
async fn is_locked() -> Option<bool> {
    let bus = zbus::Connection::session().await.ok()?;
    let collection = zbus::Proxy::new(
        &bus,
        SECRETS,
        "/org/freedesktop/secrets/aliases/default",
        "org.freedesktop.Secret.Collection",
    );
    collection.await.ok()?.get_property("Locked").await.ok()
}

fn search(folder: &Path, text: &[u8], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            search(&entry.path(), text, found);
        } else if kind.is_file() {
            let content = std::fs::read(entry.path()).unwrap();
            if content.windows(text.len()).any(|window| window == text) {
                found.push(entry.path());
            }
        }
    }
}
