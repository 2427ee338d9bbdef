//! Tokens: identification of the caller, and issuing.

use super::binding::{Binding, Origin};
use super::{Capability, Role};
use crate::app::App;
use crate::clock::now_ms;
use crate::random;
use crate::store::tokens::{self, Session};
use crate::store::users;
use crate::wire::ApiError;

const MINUTE: i64 = 60_000;
/// Default lifetime of a token, in minutes.
const DEFAULT_MINUTES: i64 = 60;
/// Maximum lifetime of a token, in minutes: 14 days. Longer requests are shortened without an error, as on real
/// servers.
pub(crate) const LONGEST_MINUTES: i64 = 14 * 24 * 60;

/// Component that a token is valid for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Component {
    /// Sharing API and portal administration. The server also accepts these tokens, because it is federated.
    Portal,
    /// Server administration only.
    Server,
}

/// User that a token belongs to.
pub(crate) struct Caller {
    pub(crate) username: String,
    pub(crate) role: Role,
    /// Session of the token.
    pub(super) session: Session,
}

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

impl Component {
    fn name(self) -> &'static str {
        match self {
            Component::Portal => "portal",
            Component::Server => "server",
        }
    }
}

impl Caller {
    /// Returns the user that a token belongs to.
    ///
    /// # Errors
    /// Code 498 if the token is unknown, expired, or not valid for this component or for the origin of the request.
    pub(crate) async fn identify(
        app: &App,
        component: Component,
        token: String,
        origin: &Origin,
    ) -> Result<Caller, ApiError> {
        let session = app
            .sessions
            .read(move |sessions| tokens::find(sessions, &random::sha256(token.as_bytes()), now_ms()))
            .await?
            .filter(|session| origin.suits(session))
            .ok_or_else(ApiError::invalid_token)?;
        if session.area != Component::Portal.name() && session.area != component.name() {
            return Err(ApiError::invalid_token());
        }
        Caller::named(app, session).await
    }

    async fn named(app: &App, session: Session) -> Result<Caller, ApiError> {
        let name = session.username.clone();
        if let Some(user) = app.portal.read(move |portal| users::user(portal, &name)).await? {
            let role = Role::from_name(&user.role);
            return Ok(Caller { username: user.username, role, session });
        }
        let name = session.username.clone();
        let primary = app.server.read(move |server| users::primary_password_hash(server, &name)).await?;
        match primary {
            Some(_) => Ok(Caller { username: session.username.clone(), role: Role::Administrator, session }),
            // The owner of the token was deleted.
            None => Err(ApiError::invalid_token()),
        }
    }

    pub(crate) fn may(&self, capability: Capability) -> bool {
        self.role.has(capability)
    }
}

/// Creates a token for a user who has signed in.
///
/// # Errors
/// Code 500 if no random bytes are available or the token cannot be stored.
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
