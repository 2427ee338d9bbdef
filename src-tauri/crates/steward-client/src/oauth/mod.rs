//! Sign-in on the portal's own page in the system browser (OAuth 2 with PKCE, RFC 7636).
//!
//! [`begin`] returns the URL to open; [`Loopback::code`] or [`code_from`] returns the authorization code; [`finish`]
//! exchanges it for tokens. The user enters the password on the portal's page only. The code is valid only together
//! with the verifier in [`Authorization`].

mod authorization;
mod code;
mod grant;
mod loopback;
mod page;
mod pkce;

pub use authorization::Authorization;
pub use code::code_from;
pub use grant::{Grant, RefreshToken, exchange_refresh_token, finish, refresh, revoke};
pub use loopback::{Loopback, NoCode, PORTS, Pages};
pub use page::{Redirect, begin};
pub use pkce::CannotBegin;

/// Returns the redirect URLs that must be registered at a portal, exactly as they are: those of the ports, and that
/// of the page that shows a code.
#[must_use]
pub fn redirect_addresses() -> Vec<String> {
    PORTS.into_iter().map(loopback::redirect_uri).chain([page::OUT_OF_BAND.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_addresses_to_register_never_change() {
        // The list must not change: administrators registered these URLs at their portals. The practice site has the
        // same list.
        assert_eq!(
            redirect_addresses(),
            [
                "http://127.0.0.1:17643/",
                "http://127.0.0.1:20683/",
                "http://127.0.0.1:23917/",
                "http://127.0.0.1:28491/",
                "urn:ietf:wg:oauth:2.0:oob",
            ]
        );
    }
}
