//! Sign-in on the portal's own page in the system browser (OAuth 2 with PKCE, RFC 7636).
//!
//! [`begin`] returns the URL to open; [`Loopback::code`] or [`code_from`] returns the authorization code; [`finish`]
//! exchanges it for tokens. The user enters the password on the portal's page only. The code is valid only together
//! with the verifier in [`Authorization`].

mod code;
mod grant;
mod loopback;
mod page;
mod pkce;

pub use code::code_from;
pub use grant::{Grant, RefreshToken, exchange_refresh_token, finish, refresh, revoke};
pub use loopback::{Loopback, NoCode, Pages};
pub use page::{Authorization, Redirect, begin};

/// Sign-in could not start: the operating system provided no random bytes or no port.
#[derive(Debug, thiserror::Error)]
#[error("signing in through the browser could not be prepared")]
pub struct CannotBegin(#[from] pub std::io::Error);
