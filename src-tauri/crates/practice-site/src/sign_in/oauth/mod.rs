//! Sign-in on a page of the portal (OAuth 2), for browsers and for the vendor's Python client, which parses the page.
//! Returns a token, or a code that is exchanged for one (PKCE).

mod authorization;
mod authorize;
mod grants;
mod revoke;
mod signin;

pub(crate) use authorization::{Authorizations, RegisteredRedirects};
pub(crate) use authorize::authorize;
pub(crate) use grants::token;
pub(crate) use revoke::revoke;
pub(crate) use signin::signin;
