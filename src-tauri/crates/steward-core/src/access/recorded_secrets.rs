//! A keyring whose changes are events of the audit trail, without the secrets.

use std::sync::Arc;

use steward_journal::trail::Event;
use steward_vault::{Secret, SecretStore, StoreFuture};

use crate::history::record::History;

/// Store that records in the audit trail what is stored in another one, and removed from it.
pub struct RecordedSecrets {
    store: Arc<dyn SecretStore>,
    history: History,
}

impl RecordedSecrets {
    /// Wraps a keyring, whose changes are recorded in the audit trail of `history`.
    pub fn new(store: Arc<dyn SecretStore>, history: History) -> Self {
        Self { store, history }
    }

    /// Returns the site that an entry belongs to, and its name; both are empty if it belongs to none.
    async fn site_of(&self, name: &str) -> (String, String) {
        let id = name.split('/').next().unwrap_or_default().to_owned();
        let of = id.clone();
        match self.history.journal(move |journal| journal.last_name_of(&of)).await {
            Ok(Some(site_name)) => (id, site_name),
            _ => (String::new(), String::new()),
        }
    }
}

impl SecretStore for RecordedSecrets {
    fn get<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Secret<String>>> {
        self.store.get(name)
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.store.set(name, secret).await?;
            let (site, site_name) = self.site_of(name).await;
            self.history.append(Event::SecretStored { name: name.to_owned(), site, site_name }).await;
            Ok(())
        })
    }

    fn forget<'a>(&'a self, name: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let was_there = self.store.forget(name).await?;
            if was_there {
                let (site, site_name) = self.site_of(name).await;
                self.history.append(Event::SecretRemoved { name: name.to_owned(), site, site_name }).await;
            }
            Ok(was_there)
        })
    }
}
