//! Specification 5: data store items.

use crate::decode;
use crate::endpoint::{Endpoint, TokenRetry};
use crate::error::ClientError;
use crate::raw_list::RawList;
use crate::request::{Request, ResponseTimeout};

const EXPECTED: &str = "a list of data store items";

/// The filters; an empty one is not given.
#[derive(Debug, Default)]
pub struct FindItems {
    /// Items directly below this path.
    pub parent_path: String,
    /// Items anywhere below this path.
    pub ancestor_path: String,
    /// Item types, separated by commas.
    pub types: String,
    /// Identifier of one item.
    pub id: String,
    /// Whether the data store is managed by the system.
    pub is_managed: Option<bool>,
}

impl FindItems {
    /// Returns the request.
    #[must_use]
    pub fn request(&self) -> Request {
        let request = Request::post(["admin", "data", "findItems"], ResponseTimeout::Minute)
            .field("parentPath", &self.parent_path)
            .field("ancestorPath", &self.ancestor_path)
            .field("types", &self.types)
            .field("id", &self.id);
        match self.is_managed {
            None => request,
            // The name in the specification, and the one that other servers have for it.
            Some(managed) => {
                request.field("isManaged", managed.to_string()).field("managed", managed.to_string())
            }
        }
    }

    /// Sends the request, and returns the items as received: servers differ in nearly every field. Each comes with what `read`
    /// returns for it, or `None` if it is not JSON. They are read while they arrive, because there can be 100,000.
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
        let mut turn = TokenRetry::first(server).await;
        loop {
            let answer = self.send_once(turn.endpoint(), &mut read).await;
            if let Some(answer) = turn.settled(answer).await {
                return answer;
            }
        }
    }

    async fn send_once<H>(
        &self,
        server: &Endpoint,
        read: &mut (impl FnMut(&str) -> Option<H> + Send),
    ) -> Result<(RawList, Vec<H>), ClientError> {
        let request = self.request();
        let response = server.send_once(&request).await?;
        let found = decode::list(response, &server.sent(&request.form()), "items", EXPECTED, read).await?;
        let (items, read, _) = found;
        Ok((items, read))
    }
}
