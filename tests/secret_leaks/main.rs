//! Canaries: secrets are planted wherever one can come in, everything is done that can be done, and then whatever
//! left the program is searched for them: the log at its most talkative, the journal's bytes, evidence, tables,
//! commands, the saved sites, the doctor's text, every answer and every event for the window, the words of a panic.
//!
//! What may hold a secret: the keyring; the file of an invitation, which *is* the invitation, saved where the person
//! said; and, until it is saved, the folder of kept invitations.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod alerts;
mod hostile;
mod left;
mod looking;
mod operations;
mod program;

use std::process::Command;

use steward_core::logs;

use left::{CANARY, assert_clean, assert_clean_files};
use program::Program;

/// Set in the process that is searched.
const INSIDE: &str = "STEWARD_CANARY_INSIDE";

const NAME: &str = "no_secret_leaves_the_program_but_to_the_site_and_the_keyring";

/// In a process of its own: the log, the panic hook and the proxy's variables belong to a whole process.
#[test]
fn no_secret_leaves_the_program_but_to_the_site_and_the_keyring() {
    if std::env::var_os(INSIDE).is_some() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(everything());
        return;
    }
    let mut inside = Command::new(std::env::current_exe().unwrap());
    inside.args([NAME, "--exact", "--nocapture"]).env(INSIDE, "1");
    inside.env("RUST_LOG", "trace,hyper=trace,reqwest=trace,rustls=trace,h2=trace");
    // Nobody listens there: the way to a site that is not on this computer ends at once.
    let proxy = format!("http://sam:{CANARY}proxy@127.0.0.1:9");
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
        inside.env(name, &proxy);
    }
    let output = inside.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&said);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    assert!(text.contains("started"), "the log is heard on the terminal too: {text}");
    assert_clean("the terminal", &said, &[]);
}

async fn everything() {
    let folder = tempfile::tempdir().unwrap();
    let (kept, saved) = (folder.path().join("program"), folder.path().join("saved"));
    std::fs::create_dir_all(&saved).unwrap();
    logs::start(&kept.join(logs::FOLDER));
    let program = Program::new(folder.path()).await;

    program.sign_in().await;
    program.work_well(folder.path()).await;
    program.work_with_a_site_that_repeats().await;
    Box::pin(program.renew_with_a_site_that_repeats()).await;
    program.work_with_a_site_that_repeats_receivers().await;
    program.look_at_items_full_of_secrets(&saved).await;
    program.compare_snapshots_full_of_secrets(&saved).await;
    program.tell_receivers_that_repeat(folder.path()).await;
    program.examine().await;
    // A line of the program that lets one through, as somebody could write it.
    tracing::warn!(target: "steward_core", "asked for https://gis.example.org/?token={CANARY}log");
    let _ = std::thread::spawn(|| panic!("asked for https://gis.example.org/?token={CANARY}panic")).join();
    program.take_out(&saved).await;

    let secrets = program.secrets.lock().unwrap().clone();
    assert!(secrets.len() >= 2, "the site issued tokens and an invitation");
    let window = program.window.lock().unwrap().clone();
    assert!(window.len() > 10_000, "{}", window.len());
    assert_clean("what the window was told", &window, &secrets);
    // With the journal's log beside it, before anything is folded into it.
    let files = assert_clean_files(&kept, &secrets) + assert_clean_files(&saved, &secrets);
    assert!(files >= 8, "{files} files");
    let log = std::fs::read_to_string(kept.join("logs/site-steward.log")).unwrap();
    assert!(
        log.contains("panicked at") && log.contains("started") && log.contains("asked for https"),
        "{log}"
    );
}
