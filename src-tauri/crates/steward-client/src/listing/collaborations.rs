//! Collaborations of a portal, with participants and invitations.
//!
//! [`participants`] and [`invitations`] read all pages of all collaborations.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::gap::Gap;
use super::parts::{are_few, no_list};
use crate::beside::Beside;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::limits::{ELEMENT, SMALL_BODY};
use crate::moment::in_milliseconds;
use crate::wire::{OrDefault, Raw, add_elements, name, raw, text, used, whole};

/// Maximum number of pages of a list, for portals that never end it.
const MOST_PAGES: usize = 100;

/// Participant of a collaboration.
#[derive(Debug, Clone)]
pub struct Participant {
    /// ID of the collaboration.
    pub collaboration_id: String,
    /// Name of the collaboration.
    pub collaboration_name: String,
    /// ID of the participating portal, the `<participant_id>` in URLs. Empty if it, or a text of the contact, is too
    /// long.
    pub portal_id: String,
    /// Name of the participating portal.
    pub portal_name: String,
    /// URL of the participating portal.
    pub portal_url: String,
    /// `Host` or `Guest`.
    pub role: String,
    /// Status, for example `active`.
    pub status: String,
    /// First name of the contact person.
    pub contact_firstname: String,
    /// Last name of the contact person.
    pub contact_lastname: String,
    /// Email address of the contact person.
    pub contact_email_address: String,
    /// What the portal did not return, in place of a participant: participants of this collaboration, or, if its ID and
    /// name are empty, collaborations.
    pub gap: Option<Gap>,
}

