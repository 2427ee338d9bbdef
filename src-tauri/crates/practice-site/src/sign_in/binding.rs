//! What a token is tied to besides its owner: the page it was made for, or the address it was asked from.

use super::generate_token::unable;
use crate::store::tokens::Session;
use crate::wire::{Call, Refusal};
use axum::http::{HeaderMap, header};
use std::net::IpAddr;

/// What `client`, `referer` and `ip` of a token request ask for.
#[derive(Clone, Default)]
pub(super) struct Binding {
    pub(super) referer: Option<String>,
    pub(super) address: Option<IpAddr>,
    /// The hash of the refresh token that it is made from.
    pub(super) refresh_hash: Option<String>,
}

/// Where a request comes from, as far as a token may be tied to it.
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

    /// Whether a token of this session may be used from here. Scripts in the field tie their token to a referer
    /// and then send none, so only another one is refused.
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
    pub(super) fn asked_for(call: &Call) -> Result<Binding, Refusal> {
        let given = |name: &str| {
            call.parameters.text(name).ok_or_else(|| unable(&format!("'{name}' must be specified.")))
        };
        let mut binding = Binding::default();
        match call.parameters.text("client").map(str::to_ascii_lowercase).as_deref() {
            // Left out by some scripts: a token for use from anywhere.
            None => {}
            Some("referer") => binding.referer = Some(given("referer")?.to_owned()),
            Some("ip") => {
                let address = given("ip")?.parse::<IpAddr>();
                let address = address.map_err(|_| unable("'ip' must be an IP address."))?;
                binding.address = Some(address.to_canonical());
            }
            Some("requestip") => binding.address = Some(call.origin.peer),
            Some(_) => return Err(unable("'client' must be one of referer, ip and requestip.")),
        }
        Ok(binding)
    }

    /// The binding, or where it says nothing the one that the first token already has.
    pub(super) fn or(self, first: &Session) -> Binding {
        Binding {
            referer: self.referer.or_else(|| first.referer.clone()),
            address: self.address.or_else(|| first.address.as_deref().and_then(|text| text.parse().ok())),
            refresh_hash: self.refresh_hash.or_else(|| first.refresh_hash.clone()),
        }
    }
}

/// Whether `sent` is the page `bound` or one below it.
fn is_on(bound: &str, sent: &str) -> bool {
    let bound = bound.trim_end_matches('/');
    sent.strip_prefix(bound).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

#[cfg(test)]
mod tests {
    use super::is_on;

    #[test]
    fn a_page_below_the_bound_one_is_the_same_page_and_a_longer_host_is_not() {
        for sent in ["https://app.example.org", "https://app.example.org/", "https://app.example.org/a?b"] {
            assert!(is_on("https://app.example.org/", sent), "{sent}");
        }
        for sent in ["https://app.example.org.example", "https://app.example", "", "http"] {
            assert!(!is_on("https://app.example.org", sent), "{sent}");
        }
    }
}
