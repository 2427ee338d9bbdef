//! A receiver of webhooks on this machine. It keeps everything that reaches it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use steward_testkit::{Reply, Request, TestServer, until};

pub(crate) struct Receiver {
    server: TestServer,
    /// The HTTP status to answer with; 0 never answers.
    answer: Arc<AtomicU16>,
}

/// The answer that never comes.
pub(crate) const SILENCE: u16 = 0;

impl Receiver {
    pub(crate) async fn that_answers(status: u16) -> Receiver {
        let answer = Arc::new(AtomicU16::new(status));
        let current = Arc::clone(&answer);
        let server = TestServer::start(move |_| match current.load(Ordering::SeqCst) {
            SILENCE => Reply::silence(),
            status @ 300..400 => Reply::redirect(&format!("{status} Elsewhere"), "/elsewhere"),
            status => Reply::new(&format!("{status} Answered"), "", ""),
        });
        Receiver { server: server.await.unwrap(), answer }
    }

    pub(crate) fn answers(&self, status: u16) {
        self.answer.store(status, Ordering::SeqCst);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.server.origin())
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn port(&self) -> u16 {
        self.server.port()
    }

    /// How many requests have come in, wherever they went.
    pub(crate) fn requests(&self) -> usize {
        self.server.requests().len()
    }

    /// What has reached this path.
    pub(crate) fn at(&self, path: &str) -> Vec<Request> {
        let path = format!("/{path}");
        self.server.requests().into_iter().filter(|request| request.path() == path).collect()
    }

    /// Waits until this many requests have reached the path.
    pub(crate) async fn wait_for(&self, path: &str, count: usize) -> Vec<Request> {
        until(&format!("{count} requests at {path}"), async || self.at(path).len() >= count).await;
        self.at(path)
    }

    /// Waits until this many requests are waiting for an answer.
    pub(crate) async fn wait_for_open(&self, count: usize) {
        until(&format!("{count} open requests"), async || self.server.waiting() == count).await;
    }
}
