//! `oauth2/token`: exchange of codes and refresh tokens for tokens.

use super::super::binding::Binding;
use super::super::caller::Component;
use super::super::issued_token::{Lifetime, Token, issue};
use super::authorization::Authorization;
use crate::app::App;
use crate::clock::now_ms;
use crate::random;
use crate::store::grants::{self, Code, RefreshToken};
use crate::store::{tokens, users};
use crate::wire::{ApiError, Reply, RequestContext, json};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const MINUTE: i64 = 60_000;
const CODE_MINUTES: i64 = 5;
/// Lifetime of a token with a refresh token, in minutes. Short, because it can be renewed.
const ACCESS_MINUTES: i64 = 30;
const REFRESH_MINUTES: i64 = 14 * 24 * 60;
const LONGEST_REFRESH_MINUTES: i64 = 90 * 24 * 60;

pub(crate) async fn token(call: RequestContext) -> Reply {
    match call.parameters.text("grant_type") {
        Some("authorization_code") => for_code(&call).await,
        Some("refresh_token") => for_refresh_token(&call).await,
        Some("exchange_refresh_token") => new_refresh_token(&call).await,
        _ => Err(ApiError::bad_request("Invalid grant_type")),
    }
}

/// Creates an authorization code for a user who has signed in. Valid for 5 minutes.
pub(super) async fn new_code(
    app: &App,
    authorization: &Authorization,
    challenge: Option<String>,
    username: String,
) -> Result<String, ApiError> {
    let text = random::hex_secret::<32>()?;
    let hash = random::sha256(text.as_bytes());
    let now = now_ms();
    let code = Code {
        username,
        client_id: authorization.client_id.clone(),
        redirect_uri: authorization.redirect.as_given().to_owned(),
        challenge,
        refresh_minutes: match authorization.expiration {
            Some(-1) => LONGEST_REFRESH_MINUTES,
            Some(wish) if wish > 0 => wish.min(LONGEST_REFRESH_MINUTES),
            _ => REFRESH_MINUTES,
        },
        expires: now + CODE_MINUTES * MINUTE,
    };
    app.sessions.write(move |tx| grants::keep_code(tx, &hash, &code, now)).await?;
    Ok(text)
}

async fn for_code(call: &RequestContext) -> Reply {
    let hash = random::sha256(given(call, "code")?.as_bytes());
    // Remove the code in any case: it is valid for one attempt.
    let code = call.app.sessions.write(move |tx| grants::take_code(tx, &hash, now_ms())).await?;
    let code = code.ok_or_else(|| ApiError::bad_request("Invalid authorization code"))?;
    if code.client_id != given(call, "client_id")? {
        return Err(ApiError::bad_request("Invalid client_id"));
    }
    if code.redirect_uri != given(call, "redirect_uri")? {
        return Err(ApiError::bad_request("Invalid redirect_uri"));
    }
    if !is_met(code.challenge.as_deref(), call.parameters.text("code_verifier")) {
        return Err(ApiError::bad_request("Invalid code_verifier"));
    }
    let refresh = RefreshToken {
        username: code.username,
        client_id: code.client_id,
        redirect_uri: code.redirect_uri,
        expires: now_ms() + code.refresh_minutes * MINUTE,
    };
    with_new_refresh_token(&call.app, refresh, None).await
}

async fn for_refresh_token(call: &RequestContext) -> Reply {
    let (hash, refresh) = refresh_token(call).await?;
    let token = access_token(&call.app, &refresh, hash).await?;
    json(answer(&call.app, &refresh, &token))
}

/// Exchanges a refresh token for a new one and revokes the old one with all its tokens.
async fn new_refresh_token(call: &RequestContext) -> Reply {
    let (hash, old) = refresh_token(call).await?;
    if old.redirect_uri != given(call, "redirect_uri")? {
        return Err(ApiError::bad_request("Invalid redirect_uri"));
    }
    let refresh = RefreshToken { expires: now_ms() + REFRESH_MINUTES * MINUTE, ..old };
    with_new_refresh_token(&call.app, refresh, Some(hash)).await
}

async fn with_new_refresh_token(app: &App, refresh: RefreshToken, instead_of: Option<String>) -> Reply {
    let text = random::hex_secret::<32>()?;
    let hash = random::sha256(text.as_bytes());
    let (kept, kept_as) = (refresh.clone(), hash.clone());
    app.sessions
        .write(move |tx| {
            if let Some(old) = instead_of {
                // If a concurrent request already replaced it, this one is rejected.
                if !grants::end_refresh_token(tx, &old)? {
                    return Err(ApiError::invalid_token());
                }
                tokens::end_made_from(tx, &old)?;
            }
            grants::keep_refresh_token(tx, &kept_as, &kept, now_ms())
        })
        .await?;
    let token = access_token(app, &refresh, hash).await?;
    let mut answer = answer(app, &refresh, &token);
    answer["refresh_token"] = json!(text);
    answer["refresh_token_expires_in"] = json!((refresh.expires - now_ms()) / 1000);
    json(answer)
}

async fn access_token(app: &App, refresh: &RefreshToken, refresh_hash: String) -> Result<Token, ApiError> {
    let life = Lifetime { minutes: Some(ACCESS_MINUTES), not_after: Some(refresh.expires) };
    let binding = Binding { refresh_hash: Some(refresh_hash), ..Binding::default() };
    issue(app, refresh.username.clone(), Component::Portal, life, binding).await
}

fn answer(app: &App, refresh: &RefreshToken, token: &Token) -> Value {
    json!({
        "access_token": token.text,
        "expires_in": (token.expires - now_ms()) / 1000,
        "username": refresh.username,
        "ssl": app.origin.starts_with("https:"),
    })
}

/// Returns the given refresh token with its hash, if its owner still exists.
async fn refresh_token(call: &RequestContext) -> Result<(String, RefreshToken), ApiError> {
    let hash = random::sha256(given(call, "refresh_token")?.as_bytes());
    let find = hash.clone();
    let found = call.app.sessions.read(move |store| grants::refresh_token(store, &find, now_ms())).await?;
    let found = found.ok_or_else(ApiError::invalid_token)?;
    if found.client_id != given(call, "client_id")? {
        return Err(ApiError::bad_request("Invalid client_id"));
    }
    let name = found.username.clone();
    match call.app.portal.read(move |portal| users::user(portal, &name)).await? {
        Some(_) => Ok((hash, found)),
        None => Err(ApiError::invalid_token()),
    }
}

fn given<'a>(call: &'a RequestContext, name: &str) -> Result<&'a str, ApiError> {
    call.parameters.text(name).ok_or_else(|| ApiError::bad_request(format!("'{name}' must be specified.")))
}

/// Returns whether the verifier matches the challenge (PKCE, S256). A verifier without a challenge is rejected: the
/// challenge might have been removed in transit.
fn is_met(challenge: Option<&str>, verifier: Option<&str>) -> bool {
    match (challenge, verifier) {
        (None, None) => true,
        (Some(challenge), Some(verifier)) => {
            // RFC 7636, 4.1: a shorter verifier could be guessed.
            (43..=128).contains(&verifier.len())
                && URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes())) == challenge
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_met;

    /// Example of RFC 7636, appendix B.
    #[test]
    fn verifier_matches_only_its_own_challenge() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert!(is_met(Some(challenge), Some(verifier)));
        assert!(!is_met(Some(challenge), Some("another")));
        assert!(!is_met(Some(challenge), None));
        assert!(!is_met(None, Some(verifier)));
        assert!(is_met(None, None));
    }
}
