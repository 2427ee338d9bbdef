//! Sites that are killed or stopped in the middle of something. The real program, in a process of its own.

use crate::import_portal::everything;
use crate::process::Process;
use crate::receiver::Receiver;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use steward_testkit::until;
use tempfile::TempDir;

/// Content that takes a while, so that there is a middle to be interrupted in.
fn much_content(data: &Path) {
    let database = rusqlite::Connection::open(data.join("portal/portal.db")).unwrap();
    let mut items = database.prepare("SELECT id FROM items").unwrap();
    let items: Vec<String> = items.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let text: String =
        (0..60_000u64).map(|n| format!("{n} {}\n", n.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
    for item in items.iter().take(150) {
        std::fs::write(data.join("portal/content").join(item).join("long.txt"), &text).unwrap();
    }
}

fn half_files(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "part")).collect()
}

async fn site_with_much_content() -> (TempDir, PathBuf, Process) {
    let folder = tempfile::tempdir().unwrap();
    let exports = folder.path().join("exports");
    std::fs::create_dir(&exports).unwrap();
    let site = Process::start(folder.path()).await;
    much_content(&folder.path().join("data"));
    (folder, exports, site)
}

#[tokio::test]
async fn a_killed_export_leaves_no_archive_and_the_next_start_removes_the_half_file() {
    let (folder, exports, site) = site_with_much_content().await;
    let address = format!("{}/portaladmin/exportSite", site.ready.portal);
    let form = [("location", exports.to_str().unwrap())];
    let (answer, ()) = tokio::join!(site.post(address, &form), async {
        until("half a file", async || !half_files(&exports).is_empty()).await;
        site.kill();
    });
    assert!(answer.is_err(), "{answer:?}");
    assert_eq!(half_files(&exports).len(), 1);
    assert_eq!(std::fs::read_dir(&exports).unwrap().count(), 1, "an archive that is not whole has its name");

    let again = Process::start(folder.path()).await;
    assert!(half_files(&exports).is_empty());
    assert_eq!(std::fs::read_dir(folder.path().join("data/unfinished")).unwrap().count(), 0);
    again.end();
}

#[cfg(unix)]
#[tokio::test]
async fn a_stop_in_the_middle_of_an_export_is_clean_and_leaves_nothing() {
    let (folder, exports, site) = site_with_much_content().await;
    let address = format!("{}/portaladmin/exportSite", site.ready.portal);
    let form = [("location", exports.to_str().unwrap())];
    let (answer, ()) = tokio::join!(site.post(address, &form), async {
        until("half a file", async || !half_files(&exports).is_empty()).await;
        site.terminate();
    });
    // Told why, or cut off; but never a success.
    assert!(answer.map_or(true, |answer| answer["error"]["code"] == 500));
    assert!(site.ended_well());
    assert_eq!(std::fs::read_dir(&exports).unwrap().count(), 0);
    drop(folder);
}

#[tokio::test]
async fn a_portal_import_that_is_killed_leaves_the_old_portal_or_the_new_one() {
    let (folder, exports, site) = site_with_much_content().await;
    let data = folder.path().join("data");
    let new = everything(&data);
    let address = format!("{}/portaladmin/exportSite", site.ready.portal);
    let form = [("location", exports.to_str().unwrap())];
    let answer = site.post(address, &form).await.unwrap();
    let archive = PathBuf::from(answer["location"].as_str().unwrap());
    // The old one: the same with a mark that the new one does not have.
    let mark = || {
        rusqlite::Connection::open(data.join("portal/portal.db"))
            .unwrap()
            .execute_batch("UPDATE users SET email = 'marked@example.org';")
            .unwrap()
    };
    mark();
    let old = everything(&data);
    site.kill();

    let mut ends = [0, 0];
    let mut wait = 0;
    // From the first bytes of the unpacking to after the end: how long that takes depends on the machine.
    while wait < 1_000 || ends[1] == 0 {
        assert!(wait < 60_000, "no import came to its end: {ends:?}");
        let site = Process::start(folder.path()).await;
        let address = format!("{}/portaladmin/importSite", site.ready.portal);
        let form = [("location", archive.to_str().unwrap())];
        let staging = || {
            let folders = std::fs::read_dir(data.join("portal")).unwrap();
            folders
                .filter(|one| one.as_ref().unwrap().file_name().to_string_lossy().starts_with("content"))
                .count()
                > 1
        };
        let kill = async {
            until("new content", async || staging()).await;
            tokio::time::sleep(Duration::from_millis(wait)).await;
            site.kill();
        };
        tokio::select! {
            answer = site.post(address, &form) => {
                assert!(answer.as_ref().map_or(true, |answer| answer["status"] == "success"), "{answer:?}");
            }
            () = kill => {}
        }
        site.kill();
        // The next start clears what was cut off, and finds one whole portal.
        let again = Process::start(folder.path()).await;
        let found = everything(&data);
        let is_new = found.1 == new.1 && found.0 == new.0;
        assert!(is_new || found == old, "killed after {wait} ms: neither the old portal nor the new one");
        assert!(!staging(), "killed after {wait} ms: content of the other portal stays");
        ends[usize::from(is_new)] += 1;
        again.end();
        mark();
        wait = 2 * wait + 15;
    }
    assert!(ends[0] > 0, "no kill came before the end: {ends:?}");
}

