use std::os::unix::fs::PermissionsExt;

use steward_vault::{KeyringStore, SecretStore};

use crate::practice::TestApp;

const HOURS_72: i64 = 72 * 60 * 60 * 1000;

fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

#[tokio::test]
async fn a_refreshed_invitation_is_saved_through_the_real_dialog_and_the_token_lies_in_the_real_keyring() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    let file = desk.place("guest.invite");

    let before = now();
    window.refresh_invitation(&file).await.unwrap();
    let after = now();

    // The bytes on disk are the invitation that the portal now holds, for this person's eyes only.
    let bytes = std::fs::read(&file).unwrap();
    let saved: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let id = saved["invitationRequest"]["id"].as_str().unwrap();
    let (request, expiration): (String, i64) = desk
        .portal_database()
        .query_row("SELECT request, expiration FROM invitations WHERE id = ?1", [id], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    let held: serde_json::Value = serde_json::from_str(&request).unwrap();
    assert!(saved == held || saved["invitationRequest"] == held, "{saved}\n{held}");
    assert!((before + HOURS_72..=after + HOURS_72).contains(&expiration), "now + 72 hours");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    window.see(&file.display().to_string()).await.unwrap();

    // The token is in the Secret Service, and in no file of the program.
    let keyring = KeyringStore::new("site-steward").unwrap();
    let secret = keyring.get("practice/portal").await.unwrap().expect("a token is stored");
    let stored: serde_json::Value = serde_json::from_str(secret.expose()).unwrap();
    let token = stored["token"].as_str().unwrap();
    assert!(token.len() > 20);
    assert_eq!(files_with(&desk.program.folder(), token), Vec::<std::path::PathBuf>::new());

    assert_eq!(window.policy_violations().await.unwrap(), serde_json::json!([]));
    window.close().await.unwrap();
}

/// The files below a folder that hold a text.
fn files_with(folder: &std::path::Path, text: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read(&path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text)) {
                found.push(path);
            }
        }
    }
    found
}
