//! Lists that the forms offer: services, data store roots, server uploads, participants, and invitations.
//!
//! Most functions request a list of a server or the portal, for example [`participants`]; [`choose_folder`]
//! and [`choose_file`] open a dialog.
//!
//! Invariants: the URL of a receiver is not passed to the window, only its origin; webhooks that the server does not
//! list are `null`, never an empty list.

pub(crate) mod collaboration_hosts;
pub mod deliveries;
pub mod uploads;

use std::collections::HashSet;

use serde::Serialize;
use steward_client::listing::Gap;
use steward_client::{ClientError, listing};
use url::Url;

use crate::access::Access;
use crate::access::listed::{ListedInvitation, ListedParticipant};
use crate::expiry::short;
use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::model::checked::CheckedInvitation;
use crate::model::ids::{SiteId, Target};
use crate::model::numbers::Millis;
use crate::model::problem::{Problem, as_text, without_secrets};
use crate::sites::{Site, TargetSite};

/// Largest number of invitations that are stored for the overview, those that expire first. All facts of all sites
/// share a file.
const MOST_CHECKED: usize = 1_000;

/// A service that can have webhooks.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServiceView {
    /// Path, for example `Hosted/Hydrants.FeatureServer`. Empty if a name is too long to be requested, so that the
    /// service cannot be selected.
    pub path: String,
    /// Folder; empty for the root folder.
    pub folder: String,
    /// Name, without folder and type.
    pub name: String,
    /// `FeatureServer` or `GPServer`.
    pub r#type: String,
    /// Webhooks; `null` if the server does not list them, which does not mean that there are none.
    pub webhooks: Option<Vec<WebhookView>>,
    /// What the server did not return, in place of a service: the services of the folder, or, if there is a name, the
    /// settings of this service. `null` for a service.
    pub gap: Option<Gap>,
}

/// Webhook of a service.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct WebhookView {
    /// Identifier, unique within the service; may be empty.
    pub id: String,
    /// Name, as shown to users of the server.
    pub name: String,
    /// Whether it is active; `null` if the server does not return it.
    pub active: Option<bool>,
    /// Origin of its receiver. The whole URL is often a secret, and is not passed to the window.
    pub receiver: String,
}

/// A participant of a collaboration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ParticipantView {
    /// Identifier of the collaboration.
    pub collaboration_id: String,
    /// Name of the collaboration.
    pub collaboration_name: String,
    /// Identifier of the participating portal. Empty if it, or the contact, is too long: the participant cannot be
    /// selected.
    pub participant_id: String,
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
    /// Name of the collaboration host if it is another portal, whose administrators alone can update contacts; `null`
    /// otherwise.
    pub hosted_elsewhere: Option<String>,
    /// What the portal did not return, in place of a participant: participants of this collaboration, or collaborations
    /// if its name is empty. `null` for a participant.
    pub gap: Option<Gap>,
}

/// An invitation to a collaboration.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct InvitationView {
    /// Identifier of the collaboration.
    pub collaboration_id: String,
    /// Name of the collaboration.
    pub collaboration_name: String,
    /// Identifier of the invitation. Empty if it is too long: the invitation cannot be selected.
    pub invitation_id: String,
    /// URL of the invited portal.
    pub guest_portal_url: String,
    /// Status, for example `host_created`.
    pub status: String,
    /// Time of expiration; `null` if the portal does not return it.
    pub expiration: Option<Millis>,
    /// Time until the expiration by the clock of the portal, in milliseconds; negative if it has expired. `null` if the
    /// portal does not return the expiration or its time.
    pub expires_in: Option<Millis>,
    /// Name of the collaboration host if it is another portal, whose administrators alone can refresh invitations;
    /// `null` otherwise.
    pub hosted_elsewhere: Option<String>,
    /// What the portal did not return, in place of an invitation: invitations of this collaboration, or collaborations
    /// if its name is empty. `null` for an invitation.
    pub gap: Option<Gap>,
}

