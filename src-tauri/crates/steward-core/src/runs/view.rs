//! Runs as the window shows them.

use serde::{Deserialize, Serialize};

use crate::history::Outcome;
use crate::model::history_key::HistoryAction;
use crate::model::ids::{RecordId, ServerId, SiteId};
use crate::model::item_row::ItemRow;
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;

/// Identifier of a run. The window creates it before its command, so that it can follow and stop the run from the
/// start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct RunId(pub String);

/// One running operation.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// Identifier of the run.
    pub id: RunId,
    /// Site that the operation runs on.
    pub site: SiteId,
    /// Name of the site.
    pub site_name: String,
    /// Server of the site; `null` for its portal.
    pub server: Option<ServerId>,
    /// Name of that server; `null` if the site has no other.
    pub server_name: Option<String>,
    /// Running operation; for an action, the operation that it is treated as.
    pub operation: OperationKey,
    /// Action in place of the operation, for an action that is not an operation; `null` otherwise.
    pub act: Option<HistoryAction>,
    /// Whether the run is an import that undoes another one.
    pub is_undo: bool,
    /// Time when it began.
    pub started_at: Millis,
    /// Current step.
    pub step: RunStep,
    /// Whether a request that changes or exports the site was sent. Checks and other reads do not count.
    pub sent: bool,
    /// Usual duration on this site, in milliseconds; `null` if it has not succeeded there before.
    pub usual: Option<u32>,
}

/// An operation that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EndedRun {
    /// Identifier of the run.
    pub id: RunId,
    /// Site that the operation ran on.
    pub site: SiteId,
    /// Name of the site.
    pub site_name: String,
    /// Server of the site; `null` for its portal.
    pub server: Option<ServerId>,
    /// Name of that server; `null` if the site has no other.
    pub server_name: Option<String>,
    /// Operation that has ended; for an action, the operation that it was treated as.
    pub operation: OperationKey,
    /// Action in place of the operation, for an action that is not an operation; `null` otherwise.
    pub act: Option<HistoryAction>,
    /// Whether the run was an import that undid another one.
    pub is_undo: bool,
    /// Outcome, as stored in the history.
    pub outcome: Outcome,
    /// Record in the history; `null` if there is none.
    pub record: Option<RecordId>,
    /// Time when it ended.
    pub ended_at: Millis,
    /// Duration, in milliseconds.
    pub took: u32,
}

/// All runs at one time, as passed to the [`RunsListener`].
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RunsNow {
    /// Number that increases with each change. The window might receive the values in another order.
    pub revision: u32,
    /// Running operations, oldest first.
    pub running: Vec<RunView>,
    /// Operations that ended and were not dismissed, oldest first.
    pub ended: Vec<EndedRun>,
    /// Operation whose end caused this call of the [`RunsListener`]; `None` for other changes.
    #[serde(skip)]
    pub just_ended: Option<EndedRun>,
}

/// Step of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RunStep {
    /// A dialog of the system is open.
    Asking,
    /// The version, session, and token are determined. Nothing was sent yet.
    Preparing,
    /// The site checks whether it can write to the destination of an export. Nothing else was sent yet.
    Checking,
    /// The portal checks whether it can read an export file. Nothing else was sent yet.
    CheckingExport,
    /// The request was sent, and the site is processing it.
    Waiting,
    /// A file is being downloaded.
    Downloading {
        /// Bytes on disk.
        done: Bytes,
        /// Length of the file, in bytes; `null` if the site does not return it.
        total: Option<Bytes>,
    },
    /// Requests are sent for one service after another.
    Services {
        /// Number of services with a response.
        done: u32,
        /// Number of services.
        total: u32,
    },
    /// Requests of a batch are sent one after another.
    Batch {
        /// Requests that have ended.
        done: u32,
        /// Number of requests.
        total: u32,
    },
    /// A long response is being received.
    Arriving {
        /// First rows, in the order of the site.
        first: Vec<ItemRow>,
    },
    /// A file is being written.
    Saving,
    /// A file is being uploaded.
    Uploading {
        /// Number of bytes sent.
        done: Bytes,
        /// Length of the file, in bytes.
        total: Bytes,
    },
    /// The file was sent completely. The server has not confirmed it yet.
    Confirming,
    /// The safety backup was requested, and the site is creating it.
    Securing,
    /// The safety backup is being verified. Nothing else was sent yet.
    Verifying,
    /// The export has ended, and its file on this computer is being verified. Stop skips this.
    VerifyingExport,
    /// The file of an earlier export is read and verified. If the user presses Stop, there is no result.
    VerifyingFile {
        /// Bytes that were read.
        done: Bytes,
        /// Size of the file; `null` until it is opened.
        total: Option<Bytes>,
    },
    /// The inventory of the server is taken. Nothing else was sent yet.
    TakingInventory,
    /// The export or import has ended, and the content of the portal is counted. Stop skips this.
    CountingPortal,
    /// The import has ended, and the states of the services are read. Stop skips this.
    CheckingServices,
    /// The import has ended, and the server does not respond, for example because its web server restarts. If the user
    /// presses Stop, the webhooks that were deactivated stay in the deactivation log.
    AwaitingServer,
    /// The webhooks that were deactivated for an import are reactivated. If the user presses Stop, the remaining ones
    /// stay in the deactivation log.
    Reactivating,
}

/// Returns the problem of an operation on a site where this run is in progress.
#[must_use]
pub fn busy(run: &RunView) -> Problem {
    Problem::Busy {
        site_name: run.site_name.clone(),
        operation: run.operation,
        act: run.act,
        started_at: run.started_at,
    }
}
