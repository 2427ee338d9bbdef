//! From a token to the person behind it, and from a person to a token.

use super::{Capability, Role};
use crate::app::App;
use crate::clock::now_ms;
use crate::random;
use crate::store::{people, tokens};
use crate::wire::Refusal;

const MINUTE: i64 = 60_000;
/// How long a token lives when nobody says.
const DEFAULT_MINUTES: i64 = 60;
/// Longer wishes are shortened in silence, as the field's servers do: 14 days.
pub(crate) const LONGEST_MINUTES: i64 = 14 * 24 * 60;

/// Where a token is good.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Area {
    /// The sharing API and portal administration. The server is federated with this portal and takes its tokens.
    Portal,
    /// Server administration only.
    Server,
}

/// The person behind a token.
pub(crate) struct Caller {
    pub(crate) username: String,
    pub(crate) role: Role,
}

/// A token that was just made. It exists in clear text only here and in the answer.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) expires: i64,
}

impl Area {
    fn name(self) -> &'static str {
        match self {
            Area::Portal => "portal",
            Area::Server => "server",
        }
    }
}

impl Caller {
    pub(crate) async fn identify(app: &App, area: Area, token: String) -> Result<Caller, Refusal> {
        let session = app
            .sessions
            .read(move |sessions| tokens::find(sessions, &random::sha256(token.as_bytes()), now_ms()))
            .await?
            .ok_or_else(Refusal::invalid_token)?;
        if session.area != Area::Portal.name() && session.area != area.name() {
            return Err(Refusal::invalid_token());
        }
        Caller::named(app, session.username).await
    }

    async fn named(app: &App, username: String) -> Result<Caller, Refusal> {
        let name = username.clone();
        if let Some(user) = app.portal.read(move |portal| people::user(portal, &name)).await? {
            return Ok(Caller { role: Role::from_name(&user.role), username });
        }
        let name = username.clone();
        let primary = app.server.read(move |server| people::primary_password_hash(server, &name)).await?;
        match primary {
            Some(_) => Ok(Caller { role: Role::Administrator, username }),
            // Whoever held this token is no longer here.
            None => Err(Refusal::invalid_token()),
        }
    }

    pub(crate) fn may(&self, capability: Capability) -> bool {
        self.role.has(capability)
    }
}

pub(super) async fn issue(
    app: &App,
    username: String,
    area: Area,
    minutes: Option<i64>,
) -> Result<Token, Refusal> {
    let minutes =
        minutes.filter(|minutes| *minutes > 0).map_or(DEFAULT_MINUTES, |wish| wish.min(LONGEST_MINUTES));
    let now = now_ms();
    let expires = now + minutes * MINUTE;
    let text = random::hex_secret::<32>()?;
    let hash = random::sha256(text.as_bytes());
    let session = tokens::Session { username, area: area.name().to_owned() };
    app.sessions.write(move |tx| tokens::keep(tx, &hash, &session, now, expires)).await?;
    Ok(Token { text, expires })
}
