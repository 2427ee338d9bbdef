//! From a token to the person behind it, and from a person to a token.

use super::binding::{Binding, Origin};
use super::{Capability, Role};
use crate::app::App;
use crate::clock::now_ms;
use crate::random;
use crate::store::people;
use crate::store::tokens::{self, Session};
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
    /// What the token says besides.
    pub(super) session: Session,
}

/// How long a token is wished to live, and when it must have ended.
#[derive(Clone, Copy, Default)]
pub(super) struct Life {
    pub(super) minutes: Option<i64>,
    pub(super) not_after: Option<i64>,
}

impl Life {
    fn ends(self, now: i64) -> i64 {
        let wish = self.minutes.filter(|minutes| *minutes > 0);
        let minutes = wish.map_or(DEFAULT_MINUTES, |wish| wish.min(LONGEST_MINUTES));
        let end = now + minutes * MINUTE;
        self.not_after.map_or(end, |last| end.min(last))
    }
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
    pub(crate) async fn identify(
        app: &App,
        area: Area,
        token: String,
        origin: &Origin,
    ) -> Result<Caller, Refusal> {
        let session = app
            .sessions
            .read(move |sessions| tokens::find(sessions, &random::sha256(token.as_bytes()), now_ms()))
            .await?
            .filter(|session| origin.suits(session))
            .ok_or_else(Refusal::invalid_token)?;
        if session.area != Area::Portal.name() && session.area != area.name() {
            return Err(Refusal::invalid_token());
        }
        Caller::named(app, session).await
    }

    async fn named(app: &App, session: Session) -> Result<Caller, Refusal> {
        let name = session.username.clone();
        if let Some(user) = app.portal.read(move |portal| people::user(portal, &name)).await? {
            let role = Role::from_name(&user.role);
            return Ok(Caller { username: user.username, role, session });
        }
        let name = session.username.clone();
        let primary = app.server.read(move |server| people::primary_password_hash(server, &name)).await?;
        match primary {
            Some(_) => Ok(Caller { username: session.username.clone(), role: Role::Administrator, session }),
            // Whoever held this token is no longer here.
            None => Err(Refusal::invalid_token()),
        }
    }

    pub(crate) fn may(&self, capability: Capability) -> bool {
        self.role.has(capability)
    }
}

/// A new token for somebody who has shown who they are.
pub(super) async fn issue(
    app: &App,
    username: String,
    area: Area,
    life: Life,
    binding: Binding,
) -> Result<Token, Refusal> {
    let now = now_ms();
    let expires = life.ends(now);
    let text = random::hex_secret::<32>()?;
    let hash = random::sha256(text.as_bytes());
    let session = Session {
        username,
        area: area.name().to_owned(),
        expires,
        referer: binding.referer,
        address: binding.address.map(|address| address.to_string()),
        refresh_hash: binding.refresh_hash,
    };
    app.sessions.write(move |tx| tokens::keep(tx, &hash, &session, now)).await?;
    Ok(Token { text, expires })
}
