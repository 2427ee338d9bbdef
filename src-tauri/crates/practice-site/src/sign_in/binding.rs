//! Restrictions of a token besides its owner: referer or IP address.

use crate::store::tokens::Session;
use crate::wire::{ApiError, RequestContext};
use std::net::IpAddr;

/// Restrictions requested with `client`, `referer` and `ip`.
#[derive(Clone, Default)]
pub(super) struct Binding {
    pub(super) referer: Option<String>,
    pub(super) address: Option<IpAddr>,
    /// Hash of the refresh token that the token is created from.
    pub(super) refresh_hash: Option<String>,
}

impl Binding {
    /// Reads the restrictions of a token request.
    pub(super) fn requested(call: &RequestContext) -> Result<Binding, ApiError> {
        let given = |name: &str| {
            call.parameters
                .text(name)
                .ok_or_else(|| ApiError::token_not_generated(&format!("'{name}' must be specified.")))
        };
        let mut binding = Binding::default();
        match call.parameters.text("client").map(str::to_ascii_lowercase).as_deref() {
            // Some scripts omit `client`: the token is not restricted.
            None => {}
            Some("referer") => binding.referer = Some(given("referer")?.to_owned()),
            Some("ip") => {
                let address = given("ip")?.parse::<IpAddr>();
                let address =
                    address.map_err(|_| ApiError::token_not_generated("'ip' must be an IP address."))?;
                binding.address = Some(address.to_canonical());
            }
            Some("requestip") => binding.address = Some(call.origin.peer),
            Some(_) => {
                return Err(ApiError::token_not_generated(
                    "'client' must be one of referer, ip and requestip.",
                ));
            }
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
