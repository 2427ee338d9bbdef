//! From codes and refresh tokens to tokens.

use jiff::Timestamp;
use serde::Deserialize;
use steward_vault::Secret;

use super::Authorization;
use crate::area::{Area, Patience};
use crate::error::ClientError;
use crate::sign_in::IssuedToken;
use crate::wire::{text, whole};

const EXPECTED: &str = "a token";

/// A refresh token with less than this to live is exchanged for a new one, or with less than half of its life where
/// that is shorter.
const NEAR_ITS_END: i64 = 24 * 60 * 60 * 1000;

/// What the portal grants.
#[derive(Debug)]
pub struct Grant {
    /// The token to work with. It lives half an hour or so.
    pub token: IssuedToken,
    /// Who signed in, if the portal says so.
    pub username: String,
    /// What gets the next token; absent when the one that was used stays good.
    pub refresh: Option<RefreshToken>,
}

/// What gets new tokens without a person.
#[derive(Debug, Clone)]
pub struct RefreshToken {
    /// The token.
    pub token: Secret<String>,
    /// The client it was issued to.
    pub client_id: String,
    /// The address it was asked for with, which an exchange has to name again.
    pub redirect_uri: String,
    /// When it ends, in milliseconds since 1970, if the portal said so.
    pub expires_at: Option<i64>,
    /// The life that it was given, in milliseconds; `None` when it is not known any more.
    pub life: Option<i64>,
}

impl RefreshToken {
    /// Whether it is time to exchange it for a new one.
    #[must_use]
    pub fn nears_its_end(&self, now: i64) -> bool {
        let near = self.life.map_or(NEAR_ITS_END, |life| NEAR_ITS_END.min(life / 2));
        self.expires_at.is_some_and(|end| end.saturating_sub(now) < near)
    }
}

#[derive(Deserialize)]
struct Granted {
    #[serde(default, deserialize_with = "text")]
    access_token: String,
    #[serde(default, deserialize_with = "whole")]
    expires_in: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    username: String,
    #[serde(default, deserialize_with = "text")]
    refresh_token: String,
    #[serde(default, deserialize_with = "whole")]
    refresh_token_expires_in: Option<i64>,
}

/// Trades the code of a finished sign-in page for tokens.
///
/// # Errors
/// See [`ClientError`]. A code is good once, also when this fails.
pub async fn finish(
    portal: &Area,
    authorization: &Authorization,
    code: &Secret<String>,
) -> Result<Grant, ClientError> {
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", &authorization.client_id),
        ("redirect_uri", &authorization.redirect_uri),
        ("code", code.expose()),
        ("code_verifier", authorization.verifier.expose()),
    ];
    ask(portal, &form, &authorization.client_id, &authorization.redirect_uri).await
}

/// Gets the next token. The refresh token stays as it is.
///
/// # Errors
/// See [`ClientError`].
pub async fn refresh(portal: &Area, refresh: &RefreshToken) -> Result<Grant, ClientError> {
    let form = [
        ("grant_type", "refresh_token"),
        ("client_id", refresh.client_id.as_str()),
        ("refresh_token", refresh.token.expose()),
    ];
    ask(portal, &form, &refresh.client_id, &refresh.redirect_uri).await
}

/// Exchanges a refresh token for a new one. The old one ends, and every token made from it.
///
/// # Errors
/// See [`ClientError`].
pub async fn exchange_refresh_token(portal: &Area, old: &RefreshToken) -> Result<Grant, ClientError> {
    let form = [
        ("grant_type", "exchange_refresh_token"),
        ("client_id", old.client_id.as_str()),
        ("redirect_uri", &old.redirect_uri),
        ("refresh_token", old.token.expose()),
    ];
    ask(portal, &form, &old.client_id, &old.redirect_uri).await
}

/// Ends a refresh token and every token made from it, at the portal and not only in the keyring.
///
/// # Errors
/// See [`ClientError`].
pub async fn revoke(portal: &Area, refresh: &RefreshToken) -> Result<(), ClientError> {
    #[derive(Deserialize)]
    struct Revoked {}
    let form = [("client_id", refresh.client_id.as_str()), ("auth_token", refresh.token.expose())];
    let path = ["sharing", "rest", "oauth2", "revokeToken"];
    strangers(portal).post::<Revoked>(&path, &form, Patience::Minute, "the end of a token").await.map(|_| ())
}

async fn ask(
    portal: &Area,
    form: &[(&str, &str)],
    client_id: &str,
    redirect_uri: &str,
) -> Result<Grant, ClientError> {
    let path = ["sharing", "rest", "oauth2", "token"];
    let granted: Granted = strangers(portal).post(&path, form, Patience::Minute, EXPECTED).await?;
    if granted.access_token.is_empty() {
        return Err(ClientError::unreadable(EXPECTED, "an answer without one"));
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

/// These requests are made without the token that they are about to replace.
fn strangers(portal: &Area) -> Area {
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
    fn a_refresh_token_is_exchanged_on_its_last_day() {
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
    fn a_refresh_token_that_lives_for_hours_is_not_exchanged_at_every_renewal() {
        let now = 1_767_225_600_000;
        let after = |gone: i64| ending(Some(now + 8 * HOUR - gone), Some(8 * HOUR)).nears_its_end(now);
        assert!(!after(HOUR / 2));
        assert!(!after(4 * HOUR));
        assert!(after(4 * HOUR + 1));
    }
}
