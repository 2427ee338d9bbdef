//! Signing in, and finding out where one is.

use serde::Deserialize;
use serde_json::Value;
use steward_vault::Secret;
use url::Url;

use crate::area::{Area, Patience};
use crate::error::ClientError;
use crate::http::REFERER;
use crate::version::Version;
use crate::wire::{list_of_texts, number, text};

/// Asked of the site; it shortens what it finds too long, so only the answered expiry counts.
const MINUTES: &str = "600";

/// A token, as the site issued it.
#[derive(Debug)]
pub struct IssuedToken {
    /// The token.
    pub token: Secret<String>,
    /// When it ends, in milliseconds since 1970, if the site said so.
    pub expires_at: Option<i64>,
}

/// What a portal says of itself and of who is asking.
#[derive(Debug)]
pub struct PortalFacts {
    /// Identifier of the organisation, the `<portal_id>` of collaboration addresses.
    pub id: String,
    /// Its version, where it could be found.
    pub version: Option<Version>,
    /// Who is signed in.
    pub username: String,
    /// The role of whom is signed in, as in `org_admin`.
    pub role: String,
}

/// What a server says of itself.
#[derive(Debug)]
pub struct ServerFacts {
    /// Its version, where it could be found.
    pub version: Option<Version>,
}

#[derive(Deserialize)]
struct TokenReply {
    #[serde(default, deserialize_with = "text")]
    token: String,
    #[serde(default)]
    expires: Value,
}

/// Trades a user name and a password for a token at a `generateToken` of the portal or of a server.
///
/// # Errors
/// When the site refuses, cannot be reached, or answers without a token.
pub async fn generate_token(
    area: &Area,
    path: &[&str],
    username: &str,
    password: &Secret<String>,
) -> Result<IssuedToken, ClientError> {
    let form = [
        ("username", username),
        ("password", password.expose()),
        ("client", "referer"),
        ("referer", REFERER),
        ("expiration", MINUTES),
    ];
    let reply: TokenReply = area.post(path, &form, Patience::Minute, "a token").await?;
    if reply.token.is_empty() {
        return Err(ClientError::unreadable("a token", "an answer without one"));
    }
    Ok(IssuedToken { token: Secret::new(reply.token), expires_at: number(&reply.expires) })
}

/// The portal a server is federated with, by the server's own word.
///
/// # Errors
/// When the server cannot be reached or its answer cannot be read.
pub async fn federated_with(server: &Area) -> Result<Option<Url>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Info {
        #[serde(default, deserialize_with = "text")]
        owning_system_url: String,
    }
    let info: Info = server.get(&["rest", "info"], &[], "the description of a server").await?;
    Ok(Url::parse(&info.owning_system_url).ok())
}

/// Asks the portal who it is and who we are.
///
/// # Errors
/// When the portal refuses the token, cannot be reached, or its answer cannot be read.
pub async fn describe_portal(portal: &Area) -> Result<PortalFacts, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct PortalSelf {
        #[serde(default, deserialize_with = "text")]
        id: String,
        #[serde(default, deserialize_with = "text")]
        enterprise_version: String,
        user: Option<User>,
    }
    #[derive(Deserialize)]
    struct User {
        #[serde(default, deserialize_with = "text")]
        username: String,
        #[serde(default, deserialize_with = "text")]
        role: String,
    }

    let expected = "the description of the portal";
    let itself: PortalSelf = portal.get(&["sharing", "rest", "portals", "self"], &[], expected).await?;
    // A portal answers this to anonymous callers too, without a user. A token it does not know any more makes
    // us one of them.
    let Some(user) = itself.user else {
        return Err(ClientError::Refused {
            code: 499,
            message: "the portal does not know who is asking".to_owned(),
            details: Vec::new(),
        });
    };
    let version = match Version::parse(&itself.enterprise_version) {
        Some(version) => Some(version),
        None => portaladmin_version(portal).await,
    };
    Ok(PortalFacts { id: itself.id, version, username: user.username, role: user.role })
}

/// Portals before 11.3 tell their version only to administrators, in another place.
async fn portaladmin_version(portal: &Area) -> Option<Version> {
    #[derive(Deserialize)]
    struct Root {
        #[serde(default, deserialize_with = "text")]
        version: String,
    }
    let root: Root = portal.get(&["portaladmin"], &[], "the portal's administration").await.ok()?;
    Version::parse(&root.version)
}

/// Asks a server for its version, and thereby whether it accepts the token.
///
/// # Errors
/// When the server refuses the token, cannot be reached, or its answer cannot be read.
pub async fn describe_server(server: &Area) -> Result<ServerFacts, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Root {
        #[serde(default, deserialize_with = "list_of_texts")]
        full_version: Vec<String>,
        #[serde(default, deserialize_with = "list_of_texts")]
        current_version: Vec<String>,
    }
    let root: Root = server.get(&["admin"], &[], "the server's administration").await?;
    // The numeric `currentVersion` cannot tell 10.8.1 from 10.81; the full one can.
    let version = root.full_version.iter().chain(&root.current_version).find_map(|text| Version::parse(text));
    Ok(ServerFacts { version })
}
