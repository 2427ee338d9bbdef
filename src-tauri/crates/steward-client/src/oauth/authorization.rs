//! A sign-in between its start and its code.

use steward_vault::Secret;
use url::Url;

/// Started sign-in. Valid for one code.
#[derive(Debug)]
pub struct Authorization {
    /// URL to open in the browser.
    pub url: Url,
    pub(super) client_id: String,
    pub(super) redirect_uri: String,
    pub(super) state: Secret<String>,
    pub(super) verifier: Secret<String>,
}

impl Authorization {
    /// Returns whether `state` belongs to this sign-in, in constant time. Without this check, a web page could sign the
    /// user in with another account.
    pub(super) fn is_ours(&self, state: &str) -> bool {
        let expected = self.state.expose().as_bytes();
        let differences = expected.iter().zip(state.as_bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        expected.len() == state.len() && differences == 0
    }
}
