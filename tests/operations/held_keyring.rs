//! A keyring that does not answer until it is let, as one that waits for its password.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use steward_testkit::until;
use steward_vault::{MemoryStore, Secret, SecretStore, StoreFuture};
use tokio::sync::watch;

use crate::test_app::TestApp;

/// Whoever waits longer waits in vain.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A question to the keyring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    Get,
    Set,
    Forget,
}

pub(crate) struct HeldKeyring {
    inner: Arc<MemoryStore>,
    held: watch::Sender<Option<(Question, String)>>,
    waiting: AtomicUsize,
}

impl HeldKeyring {
    /// A desk that was restarted with such a keyring.
    pub(crate) fn of(app: TestApp) -> (TestApp, Arc<Self>) {
        let (inner, held) = (app.vault.clone(), watch::channel(None).0);
        let keyring = Arc::new(Self { inner, held, waiting: AtomicUsize::new(0) });
        (app.restarted_with(keyring.clone()), keyring)
    }

    /// This question about names that contain `name` is not answered.
    pub(crate) fn hold(&self, question: Question, name: &str) {
        self.held.send_replace(Some((question, name.to_owned())));
    }

    pub(crate) fn let_go(&self) {
        self.held.send_replace(None);
    }

    /// Returns once so many questions wait.
    pub(crate) async fn waits(&self, questions: usize) {
        until("the questions", async || self.waiting.load(Ordering::SeqCst) >= questions).await;
    }

    async fn pass(&self, question: Question, name: &str) {
        let is_held = |held: &Option<(Question, String)>| {
            held.as_ref().is_some_and(|(which, part)| *which == question && name.contains(part.as_str()))
        };
        let mut held = self.held.subscribe();
        if is_held(&held.borrow()) {
            self.waiting.fetch_add(1, Ordering::SeqCst);
        }
        held.wait_for(|held| !is_held(held)).await.unwrap();
    }
}

impl SecretStore for HeldKeyring {
    fn get<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Secret<String>>> {
        Box::pin(async move {
            self.pass(Question::Get, name).await;
            self.inner.get(name).await
        })
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.pass(Question::Set, name).await;
            self.inner.set(name, secret).await
        })
    }

    fn forget<'a>(&'a self, name: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            self.pass(Question::Forget, name).await;
            self.inner.forget(name).await
        })
    }
}