/// Returns the services of a server that can have webhooks.
///
/// # Errors
/// - [`Problem::Rejected`] or another error of the client if the server does not return them.
/// - [`Problem::Unexpected`] if the site is not saved.
/// - Those of [`Access::server`].
pub async fn services_of(access: &Access, target: &Target) -> Result<Vec<ServiceView>, Problem> {
    let site = access.sites.at(target)?;
    let server = access.server(&site).await?;
    let services = match listing::services(&server).await {
        Ok(services) => services,
        Err(error) => return Err(access.problem_at(&server, &site, &error).await),
    };
    Ok(services
        .into_iter()
        .map(|service| {
            let path = match service.name.is_empty() || service.gap.is_some() {
                true => String::new(),
                false => service_path(&service.folder, &service.name, &service.kind),
            };
            let webhook = |webhook: listing::Webhook| WebhookView {
                id: webhook.id,
                name: webhook.name,
                active: webhook.active,
                receiver: webhook.receiver,
            };
            ServiceView {
                path,
                folder: service.folder,
                name: service.name,
                r#type: service.kind,
                webhooks: service.webhooks.map(|webhooks| webhooks.into_iter().map(webhook).collect()),
                gap: service.gap.map(cleaned),
            }
        })
        .collect())
}

/// Returns a gap without the secrets in the words of the site.
fn cleaned(gap: Gap) -> Gap {
    match gap {
        Gap::NotListed { reason } => Gap::NotListed { reason: without_secrets(&reason) },
        cut @ Gap::Cut { .. } => cut,
    }
}

/// Returns the path of a service, for example `Hosted/Hydrants.FeatureServer`.
pub(crate) fn service_path(folder: &str, name: &str, kind: &str) -> String {
    if folder.is_empty() { format!("{name}.{kind}") } else { format!("{folder}/{name}.{kind}") }
}

/// Returns the root paths of the data store. One that is too long is empty.
///
/// # Errors
/// Those of [`services_of`].
pub async fn list_data_roots(access: &Access, target: &Target) -> Result<Vec<String>, Problem> {
    let site = access.sites.at(target)?;
    let server = access.server(&site).await?;
    match listing::data_roots(&server).await {
        Ok(roots) => Ok(roots),
        Err(error) => Err(access.problem_at(&server, &site, &error).await),
    }
}

/// Returns the participants of all collaborations of a portal.
///
/// # Errors
/// - [`Problem::Rejected`] or another error of the client if the portal does not return them.
/// - [`Problem::Unexpected`] if the site is not saved.
/// - Those of [`Access::portal`] and [`Access::known`].
pub async fn participants(access: &Access, site: &SiteId) -> Result<Vec<ParticipantView>, Problem> {
    let saved = access.sites.at(&Target::portal(site.clone()))?;
    let (portal, known) = (access.portal(&saved).await?, access.known(&saved).await?);
    let participants =
        listing::participants(&portal, &known.portal_id).await.map_err(|error| rejected(&error, site))?;
    let elsewhere = collaboration_hosts::elsewhere(&participants, &addresses(&saved));
    access.listed_participants.replace(
        site,
        participants.iter().map(|one| {
            let listed = ListedParticipant {
                name: one.portal_name.clone(),
                collaboration: one.collaboration_name.clone(),
                contact: [&one.contact_firstname, &one.contact_lastname, &one.contact_email_address]
                    .map(Clone::clone),
            };
            ([one.collaboration_id.clone(), one.portal_id.clone()], listed)
        }),
    );
    Ok(participants
        .into_iter()
        .map(|one| ParticipantView {
            hosted_elsewhere: elsewhere.get(&one.collaboration_id).cloned(),
            collaboration_id: one.collaboration_id,
            collaboration_name: one.collaboration_name,
            participant_id: one.portal_id,
            portal_name: one.portal_name,
            portal_url: one.portal_url,
            role: one.role,
            status: one.status,
            contact_firstname: one.contact_firstname,
            contact_lastname: one.contact_lastname,
            contact_email_address: one.contact_email_address,
            gap: one.gap.map(cleaned),
        })
        .collect())
}

/// Returns the invitations of all collaborations of a portal.
///
/// # Errors
/// Those of [`participants`].
pub async fn invitations(access: &Access, site: &SiteId) -> Result<Vec<InvitationView>, Problem> {
    let saved = access.sites.at(&Target::portal(site.clone()))?;
    let listed = list_invitations(access, &saved).await;
    access.note_checked(&saved, |checks| match &listed {
        Ok(listed) => {
            let earlier = checks.invitations.value.take().unwrap_or_default();
            let (all, gap) = open_invitations(listed, earlier, Millis::now());
            checks.invitations.returned(Some(all));
            if let Some(gap) = gap {
                checks.invitations.failed();
                checks.invitations_gap = gap;
            }
        }
        Err(problem) => {
            checks.invitations.failed();
            checks.invitations_gap = short(&as_text(problem));
        }
    });
    listed
}

