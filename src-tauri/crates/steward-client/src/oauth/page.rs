//! Authorization URL of the portal's sign-in page.

use steward_vault::Secret;

use super::authorization::Authorization;
use super::loopback::Loopback;
use super::pkce::{self, CannotBegin};
use crate::endpoint::Endpoint;

/// Redirect URI for portals that show the code on a page.
pub(super) const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";

/// Method of returning the code.
#[derive(Debug)]
pub enum Redirect<'a> {
    /// The browser opens a URL of this computer.
    Loopback(&'a Loopback),
    /// The user copies the code from the page.
    OutOfBand,
}

/// Starts a sign-in at `portal` with the client ID registered there.
///
/// # Errors
/// [`CannotBegin`] if the operating system provides no random bytes.
pub fn begin(
    portal: &Endpoint,
    client_id: &str,
    redirect: &Redirect<'_>,
) -> Result<Authorization, CannotBegin> {
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
