//! The program is killed, not stopped.

use crate::receiver::{Receiver, until};
use serde_json::{Value, json};
use std::process::{Child, Command, Stdio};

struct Program {
    child: Child,
    ready: Value,
}

impl Program {
    async fn start(folder: &std::path::Path) -> Program {
        let ready = folder.join("ready.json");
        let _ = std::fs::remove_file(&ready);
        let child = Command::new(env!("CARGO_BIN_EXE_practice-site"))
            .args(["serve", "--http", "--data-dir"])
            .arg(folder.join("data"))
            .arg("--ready-file")
            .arg(&ready)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let read = || -> Option<Value> { serde_json::from_slice(&std::fs::read(&ready).ok()?).ok() };
        until("the program to be ready", async || read().is_some()).await;
        Program { child, ready: read().unwrap() }
    }

    async fn post(&self, area: &str, path: &str, form: &[(&str, &str)]) -> Value {
        let address = format!("{}{path}", self.ready[area].as_str().unwrap());
        reqwest::Client::new().post(address).form(form).send().await.unwrap().json().await.unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn an_edit_that_was_answered_is_delivered_although_the_program_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    // Whatever arrives before the kill is refused and stays in the queue.
    let receiver = Receiver::that_answers(500).await;
    let program = Program::start(folder.path()).await;
    let users = program.ready["users"].as_array().unwrap();
    let publisher = users.iter().find(|user| user["role"] == "publisher").unwrap();
    let form = [
        ("username", publisher["username"].as_str().unwrap()),
        ("password", publisher["password"].as_str().unwrap()),
        ("client", "requestip"),
    ];
    let answer = program.post("portal", "/sharing/rest/generateToken", &form).await;
    let token = answer["token"].as_str().unwrap();
    let schedule = json!({ "recurrenceInfo": { "interval": 1 } }).to_string();
    let form = [
        ("token", token),
        ("name", "Tell me"),
        ("hookUrl", &receiver.url("fs")),
        ("active", "true"),
        ("changeTypes", "*"),
        ("scheduleInfo", &schedule),
    ];
    let webhooks = "/admin/services/Hosted/Playgrounds.FeatureServer/webhooks";
    let answer = program.post("server", &format!("{webhooks}/create"), &form).await;
    assert_eq!(answer["status"], "success");
    let form = [("token", token), ("adds", r#"[{"attributes":{"NAME":"Mill Lane"}}]"#)];
    let path = "/rest/services/Hosted/Playgrounds/FeatureServer/0/applyEdits";
    let answer = program.post("server", path, &form).await;
    assert_eq!(answer["addResults"][0]["success"], true);
    drop(program);
    let before = receiver.at("fs").len();
    receiver.answers(200);

    let _again = Program::start(folder.path()).await;
    let received = receiver.wait_for("fs", before + 1).await;
    assert_eq!(received[before].json()[0]["events"], json!(["FeaturesCreated"]));
}
