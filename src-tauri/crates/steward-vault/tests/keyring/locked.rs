use std::time::Duration;

use steward_vault::{KeyringError, SecretStore as _};

use crate::session::{Session, alone};
use crate::{secret, store};

async fn with_a_locked_entry(session: &mut Session) {
    session.start_bus();
    session.start_keyring().await;
    store().set("site/portal", secret("kept")).await.unwrap();
    session.kill_keyring().await;
    session.start_locked_keyring().await;
}

#[test]
fn a_locked_keyring_whose_dialog_is_dismissed_is_said() {
    alone("locked::a_locked_keyring_whose_dialog_is_dismissed_is_said", async |session| {
        with_a_locked_entry(session).await;
        let store = store();

        // Nobody shows a dialog here, which the keyring takes for a dismissed one.
        let answer = store.get("site/portal").await;
        assert!(matches!(answer, Err(KeyringError::Locked(_))), "{answer:?}");
        let answer = store.set("site/portal", secret("cAnArY7391")).await;
        assert!(matches!(answer, Err(KeyringError::Locked(_))), "{answer:?}");
        let answer = store.set("another/portal", secret("cAnArY7391")).await;
        assert!(matches!(answer, Err(KeyringError::Locked(_))), "{answer:?}");
        let answer = store.forget("site/portal").await;
        assert!(matches!(answer, Err(KeyringError::Locked(_))), "{answer:?}");
        assert!(session.files_with("cAnArY7391").is_empty());

        session.unlock().await;
        assert_eq!(store.get("site/portal").await.unwrap(), Some(secret("kept")));
        assert_eq!(store.get("another/portal").await.unwrap(), None);
    });
}

#[test]
fn a_locked_keyring_whose_dialog_nobody_answers_is_locked_and_not_merely_slow() {
    let name = "locked::a_locked_keyring_whose_dialog_nobody_answers_is_locked_and_not_merely_slow";
    alone(name, async |session| {
        with_a_locked_entry(session).await;
        session.nobody_answers_dialogs();
        let store = store().with_timeout(Duration::from_millis(500));

        let answer = store.get("site/portal").await;

        assert!(matches!(answer, Err(KeyringError::Locked(_))), "{answer:?}");
    });
}