#[tokio::test]
async fn what_was_answered_outlives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let site = Process::start(folder.path()).await;
    let token = site.token("administrator").await;
    let address = format!("{}/admin/services/Hosted/Hydrants.FeatureServer/webhooks", site.ready.server);
    let form = [("token", token.as_str())];
    let answer = site.http.post(format!("{address}/deactivateAll")).form(&form).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["status"], "success");
    site.kill();

    let again = Process::start(folder.path()).await;
    let address = address.replace(&site_origin(&address), &site_origin(&again.ready.server));
    let hooks: Value = again.http.post(address).form(&form).send().await.unwrap().json().await.unwrap();
    assert!(!hooks["webhooks"].as_array().unwrap().is_empty());
    assert!(hooks["webhooks"].as_array().unwrap().iter().all(|hook| hook["active"] == false));
    again.end();
}

fn site_origin(address: &str) -> String {
    url::Url::parse(address).unwrap().origin().ascii_serialization()
}

#[cfg(unix)]
#[tokio::test]
async fn a_full_disk_is_said_and_nothing_half_written_is_left() {
    let (folder, exports, site) = site_with_much_content().await;
    site.kill();
    // No file of this process may grow beyond 8 MiB; the system answers as it does when a disk is full.
    let limited = format!("trap '' XFSZ; ulimit -f 8192; exec {}", env!("CARGO_BIN_EXE_practice-site"));
    let mut command = std::process::Command::new("bash");
    command.args(["-c", &format!("{limited} \"$@\""), "practice-site"]);
    let site = Process::start_as(command, folder.path()).await;
    let address = format!("{}/portaladmin/exportSite", site.ready.portal);
    let form = [("location", exports.to_str().unwrap())];
    let answer = site.post(address, &form).await.unwrap();
    assert_eq!(answer["error"]["code"], 500, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("no room") && message.contains(exports.to_str().unwrap()), "{message}");
    assert_eq!(std::fs::read_dir(&exports).unwrap().count(), 0);
    site.end();
}

#[tokio::test]
async fn an_edit_that_was_answered_is_delivered_although_the_program_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    // Whatever arrives before the kill is refused and stays in the queue.
    let receiver = Receiver::that_answers(500).await;
    let site = Process::start(folder.path()).await;
    let at = |path: &str| format!("{}{path}", site.ready.server);
    let schedule = json!({ "recurrenceInfo": { "interval": 1 } }).to_string();
    let form = [
        ("name", "Tell me"),
        ("hookUrl", &receiver.url("fs")),
        ("active", "true"),
        ("changeTypes", "*"),
        ("scheduleInfo", &schedule),
    ];
    let webhooks = "/admin/services/Hosted/Playgrounds.FeatureServer/webhooks";
    let answer = site.post(at(&format!("{webhooks}/create")), &form).await.unwrap();
    assert_eq!(answer["status"], "success");
    let form = [("adds", r#"[{"attributes":{"NAME":"Mill Lane"}}]"#)];
    let path = "/rest/services/Hosted/Playgrounds/FeatureServer/0/applyEdits";
    let answer = site.post(at(path), &form).await.unwrap();
    assert_eq!(answer["addResults"][0]["success"], true);
    site.kill();
    let before = receiver.at("fs").len();
    receiver.answers(200);

    let _again = Process::start(folder.path()).await;
    let received = receiver.wait_for("fs", before + 1).await;
    assert_eq!(received[before].json().unwrap()[0]["events"], json!(["FeaturesCreated"]));
}
