//! Identification of the caller by a token.

use super::origin::Origin;
use super::{Capability, Role};
use crate::app::App;
use crate::clock::now_ms;
use crate::random;
use crate::store::tokens::{self, Session};
use crate::store::users;
use crate::wire::ApiError;

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

impl Component {
    pub(super) fn name(self) -> &'static str {
        match self {
            Component::Portal => "portal",
            Component::Server => "server",
        }
    }
}

impl Caller {
    /// Returns the user that a token belongs to.
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
