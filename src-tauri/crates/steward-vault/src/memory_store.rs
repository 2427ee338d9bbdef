//! Store of secrets in memory, for tests. It returns no errors.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::{Secret, SecretStore, StoreFuture};

/// Store that keeps secrets until it is dropped, for tests only.
#[derive(Default)]
pub struct MemoryStore {
    secrets: Mutex<HashMap<String, Secret<String>>>,
}

impl SecretStore for MemoryStore {
    fn get<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Secret<String>>> {
        let found = self.lock().get(name).cloned();
        Box::pin(std::future::ready(Ok(found)))
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> StoreFuture<'a, ()> {
        self.lock().insert(name.to_owned(), secret);
        Box::pin(std::future::ready(Ok(())))
    }

    fn forget<'a>(&'a self, name: &'a str) -> StoreFuture<'a, bool> {
        let was_there = self.lock().remove(name).is_some();
        Box::pin(std::future::ready(Ok(was_there)))
    }
}

impl MemoryStore {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Secret<String>>> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
