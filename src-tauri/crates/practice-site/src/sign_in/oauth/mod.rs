//! Sign-in in a page of the portal: for a browser, and for the vendor's Python client, which reads the page as a
//! browser would. What comes of it is a token at once, or a code that is exchanged for one (PKCE).

mod authorization;
mod authorize;
mod grants;
mod revoke;
mod signin;

pub(crate) use authorization::Authorizations;
pub(crate) use authorize::authorize;
pub(crate) use grants::token;
pub(crate) use revoke::revoke;
pub(crate) use signin::signin;
