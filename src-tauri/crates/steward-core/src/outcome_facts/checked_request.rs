//! The request whose outcome is checked.

use std::collections::HashSet;
use std::hash::Hash;

use jiff::Timestamp;
use steward_client::Endpoint;
use steward_journal::{Facts, Filter, Intent};

use crate::files::selected_paths::SelectedPaths;
use crate::model::ids::RecordId;
use crate::site_context::SiteContext;
use crate::sites::TargetSite;

/// Resolution of file times in milliseconds: file systems count in seconds, some in steps of two.
const COARSE: i64 = 2_000;

/// A request whose outcome is unknown, and what a check may use.
pub(crate) struct CheckedRequest<'a> {
    /// Access to the site.
    pub(crate) context: &'a SiteContext,
    /// Paths that the user chose in a dialog.
    pub(crate) selected: &'a SelectedPaths,
    /// Component that received the request.
    pub(crate) site: &'a TargetSite,
    /// Record of the request.
    pub(crate) record: &'a RecordId,
    /// Content of the record before the request was sent.
    pub(crate) intent: &'a Intent,
}

impl CheckedRequest<'_> {
    /// Returns a parameter of the record; empty if it has none of this name.
    pub(crate) fn given(&self, name: &str) -> &str {
        let found = self.intent.parameters.iter().find(|(given, _)| given == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// Returns the time of the request by the clock of this computer, in milliseconds, less the resolution of file times.
    pub(crate) const fn began(&self) -> i64 {
        self.intent.started_at - COARSE
    }

    /// Returns the time of the request by the clock of the site, in milliseconds, less the resolution of file times.
    pub(crate) async fn began_by_their_clock(&self, endpoint: &Endpoint) -> i64 {
        let ours = Timestamp::from_millisecond(self.intent.started_at).unwrap_or(Timestamp::UNIX_EPOCH);
        at_theirs(endpoint, ours).await.as_millisecond() - COARSE
    }

    /// Returns the uploads, files, or expirations that other entries of these operations have: none is of this request.
    /// Entries of any time and site count: the clock of a site or share can be ahead, and two saved sites can have one
    /// folder. `None` if the entries cannot be read, or one is damaged: any file could be that of another entry.
    pub(crate) async fn of_others<T: Eq + Hash>(
        &self,
        operations: &[&str],
        what: fn(&Facts) -> Option<T>,
    ) -> Option<HashSet<T>> {
        let mut others = HashSet::new();
        for operation in operations {
            let filter = Filter { operation: Some((*operation).to_owned()), ..Filter::default() };
            let page = self.context.history.journal(move |journal| journal.page(&filter)).await;
            let page = page
                .inspect_err(|problem| tracing::warn!(?problem, "what other entries have is not known"))
                .ok()?;
            if page.records().len() < page.entries.len() {
                return None;
            }
            let records = page.records().filter(|other| other.id != self.record.0);
            others.extend(records.filter_map(|other| what(&other.facts)));
        }
        Some(others)
    }

    /// Returns the identifier of the organization; empty if the portal does not return it.
    pub(crate) async fn portal_id(&self) -> String {
        self.context.access.known(self.site).await.map(|known| known.portal_id).unwrap_or_default()
    }
}

/// Converts a time to the clock of the site. Returns it unchanged if the site does not return its time.
pub(crate) async fn at_theirs(endpoint: &Endpoint, ours: Timestamp) -> Timestamp {
    match endpoint.clock().await {
        Ok(Some(clock)) => clock.at(ours),
        _ => ours,
    }
}
