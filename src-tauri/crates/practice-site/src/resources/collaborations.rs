//! Collaborations in the sharing API. Participants and invitations require the administrator role.

use super::portal::this_portal;
use crate::clock::now_ms;
use crate::sign_in::{Capability, Component};
use crate::store::collaborations::{self, Collaboration, Invitation, Participant};
use crate::wire::{ApiError, Reply, RequestContext, json, page};
use axum::extract::Path;
use rusqlite::Connection;
use serde_json::{Value, json};

pub(crate) async fn list(call: RequestContext, Path(portal_id): Path<String>) -> Reply {
    let all = read(&call, portal_id, collaborations::all).await?;
    json(page(&call.parameters, "collaborations", &all, collaboration_object))
}

pub(crate) async fn one(call: RequestContext, Path((portal_id, id)): Path<(String, String)>) -> Reply {
    let found = read(&call, portal_id, move |portal| collaborations::find(portal, &id)).await?;
    json(collaboration_object(&found))
}

pub(crate) async fn participants(
    call: RequestContext,
    Path((portal_id, id)): Path<(String, String)>,
) -> Reply {
    let all = read(&call, portal_id, move |portal| {
        collaborations::find(portal, &id)?;
        collaborations::participants(portal, &id)
    })
    .await?;
    json(page(&call.parameters, "participants", &all, participant_object))
}

pub(crate) async fn participant(
    call: RequestContext,
    Path((portal_id, id, participant)): Path<(String, String, String)>,
) -> Reply {
    let found =
        read(&call, portal_id, move |portal| collaborations::find_participant(portal, &id, &participant))
            .await?;
    json(participant_object(&found))
}

pub(crate) async fn invitations(
    call: RequestContext,
    Path((portal_id, id)): Path<(String, String)>,
) -> Reply {
    let (all, host) = read(&call, portal_id, move |portal| {
        let host = collaborations::find(portal, &id)?.host_portal_id;
        Ok((collaborations::invitations(portal, &id)?, host))
    })
    .await?;
    json(page(&call.parameters, "collaborationInvitations", &all, |one| invitation_object(one, &host)))
}

pub(crate) async fn invitation(
    call: RequestContext,
    Path((portal_id, id, invitation)): Path<(String, String, String)>,
) -> Reply {
    let (found, host) = read(&call, portal_id, move |portal| {
        let host = collaborations::find(portal, &id)?.host_portal_id;
        Ok((collaborations::find_invitation(portal, &id, &invitation)?, host))
    })
    .await?;
    json(invitation_object(&found, &host))
}

/// Reads from the portal with this ID, for an administrator.
pub(super) async fn read<T: Send + 'static>(
    call: &RequestContext,
    portal_id: String,
    work: impl FnOnce(&Connection) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    let read = move |portal: &Connection| {
        this_portal(portal, &portal_id)?;
        work(portal)
    };
    call.app.portal.read(read).await
}

/// Invalidates an invitation: it can no longer be accepted or refreshed.
pub(crate) async fn invalidate_invitation(
    call: RequestContext,
    Path((portal_id, id, invitation)): Path<(String, String, String)>,
) -> Reply {
    call.caller_with(Component::Portal, Capability::HostAdministrator).await?;
    call.app
        .portal
        .write(move |tx| {
            this_portal(tx, &portal_id)?;
            collaborations::find_hosted(tx, &id)?;
            let found = collaborations::find_invitation(tx, &id, &invitation)?;
            collaborations::invalidate(tx, &found, now_ms())
        })
        .await?;
    json(json!({ "success": true }))
}

/// Returns the JSON of a collaboration. Avoids keys named like methods: the vendor's Python client converts keys to
/// attributes.
fn collaboration_object(collaboration: &Collaboration) -> Value {
    json!({
        "id": collaboration.id,
        "name": collaboration.name,
        "description": collaboration.description,
        "collaborationHostPortalId": collaboration.host_portal_id,
        "config": { "ownerUsername": collaboration.owner },
        "created": collaboration.created,
        "modified": collaboration.modified,
    })
}

fn participant_object(participant: &Participant) -> Value {
    json!({
        "collaborationId": participant.collaboration_id,
        "portalInfo": {
            "id": participant.portal_id,
            "url": participant.url,
            "name": participant.name,
            "description": participant.description,
            "portalType": "onpremises",
        },
        "collaborationRole": participant.role,
        "status": participant.status,
        "config": {
            "contactFirstname": participant.contact.first_name,
            "contactLastname": participant.contact.last_name,
            "contactEmailAddress": participant.contact.email,
            "canRunAgent": true,
            "portalVersion": participant.portal_version,
            "lastConfigSync": participant.last_config_sync,
        },
        "created": participant.created,
        "modified": participant.modified,
    })
}

fn invitation_object(invitation: &Invitation, host: &str) -> Value {
    json!({
        "id": invitation.id,
        "collaborationId": invitation.collaboration_id,
        "hostPortalId": host,
        "guestPortalId": invitation.guest_portal_id,
        "guestPortalUrl": invitation.guest_portal_url,
        "status": invitation.status,
        "config": { "invitationRequestFilename": invitation.file_name() },
        "invitationString": invitation.file_text(),
        "expiration": invitation.expiration,
        "created": invitation.created,
        "modified": invitation.modified,
    })
}