/// Final statuses of an invitation: a portal rejects the refresh of such an invitation.
const SETTLED: [&str; 5] = ["accepted", "invalidated", "rejected", "declined", "revoked"];

/// Returns the first collaboration of this portal whose invitations it did not list, and why; `None` if it listed all.
#[must_use]
pub fn unlisted_invitations(listed: &[InvitationView]) -> Option<String> {
    let mut ours = listed.iter().filter(|one| one.hosted_elsewhere.is_none());
    ours.find_map(|one| {
        let gap = one.gap.as_ref()?;
        Some(short(&match one.collaboration_name.as_str() {
            "" => gap.to_string(),
            name => format!("{name}: {gap}"),
        }))
    })
}

/// Returns the open invitations that this portal can refresh, and why the list is incomplete, if it is.
///
/// For a collaboration whose invitations were not listed now, those of the `earlier` check are kept.
fn open_invitations(
    listed: &[InvitationView],
    earlier: Vec<CheckedInvitation>,
    now: Millis,
) -> (Vec<CheckedInvitation>, Option<String>) {
    // Only the collaboration host can refresh an invitation.
    let ours = || listed.iter().filter(|one| one.hosted_elsewhere.is_none());
    let unlisted: HashSet<&str> =
        ours().filter(|one| one.gap.is_some()).map(|one| one.collaboration_id.as_str()).collect();
    let open: Vec<_> = ours().filter(|one| is_open(one)).collect();
    let mut all: Vec<_> = open.iter().filter_map(|one| checked_invitation(one, now)).collect();
    let are_dated = all.len() == open.len();
    let is_listed = |one: &CheckedInvitation| listed.iter().any(|now| now.invitation_id == one.invitation_id);
    let left = earlier.into_iter().filter(|one| unlisted.contains(&*one.collaboration_id) && !is_listed(one));
    all.extend(left);
    all.sort_by_key(|one| one.expires_at);
    let is_cut = all.len() > MOST_CHECKED;
    all.truncate(MOST_CHECKED);
    let gap = unlisted_invitations(listed)
        .or_else(|| (!are_dated).then(|| "an invitation has no expiration".to_owned()))
        .or_else(|| is_cut.then(|| format!("the first {MOST_CHECKED} are kept")));
    (all, gap)
}

/// Returns whether an invitation was listed, and has no final status.
fn is_open(one: &InvitationView) -> bool {
    if one.invitation_id.is_empty() || one.gap.is_some() {
        return false;
    }
    let status = one.status.trim().to_lowercase();
    // Portals put the actor before the status, as in `guest_accepted`.
    let done = status.strip_prefix("guest_").or_else(|| status.strip_prefix("host_")).unwrap_or(&status);
    !SETTLED.contains(&done)
}

/// Returns an invitation with the time when it expires; `None` if that is not known.
fn checked_invitation(one: &InvitationView, now: Millis) -> Option<CheckedInvitation> {
    let left = one.expires_in.map(|left| Millis(now.0.saturating_add(left.0)));
    Some(CheckedInvitation {
        collaboration_id: one.collaboration_id.clone(),
        collaboration: one.collaboration_name.clone(),
        invitation_id: one.invitation_id.clone(),
        guest: one.guest_portal_url.clone(),
        expires_at: left.or(one.expiration)?,
    })
}

