//! Restrictions of a token besides its owner: referer or IP address.

use super::generate_token::token_error;
use crate::store::tokens::Session;
use crate::wire::{ApiError, RequestContext};
use axum::http::{HeaderMap, header};
use std::net::IpAddr;

/// Restrictions requested with `client`, `referer` and `ip`.
#[derive(Clone, Default)]
pub(super) struct Binding {
    pub(super) referer: Option<String>,
    pub(super) address: Option<IpAddr>,
    /// Hash of the refresh token that the token is created from.
    pub(super) refresh_hash: Option<String>,
}

/// Properties of a request that tokens can be bound to.
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

impl Binding {
    /// Reads the restrictions of a token request.
    ///
    /// # Errors
    /// Code 400 if `client`, `referer` or `ip` is invalid.
    pub(super) fn requested(call: &RequestContext) -> Result<Binding, ApiError> {
        let given = |name: &str| {
            call.parameters.text(name).ok_or_else(|| token_error(&format!("'{name}' must be specified.")))
        };
        let mut binding = Binding::default();
        match call.parameters.text("client").map(str::to_ascii_lowercase).as_deref() {
            // Some scripts omit `client`: the token is not restricted.
            None => {}
            Some("referer") => binding.referer = Some(given("referer")?.to_owned()),
            Some("ip") => {
                let address = given("ip")?.parse::<IpAddr>();
                let address = address.map_err(|_| token_error("'ip' must be an IP address."))?;
                binding.address = Some(address.to_canonical());
            }
            Some("requestip") => binding.address = Some(call.origin.peer),
            Some(_) => return Err(token_error("'client' must be one of referer, ip and requestip.")),
        }
        Ok(binding)
    }

    /// Returns these restrictions, or those of the first token where none are given.
    pub(super) fn or(self, first: &Session) -> Binding {
        Binding {
            referer: self.referer.or_else(|| first.referer.clone()),
            address: self.address.or_else(|| first.address.as_deref().and_then(|text| text.parse().ok())),
            refresh_hash: self.refresh_hash.or_else(|| first.refresh_hash.clone()),
        }
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
