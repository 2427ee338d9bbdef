//! The real program in a process of its own, for situations that only a process can be in.

use practice_site::Ready;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use steward_testkit::until_some;

/// A site in a process of its own, over plain http.
pub(crate) struct Process {
    child: Mutex<Child>,
    pub(crate) ready: Ready,
    pub(crate) http: reqwest::Client,
}

impl Process {
    pub(crate) async fn start(folder: &Path) -> Process {
        Process::start_as(Command::new(env!("CARGO_BIN_EXE_practice-site")), folder).await
    }

    pub(crate) async fn start_as(mut command: Command, folder: &Path) -> Process {
        let ready_file = folder.join("ready.json");
        let _ = std::fs::remove_file(&ready_file);
        let child = command
            .args(["serve", "--http", "--data-dir"])
            .arg(folder.join("data"))
            .arg("--ready-file")
            .arg(&ready_file)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let ready = until_some("the ready file", async || {
            serde_json::from_slice(&std::fs::read(&ready_file).ok()?).ok()
        })
        .await;
        Process { child: Mutex::new(child), ready, http: reqwest::Client::new() }
    }

    /// Kills it, whoever still speaks to it.
    pub(crate) fn kill(&self) {
        let mut child = self.child.lock().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Asks it to end, with SIGTERM.
    #[cfg(unix)]
    pub(crate) fn terminate(&self) {
        let pid = self.child.lock().unwrap().id().to_string();
        assert!(Command::new("kill").arg(pid).status().unwrap().success());
    }

    #[cfg(unix)]
    pub(crate) fn ended_well(self) -> bool {
        self.child.lock().unwrap().wait().unwrap().success()
    }

    /// Asks it to end, which goes well. Windows has no way to ask a process without a window.
    pub(crate) fn end(self) {
        #[cfg(unix)]
        {
            self.terminate();
            assert!(self.ended_well());
        }
        #[cfg(not(unix))]
        self.kill();
    }

    pub(crate) async fn token(&self, role: &str) -> String {
        let user = self.ready.users.iter().find(|user| user.role == role).unwrap();
        let form = [("username", &user.username), ("password", &user.password)];
        let address = format!("{}/sharing/rest/generateToken", self.ready.portal);
        let answer: Value = self.http.post(address).form(&form).send().await.unwrap().json().await.unwrap();
        answer["token"].as_str().unwrap().to_owned()
    }

    /// A POST by an administrator. It may well be cut off.
    pub(crate) async fn post(&self, address: String, form: &[(&str, &str)]) -> reqwest::Result<Value> {
        let token = self.token("administrator").await;
        self.http.post(address).form(&[form, &[("token", &token)]].concat()).send().await?.json().await
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A test that failed leaves nobody behind. One that went well has ended it already.
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}
