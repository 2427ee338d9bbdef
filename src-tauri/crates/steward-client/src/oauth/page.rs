//! The address of the portal's sign-in page.

use steward_vault::Secret;
use url::Url;

use super::{CannotBegin, Loopback, pkce};
use crate::area::Area;

/// The page shows the code, and the person copies it.
const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";

/// How the code comes back.
#[derive(Debug)]
pub enum Redirect<'a> {
    /// The browser brings it to this machine.
    Loopback(&'a Loopback),
    /// The person copies it from the page.
    OutOfBand,
}

/// A sign-in that has begun. One is good for one code.
#[derive(Debug)]
pub struct Authorization {
    /// What the browser is to open.
    pub url: Url,
    pub(super) client_id: String,
    pub(super) redirect_uri: String,
    pub(super) state: Secret<String>,
    pub(super) verifier: Secret<String>,
}

/// Prepares to sign in at `portal` as the program that this portal knows as `client_id`.
///
/// # Errors
/// When the operating system gives no randomness.
pub fn begin(portal: &Area, client_id: &str, redirect: &Redirect<'_>) -> Result<Authorization, CannotBegin> {
    let redirect_uri = match redirect {
        Redirect::Loopback(loopback) => loopback.redirect_uri(),
        Redirect::OutOfBand => OUT_OF_BAND.to_owned(),
    };
    let (state, verifier) = (pkce::random()?, pkce::random()?);
    let mut url = portal.address(&["sharing", "rest", "oauth2", "authorize"]);
    url.query_pairs_mut()
        .append_pair("client_id", client_id)
        .append_pair("response_type", "code")
        .append_pair("redirect_uri", &redirect_uri)
        .append_pair("state", &state)
        .append_pair("code_challenge", &pkce::challenge(&verifier))
        .append_pair("code_challenge_method", "S256");
    Ok(Authorization {
        url,
        client_id: client_id.to_owned(),
        redirect_uri,
        state: Secret::new(state),
        verifier: Secret::new(verifier),
    })
}

impl Authorization {
    /// Whether an answer belongs to this sign-in. Without this, a page could sign the person in as somebody else.
    pub(super) fn is_ours(&self, state: &str) -> bool {
        let expected = self.state.expose().as_bytes();
        let differences = expected.iter().zip(state.as_bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        expected.len() == state.len() && differences == 0
    }
}
