//! What the forms pick from.

pub(crate) mod collaboration_hosts;

use serde::Serialize;
use steward_client::{ClientError, listing};
use url::Url;

use crate::files::dialogs::Title;
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::problem::Problem;

/// A service that can have webhooks.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServiceView {
    /// Path, as in `Hosted/Hydrants.FeatureServer`.
    pub path: String,
    /// Folder; empty for the root.
    pub folder: String,
    /// Name.
    pub name: String,
    /// `FeatureServer` or `GPServer`.
    pub r#type: String,
    /// Its webhooks.
    pub webhooks: Vec<WebhookView>,
}

/// A webhook.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct WebhookView {
    /// Name.
    pub name: String,
    /// Whether it is invoked.
    pub active: bool,
    /// The origin of where payloads are delivered. The whole address often is a secret, and stays in the program.
    pub receiver: String,
}

/// A file stored on the server.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StoredUpload {
    /// Identifier.
    pub id: String,
    /// File name.
    pub name: String,
    /// Free text.
    pub description: String,
    /// When it came, as the server writes it.
    pub date: String,
}

/// A participant of a collaboration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ParticipantView {
    /// The collaboration.
    pub collaboration_id: String,
    /// Its name.
    pub collaboration_name: String,
    /// Identifier of the participating portal.
    pub participant_id: String,
    /// Its name.
    pub portal_name: String,
    /// Its address.
    pub portal_url: String,
    /// `Host` or `Guest`.
    pub role: String,
    /// As in `active`.
    pub status: String,
    /// First name of the contact person.
    pub contact_firstname: String,
    /// Last name of the contact person.
    pub contact_lastname: String,
    /// E-mail address of the contact person.
    pub contact_email_address: String,
    /// The portal that hosts the collaboration, where it is another: only its administrators change a contact.
    pub hosted_elsewhere: Option<String>,
}

/// An invitation to a collaboration.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct InvitationView {
    /// The collaboration.
    pub collaboration_id: String,
    /// Its name.
    pub collaboration_name: String,
    /// Identifier.
    pub invitation_id: String,
    /// The invited portal.
    pub guest_portal_url: String,
    /// As in `host_created`.
    pub status: String,
    /// When it runs out.
    pub expiration: Option<Millis>,
    /// How long that is from now by the portal's own clock, in milliseconds; negative when it is over. `null` when
    /// the portal says when, or what time it is, in no way.
    pub expires_in: Option<Millis>,
}

/// The services of a site.
pub async fn services_of(host: &Host, site: &SiteId) -> Result<Vec<ServiceView>, Problem> {
    let site = host.sites.get(site)?;
    let server = host.server(&site).await?;
    let services = match listing::services(&server).await {
        Ok(services) => services,
        Err(error) => return Err(host.problem_at(&server, &site, &error).await),
    };
    Ok(services
        .into_iter()
        .map(|service| {
            let name = format!("{}.{}", service.name, service.kind);
            let path = if service.folder.is_empty() { name } else { format!("{}/{name}", service.folder) };
            let webhooks = service.webhooks.into_iter().map(|webhook| WebhookView {
                name: webhook.name,
                active: webhook.active == Some(true),
                receiver: webhook.receiver,
            });
            ServiceView {
                path,
                folder: service.folder,
                name: service.name,
                r#type: service.kind,
                webhooks: webhooks.collect(),
            }
        })
        .collect())
}

/// Root paths of the data store.
pub async fn list_data_roots(host: &Host, site: SiteId) -> Result<Vec<String>, Problem> {
    let site = host.sites.get(&site)?;
    let server = host.server(&site).await?;
    match listing::data_roots(&server).await {
        Ok(roots) => Ok(roots),
        Err(error) => Err(host.problem_at(&server, &site, &error).await),
    }
}

/// Files stored on the server.
pub async fn list_uploads(host: &Host, site: SiteId) -> Result<Vec<StoredUpload>, Problem> {
    let site = host.sites.get(&site)?;
    let server = host.server(&site).await?;
    let uploads = match listing::uploads(&server).await {
        Ok(uploads) => uploads,
        Err(error) => return Err(host.problem_at(&server, &site, &error).await),
    };
    Ok(uploads
        .into_iter()
        .map(|upload| StoredUpload {
            id: upload.id,
            name: upload.name,
            description: upload.description,
            date: upload.date,
        })
        .collect())
}

/// The same, without the window.
pub async fn participants(host: &Host, site: &SiteId) -> Result<Vec<ParticipantView>, Problem> {
    let saved = host.sites.get(site)?;
    let (portal, known) = (host.portal(&saved).await?, host.known(&saved).await?);
    let participants =
        listing::participants(&portal, &known.portal_id).await.map_err(|error| refused(&error, site))?;
    let addresses: Vec<&Url> = saved
        .portal
        .iter()
        .flat_map(|portal| [Some(&portal.address), portal.direct.as_ref()])
        .flatten()
        .collect();
    let elsewhere = collaboration_hosts::elsewhere(&participants, &addresses);
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
        })
        .collect())
}

/// The same, without the window.
pub async fn invitations(host: &Host, site: &SiteId) -> Result<Vec<InvitationView>, Problem> {
    let saved = host.sites.get(site)?;
    let (portal, known) = (host.portal(&saved).await?, host.known(&saved).await?);
    let invitations =
        listing::invitations(&portal, &known.portal_id).await.map_err(|error| refused(&error, site))?;
    // An invitation ends by the portal's clock, whatever ours shows.
    let now = match portal.clock().await {
        Ok(Some(clock)) => Some(clock.at(jiff::Timestamp::now()).as_millisecond()),
        _ => None,
    };
    Ok(invitations
        .into_iter()
        .map(|one| InvitationView {
            expires_in: one.expiration.zip(now).map(|(end, now)| Millis(end.saturating_sub(now))),
            collaboration_id: one.collaboration_id,
            collaboration_name: one.collaboration_name,
            invitation_id: one.id,
            guest_portal_url: one.guest_portal_url,
            status: one.status,
            expiration: one.expiration.map(Millis),
        })
        .collect())
}

/// A folder of this computer, chosen in the system's dialog; `null` when it was closed.
pub async fn choose_folder(host: &Host) -> Result<Option<String>, Problem> {
    let folder = host.dialogs.choose_folder(Title::ChooseFolder).await?;
    Ok(folder.map(|folder| folder.display().to_string()))
}

/// A file of this computer, chosen in the system's dialog; `null` when it was closed. Nothing is read from it.
pub async fn choose_file(host: &Host) -> Result<Option<String>, Problem> {
    let file = host.dialogs.open_file(Title::ChooseFile).await?;
    Ok(file.map(|file| file.display().to_string()))
}

fn refused(error: &ClientError, site: &SiteId) -> Problem {
    Problem::from_client(error, site)
}
