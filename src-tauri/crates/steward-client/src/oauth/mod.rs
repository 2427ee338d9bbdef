//! Signing in through the portal's own page in the system's browser (OAuth 2 with PKCE).
//!
//! The person types name and password into the portal, or whatever the portal asks instead, and never into this
//! program. What comes back is a code that is good only together with what [`begin`] kept to itself.

mod code;
mod grant;
mod loopback;
mod page;
mod pkce;

pub use code::code_from;
pub use grant::{Grant, RefreshToken, exchange_refresh_token, finish, refresh, revoke};
pub use loopback::{Loopback, NoCode, Pages};
pub use page::{Authorization, Redirect, begin};

/// Why signing in could not begin: the operating system gave no randomness, or no port of this machine.
#[derive(Debug, thiserror::Error)]
#[error("signing in through the browser could not be prepared")]
pub struct CannotBegin(#[from] pub std::io::Error);
