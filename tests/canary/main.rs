//! Canaries: secrets are planted wherever one can come in, everything is done that can be done, and then whatever
//! left the program is searched for them: the log at its most talkative, the journal's bytes, evidence, tables,
//! commands, the saved sites, the doctor's text, every answer and every event for the window, the words of a panic.
//!
//! What may hold a secret: the keyring; the file of an invitation, which *is* the invitation, saved where the person
//! said; and, until it is saved, the folder of kept invitations.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod left;
mod program;

use std::process::Command;

use left::CANARY;

/// Set in the process that is searched.
const INSIDE: &str = "STEWARD_CANARY_INSIDE";

const NAME: &str = "no_secret_leaves_the_program_but_to_the_site_and_the_keyring";

/// In a process of its own: the log, the panic hook and the proxy's variables belong to a whole process.
#[test]
fn no_secret_leaves_the_program_but_to_the_site_and_the_keyring() {
    if std::env::var_os(INSIDE).is_some() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(program::everything());
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
    left::assert_clean("the terminal", &said, &[]);
}
