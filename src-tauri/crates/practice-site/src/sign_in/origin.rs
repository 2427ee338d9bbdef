//! Properties of a request that tokens can be bound to.

use crate::store::tokens::Session;
use axum::http::{HeaderMap, header};
use std::net::IpAddr;

/// Referer and IP address of a request.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) referer: Option<String>,
    pub(crate) peer: IpAddr,
}

impl Origin {
    pub(crate) fn new(headers: &HeaderMap, peer: IpAddr) -> Origin {
        let referer = headers.get(header::REFERER).and_then(|value| value.to_str().ok());
        Origin { referer: referer.map(str::to_owned), peer: peer.to_canonical() }
    }

    /// Returns whether a token of this session is valid for the request. A missing referer is accepted, because scripts
    /// bind tokens to a referer and then send none.
    pub(super) fn suits(&self, session: &Session) -> bool {
        let same_page = match (&session.referer, &self.referer) {
            (Some(bound), Some(sent)) => is_on(bound, sent),
            _ => true,
        };
        let same_machine =
            session.address.as_deref().is_none_or(|bound| bound.parse::<IpAddr>() == Ok(self.peer));
        same_page && same_machine
    }
}

/// Returns whether `sent` is the page `bound` or a page below it.
fn is_on(bound: &str, sent: &str) -> bool {
    let bound = bound.trim_end_matches('/');
    sent.strip_prefix(bound).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

#[cfg(test)]
mod tests {
    use super::is_on;

    #[test]
    fn referer_matches_pages_below_but_not_longer_hosts() {
        for sent in ["https://app.example.org", "https://app.example.org/", "https://app.example.org/a?b"] {
            assert!(is_on("https://app.example.org/", sent), "{sent}");
        }
        for sent in ["https://app.example.org.example", "https://app.example", "", "http"] {
            assert!(!is_on("https://app.example.org", sent), "{sent}");
        }
    }
}
