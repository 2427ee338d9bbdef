//! Specification 5: data store items.

use crate::area::{Area, Patience};
use crate::decode;
use crate::error::ClientError;
use crate::raw_list::RawList;
use crate::turn::Turn;

const EXPECTED: &str = "a list of data items";

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
    /// Sends it. Items are handed on as they came: servers differ in nearly every field, and there may be a hundred
    /// thousand. Beside them comes what `read` makes of each, while the others arrive; `None` for what is no JSON.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn send<H>(
        &self,
        server: &Area,
        mut read: impl FnMut(&str) -> Option<H> + Send,
    ) -> Result<(RawList, Vec<H>), ClientError> {
        let mut turn = Turn::first(server).await;
        loop {
            let answer = self.send_once(turn.area(), &mut read).await;
            if let Some(answer) = turn.settled(answer).await {
                return answer;
            }
        }
    }

    async fn send_once<H>(
        &self,
        server: &Area,
        read: &mut (impl FnMut(&str) -> Option<H> + Send),
    ) -> Result<(RawList, Vec<H>), ClientError> {
        let mut form = vec![
            ("parentPath", self.parent_path.as_str()),
            ("ancestorPath", &self.ancestor_path),
            ("types", &self.types),
            ("id", &self.id),
        ];
        if let Some(managed) = self.is_managed {
            let managed = if managed { "true" } else { "false" };
            // The specification's name, and the one that other servers know it by.
            form.extend([("isManaged", managed), ("managed", managed)]);
        }
        let path = ["admin", "data", "findItems"];
        let response = server.send_form(&path, &form, Patience::Minute).await?;
        decode::list(response, &server.sent(&form), "items", EXPECTED, read).await
    }
}
