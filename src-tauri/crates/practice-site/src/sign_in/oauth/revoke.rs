//! `oauth2/revokeToken`: sign-out.

use crate::random;
use crate::store::{grants, tokens};
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::json;

/// Revokes a token, or a refresh token with all its tokens. An unknown token is not an error (RFC 7009, 2.2).
pub(crate) async fn revoke(call: RequestContext) -> Reply {
    let given = call.parameters.text("auth_token").or_else(|| call.parameters.text("token"));
    let given = given.ok_or_else(|| ApiError::bad_request("'auth_token' must be specified."))?;
    let hash = random::sha256(given.as_bytes());
    call.app
        .sessions
        .write(move |tx| {
            tokens::end(tx, &hash)?;
            tokens::end_made_from(tx, &hash)?;
            grants::end_refresh_token(tx, &hash)
        })
        .await?;
    json(json!({ "success": true }))
}
