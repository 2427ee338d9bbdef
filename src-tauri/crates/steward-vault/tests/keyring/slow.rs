use std::time::Duration;

use steward_vault::{KeyringError, SecretStore as _};

use crate::session::alone;
use crate::{AT_ONCE, secret, store};

#[test]
fn a_keyring_that_hangs_is_said_in_time_and_used_again_when_it_goes_on() {
    let name = "slow::a_keyring_that_hangs_is_said_in_time_and_used_again_when_it_goes_on";
    alone(name, async |session| {
        session.start_bus();
        session.start_keyring().await;
        let store = store();
        store.set("site/portal", secret("kept")).await.unwrap();
        let store = store.with_timeout(Duration::from_millis(300));

        session.freeze();
        let answer = tokio::time::timeout(AT_ONCE, store.get("site/portal")).await.unwrap();
        assert!(matches!(answer, Err(KeyringError::Slow)), "{answer:?}");
        // Queued behind the question that hangs.
        let answer = store.set("site/portal", secret("told that it was not kept")).await;
        assert!(matches!(answer, Err(KeyringError::Slow)), "{answer:?}");

        session.thaw();
        let store = store.with_timeout(AT_ONCE);
        assert_eq!(store.get("site/portal").await.unwrap(), Some(secret("kept")));
    });
}

#[test]
fn a_keyring_that_hangs_from_the_beginning_is_said_in_time() {
    alone("slow::a_keyring_that_hangs_from_the_beginning_is_said_in_time", async |session| {
        session.start_bus();
        session.start_keyring().await;
        session.freeze();

        let answer = store().with_timeout(Duration::from_millis(300)).get("site/portal").await;

        assert!(matches!(answer, Err(KeyringError::Slow)), "{answer:?}");
        session.thaw();
    });
}

#[test]
fn what_was_set_after_its_time_is_taken_back() {
    alone("slow::what_was_set_after_its_time_is_taken_back", async |session| {
        session.start_bus();
        session.start_keyring().await;
        store().set("site/portal", secret("before")).await.unwrap();

        for (name, before) in [("site/portal", Some(secret("before"))), ("site/server", None)] {
            let store = store();
            store.get(name).await.unwrap();
            let store = store.with_timeout(Duration::from_millis(300));
            session.freeze();
            let answer = store.set(name, secret("told that it was not kept")).await;
            assert!(matches!(answer, Err(KeyringError::Slow)), "{answer:?}");
            session.thaw();

            // Queued behind the question that hung.
            let store = store.with_timeout(AT_ONCE);
            assert_eq!(store.get(name).await.unwrap(), before, "{name}");
        }
    });
}
