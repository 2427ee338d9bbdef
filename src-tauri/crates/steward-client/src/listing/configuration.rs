//! Configuration of portals and servers, as they return it.
//!
//! [`resource`] and [`elements`] decode nothing: servers differ in nearly every field, and snapshots compare the fields
//! as they are returned.

use serde_json::Value;

use super::gap::Gap;
use super::parts::no_list;
use crate::endpoint::Endpoint;
use crate::error::ClientError;

/// Number of elements that are requested for each page.
const PAGE: usize = 100;

/// Maximum number of pages, for sites that never end a list.
const MOST_PAGES: usize = 100;

const EXPECTED: &str = "a part of the configuration";

/// Returns a resource of at most 1 MiB.
///
/// # Errors
/// - [`ClientError::Rejected`] if the site rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON, or is larger.
/// - A connection or session error of [`ClientError`].
pub async fn resource(endpoint: &Endpoint, path: &[&str]) -> Result<Value, ClientError> {
    endpoint.get(path, &[], EXPECTED).await
}

/// Returns the elements of all pages of a resource, which has them in the field `list`, and what the site did not
/// return of them.
///
/// # Errors
/// As [`resource`], and [`ClientError::Unreadable`] if there is no such list.
pub async fn elements(
    endpoint: &Endpoint,
    path: &[&str],
    list: &str,
) -> Result<(Vec<Value>, Option<Gap>), ClientError> {
    let mut found = Vec::new();
    for _ in 0..MOST_PAGES {
        let (start, page) = ((found.len() + 1).to_string(), PAGE.to_string());
        let mut response: Value = endpoint.get(path, &[("start", &start), ("num", &page)], EXPECTED).await?;
        let number = |name: &str| response[name].as_i64();
        let (total, next) = (number("total"), number("nextStart").unwrap_or(-1));
        let Some(Value::Array(elements)) = response.get_mut(list).map(Value::take) else {
            return Err(no_list(EXPECTED));
        };
        let is_last = elements.is_empty() || next <= 0;
        found.extend(elements);
        if is_last {
            let gap = Gap::between(found.len(), total);
            return Ok((found, gap));
        }
    }
    let reason = format!("the list has more than {MOST_PAGES} pages");
    Ok((found, Some(Gap::NotListed { reason })))
}
