//! Issuing of tokens.

use super::binding::Binding;
use super::caller::Component;
use crate::app::App;
use crate::clock::now_ms;
use crate::random;
use crate::store::tokens::{self, Session};
use crate::wire::ApiError;

const MINUTE: i64 = 60_000;
/// Default lifetime of a token, in minutes.
const DEFAULT_MINUTES: i64 = 60;
/// Maximum lifetime of a token, in minutes: 14 days. Longer requests are shortened without an error, as on real
/// servers.
pub(crate) const LONGEST_MINUTES: i64 = 14 * 24 * 60;

/// Requested lifetime in minutes, and latest expiry in milliseconds since 1970.
#[derive(Clone, Copy, Default)]
pub(super) struct Lifetime {
    pub(super) minutes: Option<i64>,
    pub(super) not_after: Option<i64>,
}

impl Lifetime {
    fn ends(self, now: i64) -> i64 {
        let wish = self.minutes.filter(|minutes| *minutes > 0);
        let minutes = wish.map_or(DEFAULT_MINUTES, |wish| wish.min(LONGEST_MINUTES));
        let end = now + minutes * MINUTE;
        self.not_after.map_or(end, |last| end.min(last))
    }
}

/// New token. Its plain text exists only here and in the response.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) expires: i64,
}

/// Creates a token for a user who has signed in.
pub(super) async fn issue(
    app: &App,
    username: String,
    component: Component,
    life: Lifetime,
    binding: Binding,
) -> Result<Token, ApiError> {
    let now = now_ms();
    let expires = life.ends(now);
    let text = random::hex_secret::<32>()?;
    let hash = random::sha256(text.as_bytes());
    let session = Session {
        username,
        area: component.name().to_owned(),
        expires,
        referer: binding.referer,
        address: binding.address.map(|address| address.to_string()),
        refresh_hash: binding.refresh_hash,
    };
    app.sessions.write(move |tx| tokens::keep(tx, &hash, &session, now)).await?;
    Ok(Token { text, expires })
}
