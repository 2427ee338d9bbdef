//! `oauth2/revokeToken`: signing out.

use crate::random;
use crate::store::{grants, tokens};
use crate::wire::{Call, Refusal, Reply, json};
use serde_json::json;

/// Ends a token, or a refresh token and every token made from it. One that is not known is gone as well.
pub(crate) async fn revoke(call: Call) -> Reply {
    let given = call.parameters.text("auth_token").or_else(|| call.parameters.text("token"));
    let given = given.ok_or_else(|| Refusal::bad_request("'auth_token' must be specified."))?;
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
