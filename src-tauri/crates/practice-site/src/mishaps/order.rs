//! What was ordered, and how often it is still to happen.

use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// The operations that something can happen to, by the keys of the program; and files on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// An export of the portal.
    ExportPortal,
    /// The way back from it.
    ImportPortal,
    /// An export of the server.
    ExportServer,
    /// An import of the server.
    ImportServer,
    /// The webhooks of a service fall silent.
    DeactivateWebhooks,
    /// A search for data items.
    FindItems,
    /// A participant's contact is changed.
    UpdateParticipant,
    /// An invitation is renewed.
    RefreshInvitation,
    /// The bytes of a stored upload.
    DownloadUpload,
    /// A file in one request.
    UploadFile,
    /// One part of a file.
    UploadPart,
    /// The end of a file that came in parts.
    CommitUpload,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mishap {
    /// The folder of an export cannot be written.
    UnwritableFolder,
    /// One more service does not start after an import.
    ServiceWillNotStart,
    /// The operation begins late.
    Delay,
    /// The token is refused as if it had expired.
    ExpiredToken,
    /// A page instead of JSON.
    Html,
    /// The answer is cut off in the middle.
    Truncated,
    /// The connection is reset.
    Reset,
    /// A proxy's page with HTTP status 502.
    BadGateway,
}

impl Mishap {
    /// Whether it can happen to this operation at all.
    #[must_use]
    pub fn fits(self, operation: Operation) -> bool {
        match self {
            Mishap::UnwritableFolder => {
                matches!(operation, Operation::ExportPortal | Operation::ExportServer)
            }
            Mishap::ServiceWillNotStart => operation == Operation::ImportServer,
            _ => true,
        }
    }
}

/// One order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Order {
    /// To what.
    pub operation: Operation,
    /// What.
    pub mishap: Mishap,
    /// How many of the next requests it still befalls; at least one.
    pub times: u32,
    /// Of a delay.
    pub seconds: u64,
    /// Whether the operation is done first and only its answer is lost.
    pub after: bool,
}

/// The orders that are open, in the order in which they were given.
#[derive(Default)]
pub(crate) struct Orders(Mutex<Vec<Order>>);

impl Orders {
    pub(crate) fn add(&self, order: Order) {
        self.change(|orders| orders.push(order));
    }

    pub(crate) fn all(&self) -> Vec<Order> {
        self.change(|orders| orders.clone())
    }

    pub(crate) fn clear(&self) {
        self.change(Vec::clear);
    }

    /// What befalls this request of the operation.
    pub(super) fn next(&self, operation: Operation) -> Option<Order> {
        self.change(|orders| {
            let place = orders.iter().position(|order| order.operation == operation)?;
            let order = orders[place];
            orders[place].times -= 1;
            if orders[place].times == 0 {
                orders.remove(place);
            }
            Some(order)
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut Vec<Order>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
