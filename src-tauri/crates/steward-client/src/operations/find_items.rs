//! Search for data store items (specification, operation 5).
//!
//! [`FindItems::send`] passes on each item as the server returned it. Invariant: a list is never in memory as a tree.

use super::{Capability, Impact, NeedsAdminUrl, OperationDescriptor, Since};
use crate::decode;
use crate::deployment_type::{DeploymentType, ServerType};
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::raw_list::RawList;
use crate::request::{Request, ResponseTimeout};
use crate::token_retry::TokenRetry;
use crate::version::Version;

/// Facts of the operation in the specification.
pub(super) const DESCRIPTOR: OperationDescriptor = OperationDescriptor {
    since: Since::Server(|server| match server {
        ServerType::Gis => Some(Version::new(10, 1)),
        ServerType::Kubernetes => Some(Version::new(10, 9)),
        _ => None,
    }),
    impact: Impact::None,
    deployment_types: &[
        DeploymentType::Enterprise,
        DeploymentType::StandaloneServer,
        DeploymentType::Kubernetes,
    ],
    needs_admin_url: NeedsAdminUrl::Never,
    capability: Capability::Publisher,
    privileges: &[
        "portal:admin:updateItems",
        "portal:publisher:publishServerServices",
        "portal:admin:manageServers",
    ],
    parameters: &[],
};

const EXPECTED: &str = "a list of data store items";

/// Filters. An empty text, or `None`, does not filter.
#[derive(Debug, Default)]
pub struct FindItems {
    /// Items directly below this path.
    pub parent_path: String,
    /// Items anywhere below this path.
    pub ancestor_path: String,
    /// Item types, separated by commas.
    pub types: String,
    /// ID of one item.
    pub id: String,
    /// Whether the data is managed by the system. `None` for both.
    pub is_managed: Option<bool>,
}

impl FindItems {
    /// Returns the request.
    #[must_use]
    pub fn request(&self) -> Request {
        let request = Request::repeatable(["admin", "data", "findItems"], ResponseTimeout::Minute)
            .field("parentPath", &self.parent_path)
            .field("ancestorPath", &self.ancestor_path)
            .field("types", &self.types)
            .field("id", &self.id);
        match self.is_managed {
            None => request,
            // `isManaged` is the name in the specification, `managed` the one that other servers read.
            Some(managed) => {
                request.field("isManaged", managed.to_string()).field("managed", managed.to_string())
            }
        }
    }

    /// Sends the request, and returns the items as received, because servers differ in nearly every field.
    ///
    /// Passes each item to `read` while the response is still arriving: there can be 100,000. Returns the results of
    /// `read` as well; `read` returns `None` for an item that is not JSON.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] with the code and the message of the server.
    /// - [`ClientError::Unreadable`] if the response is not a list of items.
    /// - [`ClientError::TokenEnded`] if the token expired during the request.
    /// - A connection or session error of [`ClientError`].
    pub async fn send<H>(
        &self,
        server: &Endpoint,
        mut read: impl FnMut(&str) -> Option<H> + Send,
    ) -> Result<(RawList, Vec<H>), ClientError> {
        let request = self.request();
        let mut turn = TokenRetry::of(server, &request).await;
        loop {
            let answer = find(turn.endpoint(), &request, &mut read).await;
            if let Some(answer) = turn.settled(answer).await {
                return answer;
            }
        }
    }
}

async fn find<H>(
    server: &Endpoint,
    request: &Request,
    read: &mut (impl FnMut(&str) -> Option<H> + Send),
) -> Result<(RawList, Vec<H>), ClientError> {
    let response = server.send_once(request).await?;
    let (sent, limit) = (server.sent(Some(request)), request.stall_limit());
    decode::list(response, &sent, "items", EXPECTED, limit, read).await
}
