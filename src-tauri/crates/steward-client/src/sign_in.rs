//! Signing in, and finding out where one is.

use serde::Deserialize;
use serde_json::Value;
use steward_vault::Secret;
use url::Url;

use crate::area::{Area, Patience};
use crate::error::ClientError;
use crate::http::REFERER;
use crate::turn::Turn;
use crate::version::Version;
use crate::wire::{list_of_texts, number, text, yes_or_no};

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
    /// What that role allows, as in `portal:admin:manageServers`. Empty when the portal does not say.
    pub privileges: Vec<String>,
    /// Whether this is an organisation that the vendor hosts.
    pub is_online: bool,
    /// Whether the portal takes no changes at present.
    pub is_read_only: bool,
}

/// What a server says of itself.
#[derive(Debug)]
pub struct ServerFacts {
    /// Its version, where it could be found.
    pub version: Option<Version>,
    /// Who is signed in, where the server says so.
    pub username: String,
    /// What that allows, as in `ADMINISTER` or `PUBLISH`, where the server says so.
    pub privilege: String,
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
    issued(area.post(path, &form, Patience::Minute, "a token").await?)
}

/// Trades the portal's token, which `portal` carries, for one of a server that is federated with it.
///
/// The token service that a server names may carry a host that cannot be reached from here; the portal in use is
/// the same service.
///
/// # Errors
/// When the portal refuses, cannot be reached, or answers without a token.
pub async fn exchange_for_server(portal: &Area, server: &Url) -> Result<IssuedToken, ClientError> {
    let form = [
        ("serverUrl", server.as_str().trim_end_matches('/')),
        ("client", "referer"),
        ("referer", REFERER),
        ("expiration", MINUTES),
    ];
    let path = ["sharing", "rest", "generateToken"];
    issued(portal.post(&path, &form, Patience::Minute, "a token for a server").await?)
}

/// A token as people paste it: alone, behind `token=`, or as the header that carries it. `None` when there is
/// nothing that could be one.
#[must_use]
pub fn token_from(pasted: &str) -> Option<Secret<String>> {
    let text = pasted.trim();
    let text = text.rsplit_once("token=").map_or(text, |(_, token)| token);
    let text = text.rsplit_once("Bearer ").map_or(text, |(_, token)| token);
    let token = text.split('&').next().unwrap_or_default().trim().trim_matches('"');
    // What cannot stand in a header is no token, and would be refused there without words.
    let is_one = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    is_one.then(|| Secret::new(token.to_owned()))
}

/// Signs in with a token that somebody else made: the portal says whose it is. When it ends nobody says.
///
/// # Errors
/// When the portal does not know the token, cannot be reached, or its answer cannot be read.
pub async fn sign_in_with_token(
    portal: &Area,
    token: &Secret<String>,
) -> Result<(IssuedToken, PortalFacts), ClientError> {
    let facts = describe_portal(&portal.clone().with_token(token.clone())).await?;
    Ok((IssuedToken { token: token.clone(), expires_at: None }, facts))
}

fn issued(reply: TokenReply) -> Result<IssuedToken, ClientError> {
    if reply.token.is_empty() {
        return Err(ClientError::unreadable("a token", "an answer without one"));
    }
    Ok(IssuedToken { token: Secret::new(reply.token), expires_at: number(&reply.expires) })
}

/// Returns the portal that a server names as its owner.
///
/// Anybody can write that: it decides nothing about credentials. The portal's own list does, see
/// [`listed_servers`](crate::finding::listed_servers).
///
/// # Errors
/// When the server cannot be reached or its response cannot be read.
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
        #[serde(default, deserialize_with = "text")]
        current_version: String,
        #[serde(default, deserialize_with = "yes_or_no")]
        is_portal: Option<bool>,
        #[serde(default, deserialize_with = "yes_or_no")]
        is_read_only: Option<bool>,
        user: Option<User>,
    }
    #[derive(Deserialize)]
    struct User {
        #[serde(default, deserialize_with = "text")]
        username: String,
        #[serde(default, deserialize_with = "text")]
        role: String,
        #[serde(default, deserialize_with = "list_of_texts")]
        privileges: Vec<String>,
    }

    let path = ["sharing", "rest", "portals", "self"];
    let mut turn = Turn::first(portal).await;
    let (itself, user) = loop {
        let itself = turn.area().get_once(&path, &[], "the description of the portal").await;
        // A portal answers this to anonymous callers too, without a user. A token it does not know any more makes
        // us one of them.
        let known = itself.and_then(|mut itself: PortalSelf| match itself.user.take() {
            Some(user) => Ok((itself, user)),
            None => Err(ClientError::Refused {
                code: 499,
                message: "the portal does not know who is asking".to_owned(),
                details: Vec::new(),
            }),
        });
        if let Some(known) = turn.settled(known).await {
            break known?;
        }
    };
    let is_online = itself.is_portal == Some(false);
    let version = match Version::release([itself.enterprise_version.as_str()]) {
        Some(version) => Some(version),
        None if is_online => Version::parse(&itself.current_version),
        // Its `currentVersion` is that of the hosted service, as in 8.2, and would pass for an old release.
        None => portaladmin_version(portal).await,
    };
    Ok(PortalFacts {
        id: itself.id,
        version,
        username: user.username,
        role: user.role,
        privileges: user.privileges,
        is_online,
        is_read_only: itself.is_read_only == Some(true),
    })
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
    let versions = root.full_version.iter().chain(&root.current_version);
    let version = Version::release(versions.map(String::as_str));
    let who = who_on_server(server).await;
    Ok(ServerFacts { version, username: who.username, privilege: who.privilege })
}

#[derive(Default, Deserialize)]
struct WhoOnServer {
    #[serde(default, rename = "loggedInUser", alias = "logginInUser", deserialize_with = "text")]
    username: String,
    #[serde(default, rename = "loggedInUserPrivilege", deserialize_with = "text")]
    privilege: String,
}

/// Not every kind of server has this page; that it accepts the token is known already.
async fn who_on_server(server: &Area) -> WhoOnServer {
    server.get(&["admin", "info"], &[], "who is signed in to the server").await.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_however_it_was_copied() {
        let read = |text| token_from(text).map(|token| token.expose().clone()).unwrap_or_default();
        assert_eq!(read("  aT0-x..  \n"), "aT0-x..");
        assert_eq!(read("https://gis.example.org/portal/sharing/rest?f=json&token=aT0-x.."), "aT0-x..");
        assert_eq!(read("token=aT0&f=json"), "aT0");
        assert_eq!(read("X-Esri-Authorization: Bearer aT0"), "aT0");
        assert_eq!(read("two words"), "");
        assert_eq!(read(""), "");
    }
}
