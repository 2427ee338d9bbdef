//! A keyring whose changes are events of the audit trail, without the secrets.

use std::sync::Arc;

use steward_journal::trail::Event;
use steward_vault::{Secret, SecretStore, StoreFuture};

use crate::history::record::History;

/// Store that tells the audit trail of what is stored in another one, and removed from it.
pub(crate) struct RecordedSecrets {
    store: Arc<dyn SecretStore>,
    history: History,
}

impl RecordedSecrets {
    pub(crate) fn new(store: Arc<dyn SecretStore>, history: History) -> Self {
        Self { store, history }
    }
}

impl SecretStore for RecordedSecrets {
    fn get<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Secret<String>>> {
        self.store.get(name)
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.store.set(name, secret).await?;
            self.history.append(Event::SecretStored { name: name.to_owned() }).await;
            Ok(())
        })
    }

    fn forget<'a>(&'a self, name: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let was_there = self.store.forget(name).await?;
            if was_there {
                self.history.append(Event::SecretRemoved { name: name.to_owned() }).await;
            }
            Ok(was_there)
        })
    }
}
