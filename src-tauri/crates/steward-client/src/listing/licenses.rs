//! Licenses of servers and of a portal, with the times at which they expire.
//!
//! A license that never expires is left out. One whose time is not returned stands in the list as a [`Gap`]: it might
//! be the next one that expires.

use serde::Deserialize;

use super::gap::Gap;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::moment::in_milliseconds;
use crate::version::Version;
use crate::wire::{OrDefault, list_if_any, text, whole, yes_or_no};

/// First version whose portal has the resource for licenses of user types.
const USER_TYPES: Version = Version::new(10, 7);

/// Longest time between the end of a license and the beginning of the next one that count as one, in milliseconds: both
/// are days, in a time zone that is not known.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// Licenses that a component returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Licenses {
    /// Those that expire.
    pub expiring: Vec<License>,
    /// Lists that the response has. Versions have different ones.
    pub lists: Vec<&'static str>,
    /// Licenses without a time.
    pub gap: Option<Gap>,
}

/// A license that expires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct License {
    /// List of the response that has it.
    pub list: &'static str,
    /// Name, as the site spells it.
    pub name: String,
    /// When it expires, in milliseconds since 1970.
    pub expires_at: i64,
}

/// Part of a response that is licensed.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Licensed {
    #[serde(deserialize_with = "text")]
    display_name: String,
    #[serde(deserialize_with = "text")]
    name: String,
    #[serde(deserialize_with = "text")]
    id: String,
    #[serde(deserialize_with = "yes_or_no")]
    can_expire: Option<bool>,
    #[serde(deserialize_with = "whole")]
    expiration: Option<i64>,
    #[serde(deserialize_with = "whole")]
    maximum_registered_members: Option<i64>,
    /// Time when a future license begins.
    #[serde(deserialize_with = "whole")]
    start_date: Option<i64>,
    /// Name of `start_date` in other versions.
    #[serde(deserialize_with = "whole")]
    start: Option<i64>,
}

/// Licenses in a list of a response. An element that cannot be read counts as one without a time.
type Listed = Option<Vec<OrDefault<Licensed>>>;

/// Lists that a response has, by name.
type Lists = Vec<(&'static str, Vec<Licensed>)>;

impl Licensed {
    /// Returns the text that distinguishes it from others of the same list.
    fn key(&self) -> &str {
        if self.id.is_empty() { &self.name } else { &self.id }
    }
}

/// Returns the licenses of a server that expire.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response names no license.
/// - A connection or session error of [`ClientError`].
pub async fn server_licenses(server: &Endpoint) -> Result<Licenses, ClientError> {
    /// A single object is a list of one. The data feature is an object, and a list in some versions.
    #[derive(Deserialize)]
    struct Found {
        #[serde(default, deserialize_with = "list_if_any")]
        edition: Listed,
        #[serde(default, deserialize_with = "list_if_any")]
        level: Listed,
        #[serde(default, alias = "datafeatures", deserialize_with = "list_if_any")]
        datafeature: Listed,
        #[serde(default, deserialize_with = "list_if_any")]
        extensions: Listed,
        #[serde(default, deserialize_with = "list_if_any")]
        features: Listed,
    }
    let expected = "the licenses of a server";
    let found: Found = server.get(&["admin", "system", "licenses"], &[], expected).await?;
    let lists = present([
        ("edition", found.edition),
        ("level", found.level),
        ("datafeature", found.datafeature),
        ("extensions", found.extensions),
        ("features", found.features),
    ]);
    Ok(expiring(any(lists, expected)?))
}

/// Returns the licenses of a portal that expire. A license that a future one follows is replaced by that one.
///
/// # Errors
/// As [`server_licenses`].
pub async fn portal_licenses(portal: &Endpoint, version: Option<Version>) -> Result<Licenses, ClientError> {
    let expected = "the licenses of a portal";
    if version.is_some_and(|version| version < USER_TYPES) {
        return licenses_of_levels(portal, expected).await;
    }
    let mut lists = any(user_types(portal, &["portaladmin", "license"], expected).await?, expected)?;
    if lists.iter().flat_map(|(_, all)| all).any(|one| expiry(one).is_ok_and(|at| at.is_some())) {
        // A portal of 10.7.0 has no such list, and some accounts get none. Then it is not known which licenses are
        // followed by others, and all are shown.
        let path = ["portaladmin", "license", "getFutureLicense"];
        let future = user_types(portal, &path, "the future licenses of a portal").await.unwrap_or_default();
        let future: Vec<_> = future.into_iter().flat_map(|(_, all)| all).collect();
        for (_, all) in &mut lists {
            all.retain_mut(|one| {
                let Some(next) = future.iter().find(|next| is_followed_by(one, next)) else { return true };
                // Vendor documentation shows future licenses without their end. A license that is followed by such a
                // one has no known end.
                let expires = matches!(expiry(next), Ok(Some(_)));
                if expires {
                    one.clone_from(next);
                }
                expires
            });
        }
    }
    Ok(expiring(lists))
}

/// Reads the licenses of a portal with user types, or its future ones.
async fn user_types(portal: &Endpoint, path: &[&str], expected: &'static str) -> Result<Lists, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Found {
        #[serde(default, deserialize_with = "list_if_any")]
        user_types: Listed,
        #[serde(default, deserialize_with = "list_if_any")]
        app_bundles: Listed,
        #[serde(default, deserialize_with = "list_if_any")]
        apps: Listed,
        #[serde(default, deserialize_with = "list_if_any")]
        extensions: Listed,
    }
    let found: Found = portal.get(path, &[], expected).await?;
    if found.user_types.is_none() {
        return Err(ClientError::unreadable(expected, "the response names no user type"));
    }
    Ok(present([
        ("userTypes", found.user_types),
        ("appBundles", found.app_bundles),
        ("apps", found.apps),
        ("extensions", found.extensions),
    ]))
}