async fn list_invitations(access: &Access, saved: &TargetSite) -> Result<Vec<InvitationView>, Problem> {
    let site = &saved.id;
    let (portal, known) = (access.portal(saved).await?, access.known(saved).await?);
    // Request the lists one after the other, like everything else that the check of a site requests.
    let invitations = listing::invitations(&portal, &known.portal_id).await;
    let invitations = invitations.map_err(|error| rejected(&error, site))?;
    let participants = listing::participants(&portal, &known.portal_id).await;
    // Without the participants, the hosts are unknown: then nothing is blocked.
    let elsewhere = collaboration_hosts::elsewhere(&participants.unwrap_or_default(), &addresses(saved));
    access.listed_invitations.replace(
        site,
        invitations.iter().map(|one| {
            let listed = ListedInvitation {
                guest: one.guest_portal_url.clone(),
                collaboration: one.collaboration_name.clone(),
                expiration: one.expiration,
            };
            ([one.collaboration_id.clone(), one.id.clone()], listed)
        }),
    );
    // An invitation expires by the clock of the portal.
    let now = match portal.clock().await {
        Ok(Some(clock)) => Some(clock.at(jiff::Timestamp::now()).as_millisecond()),
        _ => None,
    };
    Ok(invitations
        .into_iter()
        .map(|one| InvitationView {
            hosted_elsewhere: elsewhere.get(&one.collaboration_id).cloned(),
            expires_in: one.expiration.zip(now).map(|(end, now)| Millis(end.saturating_sub(now))),
            collaboration_id: one.collaboration_id,
            collaboration_name: one.collaboration_name,
            invitation_id: one.id,
            guest_portal_url: one.guest_portal_url,
            status: one.status,
            expiration: one.expiration.map(Millis),
            gap: one.gap.map(cleaned),
        })
        .collect())
}

fn addresses(site: &Site) -> Vec<&Url> {
    let portal = site.portal.iter();
    portal.flat_map(|portal| [Some(&portal.address), portal.admin_url.as_ref()]).flatten().collect()
}

/// Opens a dialog to choose a folder. Returns `None` if the user closes it.
///
/// # Errors
/// [`Problem::NoDialog`] if the system cannot show a file dialog.
pub async fn choose_folder(dialogs: &SelectedPaths) -> Result<Option<String>, Problem> {
    let folder = dialogs.choose_folder(Title::ChooseFolder).await?;
    Ok(folder.map(|folder| folder.display().to_string()))
}

/// Opens a dialog to choose a file, without reading it. Returns `None` if the user closes it.
///
/// # Errors
/// [`Problem::NoDialog`] if the system cannot show a file dialog.
pub async fn choose_file(dialogs: &SelectedPaths) -> Result<Option<String>, Problem> {
    let file = dialogs.open_file(Title::ChooseFile).await?;
    Ok(file.map(|file| file.display().to_string()))
}

fn rejected(error: &ClientError, site: &SiteId) -> Problem {
    Problem::from_client(error, site)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(
        collaboration: &str,
        invitation: &str,
        status: &str,
        expires_at: Option<i64>,
    ) -> InvitationView {
        InvitationView {
            collaboration_id: collaboration.to_owned(),
            collaboration_name: String::new(),
            invitation_id: invitation.to_owned(),
            guest_portal_url: String::new(),
            status: status.to_owned(),
            expiration: expires_at.map(Millis),
            expires_in: None,
            hosted_elsewhere: None,
            gap: None,
        }
    }

    #[test]
    fn an_invitation_without_its_end_or_of_a_collaboration_that_is_not_listed_is_not_nothing() {
        let earlier: Vec<_> = ["c1", "c2"]
            .into_iter()
            .filter_map(|collaboration| {
                checked_invitation(&listed(collaboration, "i", "", Some(1)), Millis(0))
            })
            .collect();
        let gap = Some(Gap::NotListed { reason: "403".to_owned() });
        let collaboration_name = "Harbor".to_owned();
        let unlisted = InvitationView { gap, collaboration_name, ..listed("c2", "", "", None) };
        let elsewhere = InvitationView { hosted_elsewhere: Some("host".to_owned()), ..unlisted.clone() };
        for (list, open, why) in [
            (vec![listed("c1", "a", "host_created", Some(5))], &["a"][..], None),
            (vec![listed("c1", "a", "host_created", None)], &[], Some("an invitation has no expiration")),
            (vec![listed("c1", "a", "guest_accepted", None)], &[], None),
            (vec![listed("c1", "a", "host_created", Some(5)), unlisted], &["i", "a"], Some("Harbor: 403")),
            (vec![elsewhere], &[], None),
        ] {
            let (all, found) = open_invitations(&list, earlier.clone(), Millis(0));
            let ids: Vec<_> = all.iter().map(|one| one.invitation_id.as_str()).collect();
            assert_eq!((ids.as_slice(), found.as_deref()), (open, why), "{list:?}");
        }
    }
}
