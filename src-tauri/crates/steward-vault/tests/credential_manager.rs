//! The keyring of Windows: the real Credential Manager, or the one that Wine has.

#![cfg(windows)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use steward_vault::{KeyringError, KeyringStore, Secret, SecretStore};

fn store() -> KeyringStore {
    KeyringStore::new("site-steward-test").unwrap()
}

fn secret(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

#[tokio::test]
async fn a_token_is_kept_found_by_the_next_start_replaced_and_forgotten() {
    let name = "kept/portal";
    store().set(name, secret("first")).await.unwrap();
    store().set(name, secret("zweiter Schlüssel 鍵")).await.unwrap();

    let kept = store().get(name).await.unwrap().unwrap();

    assert_eq!(kept.expose(), "zweiter Schlüssel 鍵");
    store().forget(name).await.unwrap();
    assert!(store().get(name).await.unwrap().is_none());
    store().forget(name).await.unwrap();
}

#[tokio::test]
async fn a_token_with_its_renewal_of_two_thousand_letters_finds_room() {
    let long = "t".repeat(2_400);
    store().set("long/portal", secret(&long)).await.unwrap();

    let kept = store().get("long/portal").await.unwrap().unwrap();

    assert_eq!(kept.expose(), &long);
    store().forget("long/portal").await.unwrap();
}

#[tokio::test]
async fn a_secret_that_is_too_long_is_refused_and_the_old_one_stays() {
    let name = "short/portal";
    store().set(name, secret("what was there")).await.unwrap();

    let refused = store().set(name, secret(&"t".repeat(2_600))).await;

    assert!(matches!(refused, Err(KeyringError::Failed(_))), "{refused:?}");
    assert_eq!(store().get(name).await.unwrap().unwrap().expose(), "what was there");
    store().forget(name).await.unwrap();
}
