//! State shared by all request handlers: the databases, locks and background tasks of one running site.

use crate::deliveries::Dispatcher;
use crate::fault_injection::FaultRules;
use crate::folders::Folders;
use crate::release::Release;
use crate::rest_services::JobRunner;
use crate::search_index::SearchIndex;
use crate::sign_in::RateLimit;
use crate::sign_in::oauth::{Authorizations, RegisteredRedirects};
use crate::store::Store;
use crate::uploads::Locks;
use crate::wire::OperationLock;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A server of the running site, with the portal that it shares with the others. Handlers reach it through
/// [`crate::wire::RequestContext`].
pub(crate) struct App {
    /// Path of the server below the origin, for example `server2`.
    pub(crate) name: String,
    /// Release of portal and servers.
    pub(crate) release: Release,
    /// Paths of all servers that are federated with the portal.
    pub(crate) servers: Arc<[String]>,
    /// Scheme, host and port in the URLs of this site, without a trailing slash.
    pub(crate) origin: String,
    /// When the certificate of this site expires, in milliseconds since 1970.
    pub(crate) certificate_expires_at: i64,
    /// Users, groups, items, collaborations: the content of a portal export.
    pub(crate) portal: Arc<Store>,
    /// Services, webhooks, data store items, settings: the content of a server export.
    pub(crate) server: Arc<Store>,
    /// Tokens. A separate database, so that no export contains a token and no import ends one.
    pub(crate) sessions: Arc<Store>,
    /// Sign-in pages that are waiting for a password.
    pub(crate) authorizations: Arc<Authorizations>,
    /// Redirect URLs that are registered for Site Steward.
    pub(crate) registered_redirects: Arc<RegisteredRedirects>,
    /// Recent failed sign-ins, which delay further attempts.
    pub(crate) rate_limit: Arc<RateLimit>,
    /// Features, jobs and webhook deliveries: state of running services. Not part of exports and imports.
    pub(crate) runtime: Arc<Store>,
    /// Delivery of webhook payloads.
    pub(crate) dispatcher: Dispatcher,
    /// Execution of geoprocessing jobs.
    pub(crate) job_runner: JobRunner,
    pub(crate) folders: Folders,
    /// Lock of administrative portal operations: one at a time.
    pub(crate) portal_lock: Arc<OperationLock>,
    /// Lock of administrative server operations: one at a time.
    pub(crate) server_lock: OperationLock,
    /// Locks per upload, for changes to it.
    pub(crate) upload_locks: Locks,
    /// Locks per upload, for the next part in sequence. If both locks are needed, take this one first.
    pub(crate) next_parts: Locks,
    /// Active simulated faults.
    pub(crate) faults: Arc<FaultRules>,
    /// Search index of the portal.
    pub(crate) index: Arc<SearchIndex>,
    /// Cancelled when the site stops. Long operations check it and end early.
    pub(crate) stopping: CancellationToken,
}

impl App {
    pub(crate) fn portal_url(&self) -> String {
        format!("{}/portal", self.origin)
    }

    /// URL that stands for the folder of portal exports without a location.
    pub(crate) fn portal_exports_url(&self) -> String {
        format!("{}/portaladmin/exports", self.portal_url())
    }

    pub(crate) fn server_url(&self) -> String {
        self.url_of(&self.name)
    }

    /// Returns the URL of a server.
    pub(crate) fn url_of(&self, server: &str) -> String {
        format!("{}/{server}", self.origin)
    }
}