/// Reads the licenses of a portal before user types, which has one, and up to two levels of membership.
async fn licenses_of_levels(portal: &Endpoint, expected: &'static str) -> Result<Licenses, ClientError> {
    #[derive(Deserialize)]
    struct Found {
        #[serde(default, deserialize_with = "whole")]
        expiration: Option<i64>,
        #[serde(default, deserialize_with = "list_if_any")]
        features: Listed,
    }
    let found: Found = portal.get(&["portaladmin", "system", "licenses"], &[], expected).await?;
    let whole = found.expiration.map(|_| Licensed { expiration: found.expiration, ..Licensed::default() });
    let whole = whole.map(|one| vec![OrDefault(one)]);
    Ok(expiring(any(present([("expiration", whole), ("features", found.features)]), expected)?))
}

fn present<const LISTS: usize>(lists: [(&'static str, Listed); LISTS]) -> Lists {
    let present = lists.into_iter().filter_map(|(name, list)| Some((name, list?)));
    present.map(|(name, list)| (name, list.into_iter().map(|one| one.0).collect())).collect()
}

/// Checks that there are licenses: without any, nothing would seem to expire.
fn any(lists: Lists, expected: &'static str) -> Result<Lists, ClientError> {
    match lists.iter().all(|(_, all)| all.is_empty()) {
        true => Err(ClientError::unreadable(expected, "the response names no license")),
        false => Ok(lists),
    }
}

/// Returns whether a license is followed by another one for at least as many members, which does not expire before it.
fn is_followed_by(one: &Licensed, next: &Licensed) -> bool {
    let Ok(Some(expires_at)) = expiry(one) else { return false };
    let begins_at = next.start_date.or(next.start).filter(|at| *at > 0).map(in_milliseconds);
    let members = next.maximum_registered_members.unwrap_or_default();
    one.key() == next.key()
        && members > 0
        && members >= one.maximum_registered_members.unwrap_or_default()
        && begins_at.is_some_and(|at| at <= expires_at.saturating_add(DAY))
        && !matches!(expiry(next), Ok(Some(end)) if end <= expires_at)
}

/// Returns when a license expires; `None` if it never does, and an error if the site did not return it.
fn expiry(licensed: &Licensed) -> Result<Option<i64>, ()> {
    match (licensed.can_expire, licensed.expiration) {
        (Some(false), _) => Ok(None),
        (_, Some(at)) if at > 0 => Ok(Some(in_milliseconds(at))),
        // Sites return -1, and some 0, for what does not expire.
        (None, Some(_)) => Ok(None),
        (Some(true), Some(_)) | (_, None) => Err(()),
    }
}

fn expiring(lists: Lists) -> Licenses {
    let names = lists.iter().map(|(name, _)| *name).collect();
    let (mut expiring, mut without) = (Vec::new(), 0_usize);
    for (list, one) in lists.into_iter().flat_map(|(list, all)| all.into_iter().map(move |one| (list, one))) {
        match expiry(&one) {
            Ok(Some(expires_at)) => {
                let names = [one.display_name, one.name, one.id];
                let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
                expiring.push(License { list, name, expires_at });
            }
            Ok(None) => {}
            Err(()) => without += 1,
        }
    }
    let reason = match without {
        0 => None,
        1 => Some("1 license is returned without its expiration date".to_owned()),
        _ => Some(format!("{without} licenses are returned without their expiration date")),
    };
    Licenses { expiring, lists: names, gap: reason.map(|reason| Gap::NotListed { reason }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn licensed(text: &str) -> Licensed {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_license_without_a_time_is_not_taken_for_one_that_never_expires() {
        for (text, expected) in [
            (r#"{"name":"a","canExpire":true,"expiration":1792555200000}"#, Ok(Some(1_792_555_200_000))),
            (r#"{"name":"a","canExpire":true,"expiration":"1792555200000"}"#, Ok(Some(1_792_555_200_000))),
            // Version 10.1 does not return whether it can expire.
            (r#"{"name":"a","expiration":1322553600000}"#, Ok(Some(1_322_553_600_000))),
            (r#"{"name":"a","canExpire":false,"expiration":-1}"#, Ok(None)),
            (r#"{"name":"a","canExpire":false}"#, Ok(None)),
            (r#"{"name":"a","expiration":-1}"#, Ok(None)),
            (r#"{"name":"a","canExpire":true,"expiration":-1}"#, Err(())),
            (r#"{"name":"a","canExpire":true,"expiration":null}"#, Err(())),
            (r#"{"name":"a","expiration":"soon"}"#, Err(())),
            (r#"{"name":"a"}"#, Err(())),
        ] {
            assert_eq!(expiry(&licensed(text)), expected, "{text}");
        }
        // Seconds.
        let seconds = licensed(r#"{"name":"a","expiration":1792555200}"#);
        assert_eq!(expiry(&seconds), Ok(Some(1_792_555_200_000)));
        let all = vec![licensed(r#"{"name":"a"}"#), licensed(r#"{"name":"b","expiration":5}"#)];
        let licenses = expiring(vec![("features", all)]);
        assert_eq!((licenses.expiring.len(), licenses.gap.is_some()), (1, true));
        assert!(any(Vec::new(), "x").is_err(), "no license at all");
    }

    #[test]
    fn only_a_license_for_as_many_members_that_begins_in_time_follows_another() {
        let one = licensed(r#"{"id":"editorUT","maximumRegisteredMembers":50,"expiration":1000000000000}"#);
        for (next, follows) in [
            (r#"{"id":"editorUT","maximumRegisteredMembers":50,"startDate":1000000000000}"#, true),
            (r#"{"id":"editorUT","maximumRegisteredMembers":60,"start":1000086400000}"#, true),
            // A portal without a future license returns one for 0 members, which begins when the present one expires.
            (r#"{"id":"editorUT","maximumRegisteredMembers":0,"startDate":1000000000000}"#, false),
            (r#"{"id":"editorUT","maximumRegisteredMembers":49,"startDate":1000000000000}"#, false),
            (r#"{"id":"editorUT","maximumRegisteredMembers":50,"startDate":1000172800000}"#, false),
            (r#"{"id":"editorUT","maximumRegisteredMembers":50}"#, false),
            (r#"{"id":"viewerUT","maximumRegisteredMembers":50,"startDate":1000000000000}"#, false),
            (r#"{"id":"editorUT","maximumRegisteredMembers":50,"startDate":0}"#, false),
            // It is over, or ends with the present one.
            (
                r#"{"id":"editorUT","maximumRegisteredMembers":50,"start":900000000000,"expiration":990000000000}"#,
                false,
            ),
            (
                r#"{"id":"editorUT","maximumRegisteredMembers":50,"start":900000000000,"expiration":1000000000000}"#,
                false,
            ),
            (
                r#"{"id":"editorUT","maximumRegisteredMembers":50,"start":1000000000000,"expiration":1000600000000}"#,
                true,
            ),
        ] {
            assert_eq!(is_followed_by(&one, &licensed(next)), follows, "{next}");
        }
        // The portal does not return for how many members it is.
        let one = licensed(r#"{"id":"editorUT","expiration":1000000000000}"#);
        let none = r#"{"id":"editorUT","maximumRegisteredMembers":0,"startDate":1000000000000}"#;
        assert!(!is_followed_by(&one, &licensed(none)));
    }
}