/// Invitation to a collaboration.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// ID of the collaboration.
    pub collaboration_id: String,
    /// Name of the collaboration.
    pub collaboration_name: String,
    /// ID of the invitation. Empty if it is too long.
    pub id: String,
    /// URL of the invited portal.
    pub guest_portal_url: String,
    /// Status, for example `host_created`.
    pub status: String,
    /// Expiry, in milliseconds since 1970. `None` if the portal does not return it.
    pub expiration: Option<i64>,
    /// Content of the invitation file. Empty if the portal does not return it.
    pub content: String,
    /// What the portal did not return, as that of a [`Participant`].
    pub gap: Option<Gap>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct Collaboration {
    #[serde(deserialize_with = "used")]
    id: String,
    #[serde(deserialize_with = "text")]
    name: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct ParticipantWire {
    /// `None` if missing or null: the participant cannot be selected.
    portal_info: Option<PortalInfo>,
    #[serde(deserialize_with = "text")]
    collaboration_role: String,
    #[serde(deserialize_with = "text")]
    status: String,
    /// `None` if missing or null: the participant has no contact person.
    config: Option<Contact>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PortalInfo {
    #[serde(deserialize_with = "used")]
    id: String,
    #[serde(deserialize_with = "text")]
    name: String,
    #[serde(deserialize_with = "used")]
    url: String,
}

/// Contact person. One table of the specification spells the fields with `Name`; portals return `name`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Contact {
    #[serde(alias = "contactFirstName", deserialize_with = "name")]
    contact_firstname: Option<String>,
    #[serde(alias = "contactLastName", deserialize_with = "name")]
    contact_lastname: Option<String>,
    #[serde(deserialize_with = "name")]
    contact_email_address: Option<String>,
}

impl Default for Contact {
    fn default() -> Self {
        let none = || Some(String::new());
        Self { contact_firstname: none(), contact_lastname: none(), contact_email_address: none() }
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct InvitationWire {
    #[serde(deserialize_with = "used")]
    id: String,
    #[serde(deserialize_with = "text")]
    guest_portal_url: String,
    #[serde(deserialize_with = "text")]
    status: String,
    #[serde(deserialize_with = "whole")]
    expiration: Option<i64>,
    #[serde(deserialize_with = "invitation_content")]
    invitation_string: String,
}

/// Returns all participants of all collaborations of the portal. An ID that is missing or too long is empty; a
/// collaboration without an ID has one participant without an ID. Where the portal does not list participants, a
/// [`Gap`] stands in their place.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the list of collaborations, or the participants of each of them.
/// - [`ClientError::Unreadable`] if their responses contain no such list.
/// - A connection or session error of [`ClientError`].
pub async fn participants(portal: &Endpoint, portal_id: &str) -> Result<Vec<Participant>, ClientError> {
    let found = of_each(portal, portal_id, "participants", "participants").await?;
    let participant = |(collaboration, one): (Collaboration, Result<ParticipantWire, Gap>)| match one {
        Ok(wire) => wire.of(&collaboration),
        Err(gap) => Participant { gap: Some(gap), ..ParticipantWire::default().of(&collaboration) },
    };
    Ok(found.into_iter().map(participant).collect())
}

/// Returns a participant of a collaboration, as the portal lists it; `None` if it does not, or a text of its contact is
/// too long. `collaboration_name` is empty. Pages after the one that has it are not requested.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the request.
/// - [`ClientError::Unreadable`] if the response contains no such list.
/// - A connection or session error of [`ClientError`].
pub async fn participant(
    portal: &Endpoint,
    portal_id: &str,
    collaboration_id: &str,
    participant_id: &str,
) -> Result<Option<Participant>, ClientError> {
    let path = [&root(portal_id)[..], &[collaboration_id, "participants"]].concat();
    let is_it =
        |one: &ParticipantWire| one.portal_info.as_ref().is_some_and(|info| info.id == participant_id);
    let (found, _) = pages_until(portal, &path, "participants", 0, is_it).await?;
    let collaboration = Collaboration { id: collaboration_id.to_owned(), name: String::new() };
    let mut listed = found.into_iter().map(|one| one.of(&collaboration));
    Ok(listed.find(|one| one.portal_id == participant_id))
}

/// Returns all invitations to all collaborations of the portal. IDs and gaps are as those of [`participants`].
///
/// # Errors
/// As [`participants`].
pub async fn invitations(portal: &Endpoint, portal_id: &str) -> Result<Vec<Invitation>, ClientError> {
    let found = of_each(portal, portal_id, "invitations", "collaborationInvitations").await?;
    let invitation = |(collaboration, one): (Collaboration, Result<InvitationWire, Gap>)| match one {
        Ok(wire) => wire.of(&collaboration),
        Err(gap) => Invitation { gap: Some(gap), ..InvitationWire::default().of(&collaboration) },
    };
    Ok(found.into_iter().map(invitation).collect())
}

/// Returns the elements of the list `key` below each collaboration. If the portal returns none of these lists, returns
/// the first error.
async fn of_each<T: DeserializeOwned + Default>(
    portal: &Endpoint,
    portal_id: &str,
    below: &str,
    key: &'static str,
) -> Result<Vec<(Collaboration, Result<T, Gap>)>, ClientError> {
    let (collaborations, cut) = pages::<Collaboration>(portal, &root(portal_id), "collaborations", 0).await?;
    are_few(&collaborations, "collaborations")?;
    let (mut all, mut first_error, mut has_list) = (Vec::new(), None, false);
    for collaboration in collaborations {
        if collaboration.id.is_empty() {
            all.push((collaboration, Ok(T::default())));
            continue;
        }
        let path = [&root(portal_id)[..], &[&collaboration.id, below]].concat();
        let gap = match pages::<T>(portal, &path, key, collaboration.copied()).await {
            Ok((found, cut)) => {
                has_list = true;
                all.extend(found.into_iter().map(|one| (collaboration.clone(), Ok(one))));
                cut
            }
            Err(error) if error.is_of_one_resource() => {
                let gap = Gap::of(&error);
                first_error.get_or_insert(error);
                Some(gap)
            }
            Err(error) => return Err(error),
        };
        all.extend(gap.map(|gap| (collaboration, Err(gap))));
    }
    all.extend(cut.map(|gap| (Collaboration::default(), Err(gap))));
    match first_error {
        Some(error) if !has_list => Err(error),
        _ => Ok(all),
    }
}

/// Returns one invitation with its content. `collaboration_name` is empty.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the request.
/// - [`ClientError::Unreadable`] if the response is not this invitation.
/// - A connection or session error of [`ClientError`].
pub async fn invitation(
    portal: &Endpoint,
    portal_id: &str,
    collaboration_id: &str,
    invitation_id: &str,
) -> Result<Invitation, ClientError> {
    let path = [&root(portal_id)[..], &[collaboration_id, "invitations", invitation_id]].concat();
    let wire: InvitationWire = portal.get(&path, &[], "an invitation").await?;
    if !wire.id.is_empty() && wire.id != invitation_id {
        return Err(ClientError::unreadable("an invitation", "the response names another invitation"));
    }
    Ok(wire.of(&Collaboration { id: collaboration_id.to_owned(), name: String::new() }))
}

impl Collaboration {
    /// Returns the number of bytes that each of its participants and invitations copies from it.
    const fn copied(&self) -> usize {
        self.id.len() + self.name.len()
    }
}

impl ParticipantWire {
    fn of(self, collaboration: &Collaboration) -> Participant {
        let Contact { contact_firstname, contact_lastname, contact_email_address } =
            self.config.unwrap_or_default();
        let portal = self.portal_info.unwrap_or_default();
        // An update sends all three texts, also those that the user does not change.
        let is_whole =
            contact_firstname.is_some() && contact_lastname.is_some() && contact_email_address.is_some();
        Participant {
            collaboration_id: collaboration.id.clone(),
            collaboration_name: collaboration.name.clone(),
            portal_id: if is_whole { portal.id } else { String::new() },
            portal_name: portal.name,
            portal_url: portal.url,
            role: self.collaboration_role,
            status: self.status,
            contact_firstname: contact_firstname.unwrap_or_default(),
            contact_lastname: contact_lastname.unwrap_or_default(),
            contact_email_address: contact_email_address.unwrap_or_default(),
            gap: None,
        }
    }
}

impl InvitationWire {
    fn of(self, collaboration: &Collaboration) -> Invitation {
        Invitation {
            collaboration_id: collaboration.id.clone(),
            collaboration_name: collaboration.name.clone(),
            id: self.id,
            guest_portal_url: self.guest_portal_url,
            status: self.status,
            expiration: self.expiration.map(in_milliseconds),
            content: self.invitation_string,
            gap: None,
        }
    }
}

/// Deserializes the content of an invitation file, which is a secret and never cut.
fn invitation_content<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(raw(deserializer)?.whole(SMALL_BODY).unwrap_or_default())
}

fn root(portal_id: &str) -> [&str; 5] {
    ["sharing", "rest", "portals", portal_id, "collaborations"]
}

/// Reads all pages of a list, and returns what the portal did not return of it. On the last page, `nextStart` is -1 or
/// missing. An unreadable element becomes the default value. Each element needs `more` bytes besides its own.
async fn pages<T: DeserializeOwned + Default>(
    portal: &Endpoint,
    path: &[&str],
    key: &'static str,
    more: usize,
) -> Result<(Vec<T>, Option<Gap>), ClientError> {
    pages_until(portal, path, key, more, |_| false).await
}

/// Reads the pages of a list like [`pages`], up to the one with an element that `is_last`.
async fn pages_until<T: DeserializeOwned + Default>(
    portal: &Endpoint,
    path: &[&str],
    key: &'static str,
    more: usize,
    is_last: impl Fn(&T) -> bool,
) -> Result<(Vec<T>, Option<Gap>), ClientError> {
    let mut all: Vec<OrDefault<T>> = Vec::new();
    let (mut start, mut text, mut total, mut has_end) = (1, 0, None, false);
    let mut warnings = Vec::new();
    for _ in 0..MOST_PAGES {
        let from = start.to_string();
        let query = [("start", from.as_str()), ("num", "100")];
        let page: Box<RawValue> = portal.get_list(path, &query, key).await?;
        let [list, of_all, next_start] =
            Raw(page.get()).some_fields([key, "total", "nextStart"]).unwrap_or_default();
        let list = list.filter(|list| !list.is_null()).ok_or_else(|| no_list(key))?;
        text += list.0.len();
        add_elements(&mut all, list, ELEMENT, more, text).map_err(|why| ClientError::unreadable(key, why))?;
        total = of_all.and_then(Raw::number);
        warnings.extend(Beside::of(Raw(page.get()), &[key]).warnings);
        let has_last = all.iter().any(|one| is_last(&one.0));
        match next_start.and_then(Raw::number) {
            Some(next) if next > start && !has_last => start = next,
            _ => {
                has_end = true;
                break;
            }
        }
    }
    let endless = || Gap::NotListed { reason: format!("the list does not end after {MOST_PAGES} pages") };
    let gap = Gap::between(all.len(), total)
        .or_else(|| (!has_end).then(endless))
        .or_else(|| Gap::of_warnings(&warnings));
    Ok((all.into_iter().map(|one| one.0).collect(), gap))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn participant_without_a_contact_person_is_listed() {
        for config in ["null", "{}", r#"{ "contactFirstname": null }"#] {
            let answer = format!(r#"[{{ "portalInfo": {{ "id": "2d4c" }}, "config": {config} }}]"#);
            let wires: Vec<ParticipantWire> = serde_json::from_str(&answer).unwrap();
            let contact = wires.into_iter().next().unwrap().config.unwrap_or_default();
            assert_eq!(contact.contact_firstname.as_deref(), Some(""), "{config}");
        }
    }
}
