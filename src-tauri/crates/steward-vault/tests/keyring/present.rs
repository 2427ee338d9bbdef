use steward_vault::{KeyringError, SecretStore as _};

use crate::session::alone;
use crate::{secret, store};

#[test]
fn a_secret_is_kept_replaced_and_forgotten() {
    alone("present::a_secret_is_kept_replaced_and_forgotten", async |session| {
        session.start_bus();
        session.start_keyring().await;
        let store = store();

        assert_eq!(store.get("site/portal").await.unwrap(), None);
        assert!(!store.forget("site/portal").await.unwrap(), "there was none");
        store.set("site/portal", secret("first")).await.unwrap();
        store.set("site/portal", secret("zweite ü \" }")).await.unwrap();
        store.set("site/server", secret("")).await.unwrap();
        assert_eq!(store.get("site/portal").await.unwrap(), Some(secret("zweite ü \" }")));
        assert_eq!(store.get("site/server").await.unwrap(), Some(secret("")));

        assert!(store.forget("site/portal").await.unwrap());
        assert_eq!(store.get("site/portal").await.unwrap(), None);
        assert_eq!(store.get("site/server").await.unwrap(), Some(secret("")));
    });
}

#[test]
fn a_secret_is_there_after_the_program_and_the_keyring_were_started_again() {
    let name = "present::a_secret_is_there_after_the_program_and_the_keyring_were_started_again";
    alone(name, async |session| {
        session.start_bus();
        session.start_keyring().await;
        store().set("site/portal", secret("cAnArY7391")).await.unwrap();
        assert_eq!(store().get("site/portal").await.unwrap(), Some(secret("cAnArY7391")));

        session.kill_keyring().await;
        session.start_keyring().await;

        assert_eq!(store().get("site/portal").await.unwrap(), Some(secret("cAnArY7391")));
        assert!(
            session.files_with("cAnArY7391").is_empty(),
            "only the keyring's own, encrypted file holds it"
        );
    });
}

#[test]
fn a_keyring_that_was_killed_is_said_and_found_again_when_it_is_back() {
    let name = "present::a_keyring_that_was_killed_is_said_and_found_again_when_it_is_back";
    alone(name, async |session| {
        session.start_bus();
        session.start_keyring().await;
        let store = store();
        store.set("site/portal", secret("kept")).await.unwrap();

        session.kill_keyring().await;
        assert!(matches!(store.get("site/portal").await, Err(KeyringError::Absent(_))));
        assert!(matches!(store.set("site/portal", secret("lost")).await, Err(KeyringError::Absent(_))));

        session.start_keyring().await;
        assert_eq!(store.get("site/portal").await.unwrap(), Some(secret("kept")));

        // Killed and back between two questions: the second one does not notice.
        session.kill_keyring().await;
        session.start_keyring().await;
        store.set("site/portal", secret("new")).await.unwrap();
        assert_eq!(store.get("site/portal").await.unwrap(), Some(secret("new")));
    });
}
