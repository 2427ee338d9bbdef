use steward_vault::{KeyringError, KeyringStore, SecretStore as _};

use crate::session::{Session, alone};
use crate::{secret, store};

/// All three questions are answered "absent", and nothing was kept anywhere in their place.
async fn is_said(session: &Session, store: &KeyringStore) {
    let answer = store.set("site/portal", secret("cAnArY7391")).await;
    assert!(matches!(answer, Err(KeyringError::Absent(_))), "{answer:?}");
    let answer = store.get("site/portal").await;
    assert!(matches!(answer, Err(KeyringError::Absent(_))), "{answer:?}");
    let answer = store.forget("site/portal").await;
    assert!(matches!(answer, Err(KeyringError::Absent(_))), "{answer:?}");
    assert!(session.files_with("cAnArY7391").is_empty());
}

#[test]
fn a_missing_session_bus_is_said_and_nothing_is_kept_elsewhere() {
    alone("absent::a_missing_session_bus_is_said_and_nothing_is_kept_elsewhere", async |session| {
        is_said(session, &store()).await;
    });
}

#[test]
fn a_bus_without_a_keyring_is_said_and_nothing_is_kept_elsewhere() {
    alone("absent::a_bus_without_a_keyring_is_said_and_nothing_is_kept_elsewhere", async |session| {
        session.start_bus();
        is_said(session, &store()).await;
    });
}

#[test]
fn a_keyring_that_appears_later_is_used_without_a_restart_of_the_program() {
    let name = "absent::a_keyring_that_appears_later_is_used_without_a_restart_of_the_program";
    alone(name, async |session| {
        let store = store();
        is_said(session, &store).await;
        session.start_bus();
        is_said(session, &store).await;

        session.start_keyring().await;

        assert_eq!(store.get("site/portal").await.unwrap(), None, "what was refused was not kept for later");
        store.set("site/portal", secret("kept")).await.unwrap();
        assert_eq!(store.get("site/portal").await.unwrap(), Some(secret("kept")));
    });
}
