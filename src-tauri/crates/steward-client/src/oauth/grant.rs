//! Token requests of OAuth 2: code exchange, refresh, and revocation (RFC 6749, RFC 7009).

use jiff::Timestamp;
use serde::Deserialize;
use steward_vault::Secret;

use super::authorization::Authorization;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::request::{Request, ResponseTimeout};
use crate::sign_in::IssuedToken;
use crate::wire::{text, token, whole};

const EXPECTED: &str = "a token";

/// Remaining lifetime, in milliseconds, below which a refresh token is exchanged: 1 day, or half of its lifetime if
/// that is shorter.
const NEAR_ITS_END: i64 = 24 * 60 * 60 * 1000;

/// Tokens that the portal issued.
#[derive(Debug)]
pub struct Grant {
    /// Token for requests. Its lifetime is about 30 minutes.
    pub token: IssuedToken,
    /// User name. Empty if the portal does not return it.
    pub username: String,
    /// New refresh token. `None` if the one that was used stays valid.
    pub refresh: Option<RefreshToken>,
}

/// Refresh token with the parameters of its requests.
#[derive(Debug, Clone)]
pub struct RefreshToken {
    /// Token value.
    pub token: Secret<String>,
    /// Client ID that the token was issued to.
    pub client_id: String,
    /// Redirect URI of the sign-in, which an exchange must repeat.
    pub redirect_uri: String,
    /// Expiry, in milliseconds since 1970. `None` if the portal did not return it.
    pub expires_at: Option<i64>,
    /// Total lifetime, in milliseconds. `None` if unknown.
    pub life: Option<i64>,
}

impl RefreshToken {
    /// Returns whether the token should be exchanged at `now`, in milliseconds since 1970.
    #[must_use]
    pub fn nears_its_end(&self, now: i64) -> bool {
        let near = self.life.map_or(NEAR_ITS_END, |life| NEAR_ITS_END.min(life / 2));
        self.expires_at.is_some_and(|end| end.saturating_sub(now) < near)
    }
}

#[derive(Deserialize)]
struct Granted {
    #[serde(default, deserialize_with = "token")]
    access_token: String,
    #[serde(default, deserialize_with = "whole")]
    expires_in: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    username: String,
    #[serde(default, deserialize_with = "token")]
    refresh_token: String,
    #[serde(default, deserialize_with = "whole")]
    refresh_token_expires_in: Option<i64>,
}

/// Exchanges the authorization code of a finished sign-in for tokens. A code can be used once, even if the exchange
/// fails.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the code.
/// - [`ClientError::Unreadable`] if the response contains no token.
/// - A connection error of [`ClientError`].
pub async fn finish(
    portal: &Endpoint,
    authorization: &Authorization,
    code: &Secret<String>,
) -> Result<Grant, ClientError> {
    let request = token_request("authorization_code", &authorization.client_id)
        .field("redirect_uri", &authorization.redirect_uri)
        .secret("code", code.clone())
        .secret("code_verifier", authorization.verifier.clone());
    request_grant(portal, &request, &authorization.client_id, &authorization.redirect_uri).await
}

/// Requests a new token with a refresh token, which stays valid.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the refresh token.
/// - [`ClientError::Unreadable`] if the response contains no token.
/// - A connection error of [`ClientError`].
pub async fn refresh(portal: &Endpoint, refresh: &RefreshToken) -> Result<Grant, ClientError> {
    let request =
        token_request("refresh_token", &refresh.client_id).secret("refresh_token", refresh.token.clone());
    request_grant(portal, &request, &refresh.client_id, &refresh.redirect_uri).await
}

/// Exchanges a refresh token for a new one. Invalidates the old one and all its tokens.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the refresh token.
/// - [`ClientError::Unreadable`] if the response contains no token.
/// - A connection error of [`ClientError`].
pub async fn exchange_refresh_token(portal: &Endpoint, old: &RefreshToken) -> Result<Grant, ClientError> {
    let request = token_request("exchange_refresh_token", &old.client_id)
        .field("redirect_uri", &old.redirect_uri)
        .secret("refresh_token", old.token.clone());
    request_grant(portal, &request, &old.client_id, &old.redirect_uri).await
}

/// Revokes a refresh token and all its tokens at the portal.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON.
/// - A connection error of [`ClientError`].
pub async fn revoke(portal: &Endpoint, refresh: &RefreshToken) -> Result<(), ClientError> {
    #[derive(Deserialize)]
    struct Revoked {}
    let path = ["sharing", "rest", "oauth2", "revokeToken"];
    let request = Request::once(path, ResponseTimeout::Minute)
        .field("client_id", &refresh.client_id)
        .secret("auth_token", refresh.token.clone());
    without_token(portal).send::<Revoked>(&request, "the end of a token").await.map(|_| ())
}

fn token_request(grant_type: &str, client_id: &str) -> Request {
    Request::once(["sharing", "rest", "oauth2", "token"], ResponseTimeout::Minute)
        .field("grant_type", grant_type)
        .field("client_id", client_id)
}

async fn request_grant(
    portal: &Endpoint,
    request: &Request,
    client_id: &str,
    redirect_uri: &str,
) -> Result<Grant, ClientError> {
    let granted: Granted = without_token(portal).send(request, EXPECTED).await?;
    if granted.access_token.is_empty() {
        return Err(ClientError::unreadable(EXPECTED, "a response without a token"));
    }
    let now = Timestamp::now().as_millisecond();
    let life = |seconds: Option<i64>| seconds.map(|seconds| seconds.saturating_mul(1000));
    let ends = |seconds| life(seconds).map(|life| now.saturating_add(life));
    let refresh = (!granted.refresh_token.is_empty()).then(|| RefreshToken {
        token: Secret::new(granted.refresh_token),
        client_id: client_id.to_owned(),
        redirect_uri: redirect_uri.to_owned(),
        expires_at: ends(granted.refresh_token_expires_in),
        life: life(granted.refresh_token_expires_in),
    });
    let token =
        IssuedToken { token: Secret::new(granted.access_token), expires_at: ends(granted.expires_in) };
    Ok(Grant { token, username: granted.username, refresh })
}

/// Returns the endpoint without a token: these requests replace the token.
fn without_token(portal: &Endpoint) -> Endpoint {
    portal.clone().without_token()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * 60 * 1000;

    fn ending(expires_at: Option<i64>, life: Option<i64>) -> RefreshToken {
        RefreshToken {
            token: Secret::new("canary".to_owned()),
            client_id: "sitesteward".to_owned(),
            redirect_uri: "http://127.0.0.1:1/".to_owned(),
            expires_at,
            life,
        }
    }

    #[test]
    fn refresh_token_is_exchanged_on_its_last_day() {
        let now = 1_767_225_600_000;
        for life in [None, Some(14 * NEAR_ITS_END)] {
            assert!(!ending(Some(now + NEAR_ITS_END), life).nears_its_end(now));
            assert!(ending(Some(now + NEAR_ITS_END - 1), life).nears_its_end(now));
            assert!(ending(Some(now - 1), life).nears_its_end(now));
            assert!(!ending(None, life).nears_its_end(now));
        }
        assert!(!format!("{:?}", ending(None, None)).contains("canary"));
    }

    #[test]
    fn short_lived_refresh_token_is_exchanged_after_half_its_lifetime() {
        let now = 1_767_225_600_000;
        let after = |gone: i64| ending(Some(now + 8 * HOUR - gone), Some(8 * HOUR)).nears_its_end(now);
        assert!(!after(HOUR / 2));
        assert!(!after(4 * HOUR));
        assert!(after(4 * HOUR + 1));
    }
}
