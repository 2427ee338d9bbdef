//! Secrets in memory, for tests.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::{Answer, Secret, SecretStore};

/// Keeps secrets until it is dropped. For tests only.
#[derive(Default)]
pub struct MemoryStore {
    secrets: Mutex<HashMap<String, Secret<String>>>,
}

impl SecretStore for MemoryStore {
    fn get<'a>(&'a self, name: &'a str) -> Answer<'a, Option<Secret<String>>> {
        let found = self.lock().get(name).cloned();
        Box::pin(std::future::ready(Ok(found)))
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> Answer<'a, ()> {
        self.lock().insert(name.to_owned(), secret);
        Box::pin(std::future::ready(Ok(())))
    }

    fn forget<'a>(&'a self, name: &'a str) -> Answer<'a, ()> {
        self.lock().remove(name);
        Box::pin(std::future::ready(Ok(())))
    }
}

impl MemoryStore {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Secret<String>>> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
