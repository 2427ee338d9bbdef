//! A site in a temporary folder, and short ways to talk to it.

use practice_site::{Options, PracticeSite, Release};
use reqwest::Client;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use steward_testkit::seeded_site;
use tempfile::TempDir;

pub(crate) struct Rehearsal {
    pub(crate) site: PracticeSite,
    pub(crate) http: Client,
    folder: TempDir,
    tokens: Mutex<HashMap<String, String>>,
}

pub(crate) fn options(data_dir: &Path, http: bool) -> Options {
    let listen = "127.0.0.1:0".parse().unwrap();
    Options {
        data_dir: data_dir.to_owned(),
        listen,
        localhost: false,
        http,
        deliver_anywhere: false,
        servers: 1,
        release: Release::default(),
    }
}

/// A new site over plain http. What it logs as a warning is in the output of a test that fails.
pub(crate) async fn rehearsal() -> Rehearsal {
    // Only the first test of the process sets it.
    let _ = tracing_subscriber::fmt().with_max_level(tracing::Level::WARN).with_test_writer().try_init();
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("exports")).unwrap();
    let site = seeded_site(options(&folder.path().join("data"), true)).await.unwrap();
    Rehearsal { site, http: Client::new(), folder, tokens: Mutex::default() }
}

impl Rehearsal {
    /// The same site after a stop.
    pub(crate) async fn restarted(self) -> Rehearsal {
        self.restarted_with(|_| {}).await
    }

    /// The same with other options.
    pub(crate) async fn restarted_with(self, change: impl FnOnce(&mut Options)) -> Rehearsal {
        let Rehearsal { site, http, folder, tokens } = self;
        site.stop().await;
        let mut options = options(&folder.path().join("data"), true);
        change(&mut options);
        let site = PracticeSite::start(options).await.unwrap();
        Rehearsal { site, http, folder, tokens }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A folder for exports, outside of the site's own.
    pub(crate) fn exports(&self) -> PathBuf {
        self.folder.path().join("exports")
    }

    pub(crate) fn exported_files(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.exports()).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.site.ready().portal.strip_suffix("/portal").unwrap())
    }

    pub(crate) fn sign_in(&self, role: &str) -> (String, String) {
        let user = self.site.ready().users.iter().find(|user| user.role == role).unwrap();
        (user.username.clone(), user.password.clone())
    }

    /// A token of this role. The same one each time.
    pub(crate) async fn token(&self, role: &str) -> String {
        if let Some(token) = self.tokens.lock().unwrap().get(role) {
            return token.clone();
        }
        let (username, password) = self.sign_in(role);
        let form = [("username", username.as_str()), ("password", &password), ("client", "requestip")];
        let answer = self.post("/portal/sharing/rest/generateToken", &form).await;
        let token = answer["token"].as_str().unwrap().to_owned();
        self.tokens.lock().unwrap().insert(role.to_owned(), token.clone());
        token
    }

    /// A POST. Whatever the answer says, it says it with HTTP 200.
    pub(crate) async fn post(&self, path: &str, form: &[(&str, &str)]) -> Value {
        let response = self.http.post(self.address(path)).form(form).send().await.unwrap();
        assert_eq!(response.status(), 200);
        response.json().await.unwrap()
    }

    /// A GET, under the same rule.
    pub(crate) async fn get(&self, path: &str, query: &[(&str, &str)]) -> Value {
        let mut address = url::Url::parse(&self.address(path)).unwrap();
        address.query_pairs_mut().extend_pairs(query);
        let response = self.http.get(address).send().await.unwrap();
        assert_eq!(response.status(), 200);
        response.json().await.unwrap()
    }

    /// A POST by somebody of this role.
    pub(crate) async fn post_as(&self, role: &str, path: &str, form: &[(&str, &str)]) -> Value {
        let token = self.token(role).await;
        self.post(path, &[form, &[("token", &token)]].concat()).await
    }

    /// A GET by somebody of this role.
    pub(crate) async fn get_as(&self, role: &str, path: &str) -> Value {
        let token = self.token(role).await;
        self.get(path, &[("token", &token)]).await
    }

    pub(crate) fn portal_db(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.data().join("portal/portal.db")).unwrap()
    }

    pub(crate) fn server_db(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.data().join("server/server.db")).unwrap()
    }

    /// The first collaboration that this portal hosts (or, with `false`, that it is a guest of).
    pub(crate) async fn collaboration(&self, hosted: bool) -> String {
        let ours: String =
            self.portal_db().query_row("SELECT uuid FROM portal", [], |row| row.get(0)).unwrap();
        let all = self.get_as("administrator", COLLABORATIONS).await;
        let all = all["collaborations"].as_array().unwrap().clone();
        let found = all.iter().find(|one| (one["collaborationHostPortalId"] == ours.as_str()) == hosted);
        format!("{COLLABORATIONS}/{}", found.unwrap()["id"].as_str().unwrap())
    }
}

pub(crate) const COLLABORATIONS: &str = "/portal/sharing/rest/portals/self/collaborations";

/// The code of the specification's error object, after checking its shape.
#[track_caller]
pub(crate) fn error_code(answer: &Value) -> i64 {
    let error = &answer["error"];
    assert!(error["message"].is_string(), "no error object: {answer}");
    assert!(error.get("details").is_some(), "no details: {answer}");
    error["code"].as_i64().unwrap()
}

/// The same in the server area, where the field's shape stands beside it.
#[track_caller]
pub(crate) fn server_error_code(answer: &Value) -> i64 {
    let code = error_code(answer);
    assert_eq!(answer["status"], "error");
    assert_eq!(answer["code"], code);
    assert_eq!(answer["messages"][0], answer["error"]["message"]);
    code
}
